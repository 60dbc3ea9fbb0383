# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter of graph programs against that of the control processor, built for this machine."""
import ctypes
import os
import subprocess

import pytest

import ganger
from conftest import ROOT
from ganger import abi
from ganger.graph.isa import TABLE, step
from ganger.graph.model import run_model
from ganger.graph.program import Argument, Definition, Program, Resource, State
from graph_support import FIGURE_8, TABLE_1, TABLE_2, both

pytestmark = pytest.mark.shared

BUDGET, PROGRAMS = 2000, 3000
STATUS = {number: name for name, number in abi.ENUMS["status"].items()}
USUAL = ("RESOURCE", "READ", "WRITE", "SHARE", "DISPATCH", "COPY", "FILL", "SIGNAL", "STATE", "FENCE")
CONTROL = ("JUMP", "JEQ", "JNE", "JLT", "JGE", "INVOKE", "END")
NUMBERS = {"number": (0, 1, 4, 8, 64, 65, 4096, 0xffffffff), "word": (0, 4, 60, 64, 1), "base": (0, 1, 2, 3, 0xffffffff),
           "argument": (0, 1), "resource": (0, 1, 2, 3), "pass": (0, 1, 2, 6), "state": (0, 1), "bytes": (4, 8),
           "need": (0, 1, 2, 3)}


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    """firmware(program, arguments): status, value, and what the graph has."""
    library = tmp_path_factory.mktemp("graph") / "graph.so"
    sources = [ROOT / "tests" / "model" / "graph_driver.c", *sorted((ROOT / "firmware" / "graph").glob("*.c"))]
    subprocess.run([os.environ.get("HOSTCC", "gcc"), "-std=c11", "-O1", "-g", "-fPIC", "-shared", "-I", ROOT, "-o",
                    library, *sources], check=True, timeout=300)
    drive = ctypes.CDLL(str(library)).graph_drive

    def call(program, arguments):
        data, out = program.encode(), (ctypes.c_uint64 * 7)()
        aligned = (ctypes.c_uint64 * (len(data) // 8)).from_buffer_copy(data)
        drive(aligned, len(data), (ctypes.c_uint64 * len(arguments))(*arguments), len(arguments), BUDGET, out)
        name = STATUS[ctypes.c_int64(out[0]).value]
        return (name, None, tuple(out[2:])) if name == "OK" else (name, out[1], None)

    return call


def reference(program, arguments):
    """The same of the host's."""
    try:
        model = run_model(program, arguments, budget=BUDGET)
    except ganger.Error as error:
        return error.status, error.value if error.step is None else error.step, None
    return "OK", None, (len(model.passes), len(model.reads), len(model.writes), len(model.resources), model.steps)


def compare(firmware, program, arguments):
    """Both say the same; which pass of a cycle is named is left to each. Returns the status."""
    told, expected = firmware(program, arguments), reference(program, arguments)
    assert told[0] == expected[0] and told[2] == expected[2], (told, expected, ganger.disassemble(program))
    assert told[1] == expected[1] or told[0] == "ERR_GRAPH_CYCLE", (told, expected, ganger.disassemble(program))
    return told[0]


@pytest.mark.parametrize("a, b", both((0, 1)))
def test_examples(firmware, a, b):
    """S2-R40 to S2-R43, S2-R101 to S2-R106, S2-V1, S2-V2: the control processor makes the specification's graphs."""
    for text, arguments in ((TABLE_1, [0, 0, 0, a, b]), (TABLE_2, [0, 0, 0, 0, b]), (FIGURE_8, [0, 0])):
        program = ganger.graph_of(text).program
        program.resources = [one._replace(nbytes=64) for one in program.resources]
        assert compare(firmware, program, arguments) == "OK"


class Maker:
    """Random programs, most of them nearly right."""

    def __init__(self, rng):
        self.rng, self.program = rng, Program()

    def _operand(self, role):
        types, rng = self.program.types, self.rng
        if not role.is_variable:
            return 0 if role.kind == "unused" else rng.choice(NUMBERS[role.kind])
        if role.optional and rng.random() < .5:
            return 255
        return rng.choice([at for at, kind in enumerate(types) if kind == (role.type or "int")])

    def step(self, steps, definitions, inside):
        """A random step."""
        rng = self.rng
        name = rng.choice(USUAL if rng.random() < .5 else sorted(TABLE))
        if name in CONTROL and (inside or name == "END" or not definitions) and rng.random() < .95:
            name = "FENCE"
        table = TABLE[name]
        operands = [self._operand(getattr(table, one)) for one in "abc"]
        imm = 0
        if table.imm.kind != "unused" and (not table.imm_without or operands["abc".index(table.imm_without)] == 255):
            kinds = {**NUMBERS, "step": range(steps + 1), "definition": range(max(1, definitions))}
            imm = rng.choice(kinds[table.imm.kind])
        if rng.random() < .005:
            operands[rng.randrange(3)] = rng.randrange(10)
        return step(name, *operands, imm)

    def make(self):
        """A program."""
        rng, program = self.rng, self.program
        program.types = ["int", "buffer"] + [rng.choice(["int", "buffer"]) for _more in range(rng.randint(0, 4))]
        program.variables = [f"v{at}" for at in range(len(program.types))]
        program.arguments = [Argument("a", "buffer"), Argument("n")]
        program.resources = [Resource(f"r{at}", rng.choice(["ARGUMENT", "FIXED", "TRANSIENT", "TRANSIENT"]), nbytes=64)
                             for at in range(4)]
        program.states, program.block_commands = [State("k")] * 2, rng.choice([1, 1, 2, 3])
        program.unordered = rng.random() < .2
        definitions, steps = rng.randint(0, 2), rng.randint(5, 40)
        program.steps = [step("SET" if kind == "int" else "RESOURCE", at, imm=rng.randrange(4))
                         for at, kind in enumerate(program.types)]
        program.steps += [self.step(steps, definitions, False) for _step in range(steps)] + [step("END")]
        for number in range(definitions):
            first, count = len(program.steps), rng.randint(1, 8)
            program.steps += [self.step(steps, definitions, True) for _step in range(count)]
            program.definitions.append(Definition(f"p{number}", first, count, number))
        return program


def test_random(firmware, seed):
    """S2-Q1 to S2-Q9, S2-Q22, S2-Q23, S2-R41, S2-R85: any program is refused at the same step with the same status, or
    makes a graph of the same passes, resources and edges in the same steps."""
    found = {compare(firmware, Maker(seed).make(), [4096, seed.randrange(6)]) for _program in range(PROGRAMS)}
    assert {"OK", "ERR_GRAPH_STEP", "ERR_GRAPH_RESOURCE", "ERR_GRAPH_DATA", "ERR_GRAPH_BUDGET"} <= found
