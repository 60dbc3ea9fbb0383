# SPDX-License-Identifier: Apache-2.0
"""Operations of graph programs: numbers from the ABI, and what each operand means (S2-Q1, S2-Q2)."""

from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple

from .. import abi
from ..errors import Error

OPS: Dict[str, int] = abi.ENUMS["graph_op"]
NAMES: Dict[int, str] = {number: name for name, number in OPS.items()}
NEEDS: Dict[str, int] = {name.lower(): number for name, number in abi.ENUMS["graph_need"].items()}
KINDS: Dict[str, int] = abi.ENUMS["graph_resource_kind"]
NONE = 255       # An operand that is left out.
VARIABLES = 64   # Of a program.
ARGUMENTS = 64   # Of a graph.
PASSES = 65535   # Of a graph.
STEPS = 65536    # Of a program.
DEFINITIONS = STATES = 256
RESOURCES = 16384
BLOCK_COMMANDS = 16    # Commands of a pass.
ARGUMENT_BYTES = 256   # Of the argument block of a command.
ARGUMENT_BLOCKS = 64   # Blocks of so many bytes at the start of the work space.
SMALL_BYTES = 4096     # What the CP copies or fills itself; more takes a kernel.
STEP_BUDGET = 1_000_000

INTEGER, RESOURCE = "int", "buffer"  # Types of variables.


class Role(NamedTuple):
    """What an operand is: a variable of a type that is read or written, which may be left out, or
    else a number of a kind."""
    kind: str
    type: Optional[str] = None
    optional: bool = False

    @property
    def is_variable(self) -> bool:
        """Whether it is the number of a variable."""
        return self.kind in ("to", "from")


UNUSED = Role("unused")
TO, TO_R, TO_ANY = Role("to", INTEGER), Role("to", RESOURCE), Role("to")
OF, OF_R, OF_ANY = Role("from", INTEGER), Role("from", RESOURCE), Role("from")
MAY = Role("from", INTEGER, True)
BYTES, NEED, NUMBER = Role("bytes"), Role("need"), Role("number")


class Op(NamedTuple):
    """Operands of an operation; `imm_without`: imm counts only where that operand is left out."""
    a: Role = UNUSED
    b: Role = UNUSED
    c: Role = UNUSED
    imm: Role = UNUSED
    imm_without: Optional[str] = None


_THREE, _JUMP = Op(TO, OF, OF), Op(OF, OF, imm=Role("step"))
TABLE: Dict[str, Op] = {
    "END": Op(), "SET": Op(TO, imm=NUMBER), "MOVE": Op(TO_ANY, OF_ANY),
    **{name: _THREE for name in
       ("ADD", "SUB", "MUL", "DIV", "REM", "AND", "OR", "XOR", "SHL", "SHR", "MIN", "MAX")},
    "ADDI": Op(TO, OF, imm=NUMBER), "ARGUMENT": Op(TO, imm=Role("argument")),
    "LOAD": Op(TO, OF_R, MAY, NUMBER), "RESOURCE": Op(TO_R, imm=Role("resource")),
    "INDEX": Op(TO_R, OF, imm=Role("base")), "NEXT": Op(TO), "JUMP": Op(imm=Role("step")),
    "JEQ": _JUMP, "JNE": _JUMP, "JLT": _JUMP, "JGE": _JUMP,
    "INVOKE": Op(imm=Role("definition")), "READ": Op(OF_R), "WRITE": Op(OF_R), "SHARE": Op(OF_R),
    "AFTER": Op(OF), "AFTERI": Op(imm=Role("pass")), "NEED": Op(b=OF, c=NEED),
    "SIZE": Op(OF_R, OF), "STATE": Op(imm=Role("state")), "GRID": Op(MAY, MAY, MAY),
    "VALUE": Op(OF, c=BYTES), "CONST": Op(c=BYTES, imm=NUMBER),
    "PARAMETER": Op(c=BYTES, imm=Role("argument")),
    "ADDRESS": Op(OF_R, MAY, imm=NUMBER, imm_without="b"), "DISPATCH": Op(),
    "COPY": Op(OF_R, OF_R, MAY, NUMBER, "c"), "FILL": Op(OF_R, OF, MAY, NUMBER, "c"),
    "SIGNAL": Op(OF_R, OF, imm=Role("word")), "FENCE": Op(),
}
COMMANDS = frozenset(("DISPATCH", "COPY", "FILL", "SIGNAL", "FENCE"))  # S2-R30.
JUMPS = frozenset(("JUMP", "JEQ", "JNE", "JLT", "JGE"))


class Step(NamedTuple):
    """One instruction, 8 bytes; imm is 0 to 2**32 - 1."""
    op: int
    a: int = 0
    b: int = 0
    c: int = 0
    imm: int = 0

    @property
    def name(self) -> str:
        """Name of its operation; "" for a number that the ABI does not have."""
        return NAMES.get(self.op, "")

    def roles(self) -> Tuple[Role, Role, Role, Role]:
        """What its operands are, in the order a, b, c, imm. There is such an operation."""
        table = TABLE[self.name]
        without = table.imm_without is None or getattr(self, table.imm_without) == NONE
        return table.a, table.b, table.c, table.imm if without else UNUSED


def step(name: str, a: int = 0, b: int = 0, c: int = 0, imm: int = 0) -> Step:
    """A step by the name of its operation; a negative imm becomes two's complement."""
    return Step(OPS[name], a, b, c, imm & 0xffffffff)


def signed(word: int) -> int:
    """32 bits as a signed number."""
    word &= 0xffffffff
    return word - (1 << 32) if word & 0x80000000 else word


def has_form(one: Step, types: Sequence[str]) -> bool:
    """Whether the assembler's form has words for a step: its variables exist and are of the right types, and what it
    does not use is 0. types: of the program's variables."""
    if one.op not in NAMES:
        return False
    for role, value in zip(one.roles(), one[1:]):
        if role.is_variable and not (role.optional and value == NONE):
            if value >= len(types) or role.type not in (None, types[value]):
                return False
        elif (role is UNUSED and value) or (role is NEED and value >= len(NEEDS)):
            return False
    return one.name != "MOVE" or types[one.a] == types[one.b]


class Place(NamedTuple):
    """Where something stands in a text, from 1, and what it is called; 0: not in a text."""
    line: int = 0
    column: int = 0
    name: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}" if self.line else ""
        return " of ".join(part for part in (where, self.name) if part)


def graph_error(status: str, place: Place, message: str, value: Any = None, field: str = "text") -> Error:
    """An Error of the host about a text or a graph: place and message; value: the word, or the number
    of the step, as field says."""
    error = Error(status, f"{place}: {message}" if str(place) else message,
                  field if value is not None else None, value)
    error.line, error.column = place.line, place.column
    return error
