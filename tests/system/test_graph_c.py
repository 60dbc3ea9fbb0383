# SPDX-License-Identifier: Apache-2.0
"""Graphs of C: programs that are built call by call, and assembled ones, as C's host would do it, through ctypes."""
import ctypes

import pytest

import ganger
import ganger.graph_program  # As ganger.graph.program was called before.
from ganger import abi, clib, structs
from ganger.graph.model import run_model
from ganger.values import local
from graph_support import TABLE_2, table_2_edges
from support import expect

VALUE, RESOURCE, PARAMETER = 0, 1, 2
OPS = abi.ENUMS["graph_op"]
UINT, LONG_UINT, POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p


class GraphValue(ctypes.Structure):
    """struct gg_graph_value."""
    _fields_ = [("kind", UINT), ("number", UINT), ("offset", UINT), ("reserved", UINT), ("argument", structs.Argument)]


class Built:
    """A gg_task_graph."""

    def __init__(self, dev, pointer=None):
        self.dev, self.pointer = dev, pointer or POINTER()
        if pointer is None:
            self._call("gg_graph_create", POINTER(dev.default_context.pointer), ctypes.byref(self.pointer))

    @staticmethod
    def _call(name, *arguments):
        function = getattr(clib.library(), name)
        function.restype = ctypes.c_int32
        status = function(*arguments)
        if status:
            raise clib.failure_error(status)

    def call(self, name, *arguments):
        """A call that gives nothing back; numbers are 32 bits."""
        self._call(f"gg_graph_{name}", self.pointer, *(UINT(one) if isinstance(one, int) else one for one in arguments))

    def number(self, name, *arguments):
        """One that gives a number back."""
        made = UINT()
        self.call(name, *arguments, ctypes.byref(made))
        return made.value

    def dispatch(self, kernel, grid, block, values):
        """A kernel; values: (kind, number or data)."""
        work = ganger.Work(kernel, grid=grid, block=block)
        array, keep = (GraphValue * len(values))(), []
        for raw, (kind, one) in zip(array, values):
            raw.kind = kind
            if kind != VALUE:
                raw.number = one
                continue
            data = ctypes.create_string_buffer(one.data, len(one.data)) if one.data else None
            keep.append(data)
            raw.argument.kind, raw.argument.bytes = one.kind, one.size
            raw.argument.data = ctypes.cast(data, POINTER) if data else None
        self.call("dispatch", ctypes.byref(work.raw), array, len(values))

    def program(self):
        """The finished program."""
        data, nbytes = POINTER(), LONG_UINT()
        self.call("program", ctypes.byref(data), ctypes.byref(nbytes))
        return ganger.GraphProgram.load(ctypes.string_at(data, nbytes.value))

    def close(self):
        """Frees it."""
        self._call("gg_graph_destroy", self.pointer)


@pytest.fixture
def built(device):
    """An empty graph of C on a device."""
    graph = Built(device())
    yield graph
    graph.close()


@pytest.fixture
def vecadd(device, sample_path):
    """The kernel, loaded."""
    dev = device()
    modules = vars(dev).setdefault("test_modules", {})
    modules.setdefault("vecadd", None)
    modules["vecadd"] = modules["vecadd"] or dev.load(sample_path("vecadd"))
    return modules["vecadd"]["vecadd"]


