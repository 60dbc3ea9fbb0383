# SPDX-License-Identifier: Apache-2.0
"""One run of a graph program on a context: its arguments, its kernels and its options."""

import ctypes
import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from .. import abi, structs
from ..checks import named, unsigned
from ..context import Context
from ..errors import Error
from ..kernels import Kernel, KernelSource, Module, kernels_by_name
from ..memory import check_device
from ..typed import Path, Target
from ..values import Value, f32, local
from ..work import Work
from .isa import NEEDS
from .task import GraphTask

if TYPE_CHECKING:
    from .program import Program, State

EMPHASES = {name.lower(): number for name, number in abi.ENUMS["graph_emphasis"].items()}


def context_of(target: Optional[Target]) -> Context:
    """The context of a device, or the context itself. Raises Error ERR_ARGUMENT."""
    if target is None:
        raise Error("ERR_ARGUMENT", "Name a device or a context.", "device")
    return target if isinstance(target, Context) else target.default_context


def _module_at(context: Context, path: Path) -> Module:
    """The module of a path, loaded once into the context."""
    loaded: Dict[str, Module] = vars(context).setdefault("graph_modules", {})
    place = os.path.abspath(os.fspath(path))
    if place not in loaded:
        loaded[place] = context.load(place)
    return loaded[place]


def loaded_kernels(context: Context, sources: Iterable[KernelSource]) -> Mapping[str, Kernel]:
    """Kernels by name; those of paths are loaded into the context."""
    return kernels_by_name(_module_at(context, one) if isinstance(one, (str, os.PathLike)) else one
                           for one in sources)


def argument_word(value: Any) -> int:
    """An argument of a graph as 64 bits. Raises Error ERR_ARGUMENT."""
    address = getattr(value, "address", None)
    if address is not None:
        return int(address)
    if isinstance(value, float):
        value = f32(value)
    if isinstance(value, Value):
        return int.from_bytes((value.data or b"")[:8], "little")
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 64:
        return value & ((1 << 64) - 1)
    raise Error("ERR_ARGUMENT", "An argument is a buffer or a number of 64 bits.", "argument", value)


class Run:
    """The library's gg_graph_run, and what it points at."""

    def __init__(self, words: List[int], options: Dict[str, Any]):
        raw = self.raw = structs.GraphRun()
        self._words = (ctypes.c_uint64 * max(1, len(words)))(*words)
        raw.arguments, raw.argument_count = self._words, len(words)
        raw.emphasis = named(EMPHASES, "emphasis", options.pop("emphasis"))
        raw.space_bytes = unsigned("memory", options.pop("memory"), (1 << 48) - 1)
        raw.at_once = unsigned("at_once", options.pop("at_once"))
        raw.time_limit_ms = unsigned("time_limit_ms", options.pop("time_limit_ms"))
        raw.split_ctas = unsigned("split", options.pop("split"))
        raw.step_budget = unsigned("step_budget", options.pop("step_budget"))
        raw.report_passes = unsigned("report_passes", options.pop("report_passes"))
        for kind, most in (options.pop("budgets") or {}).items():
            raw.budgets[named(NEEDS, "budgets", kind)] = unsigned("budgets", most)

    def set_program(self, data: bytes) -> None:
        """The program to make the graph from."""
        self._data = data
        self.raw.program, self.raw.program_bytes = data, len(data)


class GraphWork(Work):
    """A graph as work: `submit_many` of a context takes it."""

    def __init__(self, context: Context, run: Run, launched: "Launched", **keywords: Any):
        super().__init__(None, context=context, **keywords)
        self.run, self.launched, self.name = run, launched, launched.program.name
        self._given = dict(launched.given)
        self.raw.type = abi.ENUMS["task_type"]["GRAPH"]
        self.raw.graph = ctypes.pointer(run.raw)

    @property
    def pass_names(self) -> Sequence[str]:
        """Names of its passes by number, as far as they are known before it runs."""
        return self.launched.program.pass_names

    @property
    def held(self) -> Tuple[Any, ...]:
        """What must live as long as the task."""
        return (*super().held, self.launched, self._given)

    def post(self, timeout: float) -> GraphTask:
        """Posts it; waits at most `timeout` seconds for room in the channel. Raises Error."""
        task = self.context.submit_many([self], timeout)[0]
        assert isinstance(task, GraphTask)
        return task

    def make_task(self, pointer: Optional[int]) -> GraphTask:
        """The task of it."""
        return GraphTask(self, pointer)


