# SPDX-License-Identifier: Apache-2.0
"""Graph programs: what generates a task graph (S2-R1), and their form in the device's memory."""

import json
import struct
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .. import abi
from ..errors import Error
from ..kernels import Kernel
from ..typed import Json
from .isa import (ARGUMENTS, DEFINITIONS, INTEGER, KINDS, RESOURCE, RESOURCES, STATES, STEPS,
                  VARIABLES, Place, Step)
from .launch import Launchable

MAGIC, VERSION = 0x50474747, 1
NO_STATE = 0xffffffff
HEADER_BYTES = abi.BLOCKS["graph_program"][0]
STATE_BYTES = abi.BLOCKS["tmd"][0]
_HEADER, _STEP = struct.Struct("<16I2I"), struct.Struct("<BBBBI")
_DEFINITION, _RESOURCE = struct.Struct("<4I"), struct.Struct("<IIQQ")
# Tables of the header in its order: name, bytes of an entry, most entries.
_TABLES = (("steps", _STEP.size, STEPS), ("definitions", _DEFINITION.size, DEFINITIONS),
           ("states", STATE_BYTES, STATES), ("resources", _RESOURCE.size, RESOURCES))
# Keywords of ganger.Work that a state may have.
STATE_KEYWORDS = ("cluster", "cluster_in", "mode", "chunk", "gpcs", "sequential", "throttle",
                  "quota", "retry_limit", "stack_bytes", "correlation", "time_limit_ms")
KIND_NAMES = {number: name for name, number in KINDS.items()}


class Argument(NamedTuple):
    """An argument of the graph: its name, and "int" or "buffer"."""
    name: str
    type: str = INTEGER


class Resource(NamedTuple):
    """A resource. kind: "ARGUMENT", "FIXED", "TRANSIENT", "NONE"; argument: its number; address: of
    FIXED, or added to the argument; nbytes: 0 of a transient whose size the program sets, or of an
    argument whose size is that of the buffer which is given."""
    name: str
    kind: str = "TRANSIENT"
    argument: int = 0
    address: int = 0
    nbytes: int = 0


class Definition(NamedTuple):
    """A pass definition: steps first … first + count - 1."""
    name: str
    first: int
    count: int  # type: ignore[assignment]  # Also a method of tuples.
    id: int = 0


class State(NamedTuple):
    """Which kernel runs, and how (S2-R22): its name, the module's kernel or None, CTAs, threads,
    bytes of each `__local` parameter, and other keywords of ganger.Work, as sorted pairs."""
    kernel: str
    grid: Tuple[int, ...] = (1,)
    block: Tuple[int, ...] = (1,)
    local: Tuple[int, ...] = ()
    keywords: Tuple[Tuple[str, Any], ...] = ()
    found: Optional[Kernel] = None