def test_built(built, vecadd):
    """S2-R86, S2-R20, S2-R28, S2-R43: passes of one command are blocks, of more definitions; all means the same as in
    Python."""
    x = built.number("argument", 0, LONG_UINT(4096))
    t, u = (built.number("transient", LONG_UINT(8192)) for _one in range(2))
    for op, one in (("READ", x), ("WRITE", t)):
        built.call("use", OPS[op], one)
    built.dispatch(vecadd, (8,), (128,), [(RESOURCE, x), (RESOURCE, x), (RESOURCE, t), (PARAMETER, 1)])
    assert built.number("end") == 0
    for op, one in (("READ", t), ("SHARE", u)):
        built.call("use", OPS[op], one)
    built.call("after", 0)
    built.call("need", 2, 77)
    built.call("fill", u, 5, 8192)
    built.dispatch(vecadd, (2, 3), (128,), [(RESOURCE, t), (RESOURCE, t), (RESOURCE, u), (VALUE, ganger.u32(9))])
    built.call("fence")
    assert built.number("end") == 1
    built.call("use", OPS["READ"], u)
    built.call("use", OPS["WRITE"], x)
    built.call("copy", x, u, 4096)
    assert built.number("end") == 2
    program = built.program()
    program.arguments = [ganger.graph_program.Argument("x", "buffer"), ganger.graph_program.Argument("n")]
    model = run_model(program)
    assert [one.uses for one in model.passes] == [{x: {"READ"}, t: {"WRITE"}}, {t: {"READ"}, u: {"SHARE"}},
                                                  {u: {"READ"}, x: {"WRITE"}}]
    assert [[cmd.op for cmd in one.commands] for one in model.passes] == [["DISPATCH"], ["FILL", "DISPATCH", "FENCE"], ["COPY"]]
    first, second = model.passes[0].commands[0], model.passes[1].commands[1]
    assert (first.grid, second.grid) == ((8, 1, 1), (2, 3, 1))
    assert [one[0] for one in first.values] == ["ADDRESS", "ADDRESS", "ADDRESS", "PARAMETER"]
    assert second.values[3][:3] == ("CONST", 4, 9)
    assert model.passes[1].after == [0] and model.passes[1].needs == {2: 77}
    # Two of vecadd, for grids of one and two dimensions, and two that copy and fill, since 8,192 bytes are much.
    assert len(program.states) == 4 and first.state != second.state
    assert program.fill_state == program.copy_state + 1 == len(program.states) - 1


def test_built_refuses(built, vecadd):
    """S2-Q3: what the builder of C refuses: status and value; nothing of it counts."""
    t = built.number("transient", LONG_UINT(64))
    expect("ERR_GRAPH_RESOURCE", built.call, "use", OPS["READ"], 7)
    expect("ERR_ARGUMENT", built.call, "use", OPS["COPY"], t)
    expect("ERR_ARGUMENT", built.number, "transient", LONG_UINT(0))
    expect("ERR_ARGUMENT", built.number, "argument", 64, LONG_UINT(4))
    expect("ERR_ARGUMENT", built.call, "need", 4, 1)
    expect("ERR_GRAPH_STEP", built.number, "end")
    expect("ERR_ARGUMENT_COUNT", built.dispatch, vecadd, 1, 1, [(RESOURCE, t)])
    expect("ERR_ARGUMENT_SIZE", built.dispatch, vecadd, 1, 1, [(RESOURCE, t)] * 4)
    expect("ERR_ARGUMENT_SIZE", built.dispatch, vecadd, 1, 1, [(VALUE, local(64))] + [(RESOURCE, t)] * 3)
    for _command in range(16):
        built.call("fence")
    expect("ERR_GRAPH_FORMAT", built.program)
    expect("ERR_GRAPH_TOO_LARGE", built.call, "fence")
    built.number("end")
    assert [len(one.commands) for one in run_model(built.program()).passes] == [16]


def test_loaded(device, vecadd):
    """S2-Q1, S2-R90: an assembled program gets its kernels; one that is cut, or has other states, is refused."""
    dev, data = device(), ganger.graph_of(TABLE_2).program.save()
    works = (structs.Work * 2)(*(ganger.Work(vecadd, grid=grid, block=16).raw for grid in (3, 4)))

    def load(content, count):
        pointer = POINTER()
        Built._call("gg_graph_load", POINTER(dev.default_context.pointer), content, LONG_UINT(len(content)), works,
                    UINT(count), ctypes.byref(pointer))
        return Built(dev, pointer)

    graph = load(data, 2)
    program = graph.program()
    graph.close()
    program.resources = [one._replace(name=name) for one, name in zip(program.resources, ("R1", "R2", "R3", "R5"))]
    assert run_model(program, [0, 0, 0, 0, 1]).edges() == table_2_edges(1)
    expect("ERR_ARGUMENT_COUNT", load, data, 1)
    expect("ERR_GRAPH_FORMAT", load, data[:100], 2)
    expect("ERR_GRAPH_FORMAT", load, b"", 2)