class Launched:
    """A program on a context: with the kernels that it found, and the arguments it is given."""

    def __init__(self, program: "Program", context: Context, kernels: Mapping[str, Kernel]):
        """Raises Error ERR_HANDLE: a buffer of the program is of another device, or was freed."""
        self.program, self.context = program, context
        for at, one in enumerate(program.inputs):
            check_device(context.handle, one, f"buffer{at}")
        self.kernels = [self._kernel(state, kernels) for state in program.states]
        self.given: Dict[str, Any] = {}
        self.sizes = [one.nbytes for one in program.resources]

    def _kernel(self, state: "State", kernels: Mapping[str, Kernel]) -> Kernel:
        """The loaded kernel of a state. Raises Error ERR_KERNEL_NAME."""
        found = state.found
        if found is not None and found.module is not None and \
                found.module.context.pointer == self.context.pointer:
            return found
        if state.kernel not in kernels:
            raise Error("ERR_KERNEL_NAME", f"No module that is given has a kernel '{state.kernel}': "
                        "give the one that has it (modules=, or --elf).",
                        "kernel", state.kernel)
        return kernels[state.kernel]

    def take(self, given: Mapping[str, Any], all_of_them: bool) -> List[int]:
        """Arguments as words. Raises Error ERR_ARGUMENT, ERR_ARGUMENT_COUNT, ERR_HANDLE."""
        names = [one.name for one in self.program.arguments]
        for name in given:
            if name not in names:
                raise Error("ERR_ARGUMENT", f"The graph has the arguments {', '.join(names)}.",
                            "argument", name)
        for name in names:
            if all_of_them and name not in given:
                raise Error("ERR_ARGUMENT_COUNT", f"The argument '{name}' is missing: the graph has "
                            f"the arguments {', '.join(names)}.", "argument", name)
        for name, one in given.items():
            check_device(self.context.handle, one, name)
        self.given = {**self.given, **given}
        return [argument_word(given.get(name, 0)) for name in names]

    def bind_sizes(self) -> None:
        """Arguments whose size the graph does not say are as large as the buffers given, or 4."""
        for at, one in enumerate(self.program.resources):
            if one.kind == "ARGUMENT" and not one.nbytes:
                given = self.given.get(self.program.arguments[one.argument].name)
                self.sizes[at] = getattr(given, "nbytes", 0) or 4

    def check_sizes(self) -> None:
        """Buffers that are given must be as large as the graph takes them to be. Raises Error
        ERR_GRAPH_RESOURCE."""
        for at, one in enumerate(self.program.resources):
            name = self.program.arguments[one.argument].name if one.kind == "ARGUMENT" else None
            have = getattr(self.given.get(name), "nbytes", None) if name else None
            if have is not None and have < self.sizes[at]:
                raise Error("ERR_GRAPH_RESOURCE",
                            f"The graph takes at least {self.sizes[at]} bytes.", name, have)

    def _state(self, at: int) -> bytes:
        state, raw = self.program.states[at], structs.TmdBytes()
        work = Work(self.kernels[at], grid=state.grid, block=state.block,
                    args=[local(nbytes) for nbytes in state.local], **dict(state.keywords))
        self.context.handle.call("gg_graph_state", ctypes.byref(work.raw), ctypes.byref(raw))
        return bytes(raw)

    def encode(self) -> bytes:
        """The program with its states, and with kernels that copy and fill if it needs them."""
        program = self.program.copy()
        program.resources = [one._replace(nbytes=size)
                             for one, size in zip(program.resources, self.sizes)]
        states = [self._state(at) for at in range(len(program.states))]
        if program.moves_much:
            two = [structs.TmdBytes(), structs.TmdBytes()]
            self.context.call("gg_graph_moves", *(ctypes.byref(one) for one in two))
            program.copy_state, program.fill_state = len(states), len(states) + 1
            states += [bytes(one) for one in two]
        return program.encode(states)