class Program(Launchable):
    """A task graph specification program (S2-R19, S2-R26).

    steps, definitions, states, resources, arguments; types: of the variables ("int", "buffer");
    variables: their names; block_commands: pass commands of a block (S2-R47); unordered; places:
    where each step comes from; pass_names: names by pass number, where they are known; inputs:
    buffers that must live as long as the program.
    """

    def __init__(self, name: str = "graph"):
        self.name = name
        self.steps: List[Step] = []
        self.definitions: List[Definition] = []
        self.states: List[State] = []
        self.resources: List[Resource] = []
        self.arguments: List[Argument] = []
        self.types: List[str] = []
        self.variables: List[str] = []
        self.block_commands = 1
        self.unordered = False
        self.copy_state = self.fill_state = NO_STATE
        self.places: Dict[int, Place] = {}
        self.pass_names: List[str] = []
        self.moves_much = False  # It copies or fills more than the control processor does itself.
        self.inputs: List[Any] = []

    @property
    def program(self) -> "Program":
        """The program itself: all forms of graphs have this property."""
        return self

    def copy(self) -> "Program":
        """Another one with the same lists."""
        made = Program(self.name)
        vars(made).update(vars(self))
        return made

    def place(self, step: int) -> Place:
        """Where a step comes from."""
        return self.places.get(step, Place(name=f"step {step}"))

    def resource_name(self, number: int) -> str:
        """Name of a resource, or its number."""
        known = number < len(self.resources) and self.resources[number].name
        return known or f"resource {number}"

    def definition_at(self, step: int) -> Optional[int]:
        """Number of the definition that a step is in."""
        for number, one in enumerate(self.definitions):
            if one.first <= step < one.first + one.count:
                return number
        return None

    def encode(self, states: Optional[Sequence[bytes]] = None) -> bytes:
        """The program as the device takes it. states: a TMD for each state; None: zeros."""
        blank = bytes(STATE_BYTES)
        tables = [
            b"".join(_STEP.pack(*one) for one in self.steps),
            b"".join(_DEFINITION.pack(one.first, one.count, one.id, 0)
                     for one in self.definitions),
            b"".join(states if states is not None else [blank] * len(self.states)),
            b"".join(_RESOURCE.pack(KINDS[one.kind], one.argument, one.address, one.nbytes)
                     for one in self.resources)]
        offsets, at = [], HEADER_BYTES
        for table in tables:
            offsets.append(at)
            at += len(table)
        counts = [len(self.steps), len(self.definitions), len(tables[2]) // STATE_BYTES,
                  len(self.resources)]
        words = [word for pair in zip(offsets, counts) for word in pair]
        bits = sum(1 << number for number, one in enumerate(self.types) if one == RESOURCE)
        rules = self.block_commands | (256 if self.unordered else 0)
        header = _HEADER.pack(MAGIC, VERSION, at, rules, *words, len(self.types), self.copy_state,
                              self.fill_state, 0, bits & 0xffffffff, bits >> 32)
        return header + b"".join(tables)

    # ---- files ----

    def save(self) -> bytes:
        """A file: the program, and behind it, as JSON, what the device does not need."""
        names = {"name": self.name, "arguments": self.arguments, "variables": self.variables,
                 "states": [one._replace(found=None) for one in self.states],
                 "resources": [one.name for one in self.resources],
                 "definitions": [one.name for one in self.definitions],
                 "places": {str(step): place for step, place in self.places.items()},
                 "pass_names": self.pass_names, "moves_much": self.moves_much}
        return self.encode() + json.dumps(names).encode()

    @classmethod
    def load(cls, data: bytes) -> "Program":
        """From a file, or from what encode() gives. Raises Error ERR_GRAPH_FORMAT."""
        try:
            made, end = cls._decode(bytes(data))
            rest = bytes(data[end:])
            if rest:
                made._take_names(json.loads(rest))
        except (struct.error, ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
            raise Error("ERR_GRAPH_FORMAT", f"This is not a graph program: {error}.") from None
        return made

    @classmethod
    def _decode(cls, data: bytes) -> Tuple["Program", int]:
        words = _HEADER.unpack_from(data)
        if words[0] != MAGIC or words[1] != VERSION or not HEADER_BYTES <= words[2] <= len(data):
            raise ValueError("magic, version or size")
        tables = _tables(words, words[2])
        if words[12] > VARIABLES:
            raise ValueError(f"it has {words[12]} variables, {VARIABLES} are the most")
        made = cls()
        made.block_commands, made.unordered = words[3] & 255, bool(words[3] & 256)
        made.steps = [Step(*_STEP.unpack_from(data, at)) for at in tables["steps"]]
        for number, at in enumerate(tables["definitions"]):
            first, count, its_id, _zero = _DEFINITION.unpack_from(data, at)
            made.definitions.append(Definition(f"pass{number}", first, count, its_id))
        made.states = [State(f"kernel{number}") for number in range(len(tables["states"]))]
        for number, at in enumerate(tables["resources"]):
            kind, argument, address, nbytes = _RESOURCE.unpack_from(data, at)
            made.resources.append(
                Resource(f"r{number}", KIND_NAMES[kind], argument, address, nbytes))
        bits = words[16] | words[17] << 32
        made.types = [RESOURCE if bits >> at & 1 else INTEGER for at in range(words[12])]
        made.variables = [f"v{at}" for at in range(words[12])]
        made.copy_state, made.fill_state = words[13], words[14]
        used = [one.argument + 1 for one in made.resources if one.kind == "ARGUMENT"]
        used += [one.imm + 1 for one in made.steps if one.name in ("ARGUMENT", "PARAMETER")]
        buffers = {one.argument for one in made.resources if one.kind == "ARGUMENT"}
        made.arguments = [Argument(f"x{at}", RESOURCE if at in buffers else INTEGER)
                          for at in range(min(ARGUMENTS, max(used, default=0)))]
        return made, words[2]

    def _take_names(self, names: Json) -> None:
        """What save() wrote behind the program; all of it is checked before any of it is taken."""
        text, texts = _one_of(str), _list_of(str)
        found = {"name": text(names["name"]), "variables": texts(names["variables"]),
                 "arguments": [_argument(one) for one in names["arguments"]],
                 "states": [_state(one) for one in names["states"]],
                 "places": {int(step): Place(*_fields(place, (int, int, str)))
                            for step, place in _one_of(dict)(names["places"]).items()},
                 "pass_names": texts(names["pass_names"]),
                 "moves_much": _one_of(bool)(names["moves_much"])}
        resources, definitions = texts(names["resources"]), texts(names["definitions"])
        for what, made, count in (
                ("states", found["states"], len(self.states)),
                ("resources", resources, len(self.resources)),
                ("definitions", definitions, len(self.definitions)),
                ("variables", found["variables"], len(self.types))):
            if len(made) != count:
                raise ValueError(f"it names {len(made)} {what} and has {count}")
        vars(self).update(found)
        self.resources = [one._replace(name=name) for one, name in zip(self.resources, resources)]
        self.definitions = [one._replace(name=name)
                            for one, name in zip(self.definitions, definitions)]

    def __repr__(self) -> str:
        return f"<ganger.GraphProgram {self.name}: {len(self.steps)} steps, " \
               f"{len(self.definitions)} definitions, {len(self.resources)} resources>"


# ---- what a file says is checked before anything is made of it ----


def _tables(words: Sequence[int], end: int) -> Dict[str, range]:
    """Offsets of the entries of each table, which lies inside the program of `end` bytes."""
    found = {}
    for number, (name, nbytes, most) in enumerate(_TABLES):
        at, count = words[4 + 2 * number:6 + 2 * number]
        if count > most:
            raise ValueError(f"it has {count} {name}, {most} are the most")
        if count and at + count * nbytes > end:
            raise ValueError(f"the table of {name} lies outside of the program")
        found[name] = range(at, at + count * nbytes, nbytes)
    return found


def _one_of(kind: type) -> Callable[[Any], Any]:
    """A check: it returns a value of that type."""
    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"{str(value)[:40]!r} is no {kind.__name__}")
        return value
    return check


def _list_of(kind: type) -> Callable[[Any], List[Any]]:
    """A check: it returns a list of that type."""
    return lambda values: [_one_of(kind)(value) for value in _one_of(list)(values)]


def _fields(values: Any, kinds: Sequence[type]) -> Tuple[Any, ...]:
    """Values of these types, and as many."""
    if len(_one_of(list)(values)) != len(kinds):
        raise ValueError(f"{len(kinds)} values are expected, not {len(values)}")
    return tuple(_one_of(kind)(value) for kind, value in zip(kinds, values))


def _state(values: Any) -> State:
    """A state as save() writes it: kernel, grid, block, local, keywords, and null."""
    kernel, grid, block, local, keywords = _fields(values[:5], (str, list, list, list, list))
    numbers = _list_of(int)
    return State(kernel, tuple(numbers(grid)), tuple(numbers(block)), tuple(numbers(local)),
                 tuple(_keyword(*_one_of(list)(pair)) for pair in keywords))


def _keyword(name: Any, value: Any) -> Tuple[str, Any]:
    """A keyword of a state and its value: a list becomes a tuple again."""
    if name not in STATE_KEYWORDS:
        raise ValueError(f"a state has no {str(name)[:40]!r}")
    if type(value) is list:
        return name, tuple(_list_of(int)(value))
    if type(value) not in (bool, int, float, str):
        raise ValueError(f"{name} is {str(value)[:40]!r}")
    return name, value


def _argument(values: Any) -> Argument:
    """An argument as save() writes it."""
    made = Argument(*_fields(values, (str, str)))
    if made.type not in (INTEGER, RESOURCE):
        raise ValueError(f"{made.type[:40]!r} is no type of an argument")
    return made
