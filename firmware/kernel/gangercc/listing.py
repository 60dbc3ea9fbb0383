# SPDX-License-Identifier: Apache-2.0
"""Functions of a module from its disassembly: frames, calls, and what cannot be known."""
import re
from bisect import bisect_right
from dataclasses import dataclass, field

from .image import SHARED

LINE = re.compile(r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)(?:\t([^#<]*))?")
JUMPS = {"jal", "c.jal", "c.j", "beq", "bne", "blt", "bge", "bltu", "bgeu", "c.beqz", "c.bnez"}
STORE = re.compile(r"(c\.)?f?s[bhwdq](sp)?$")
LINKS = {"ra", "t0"}  # registers that hold return addresses
# libgcc's prologues and epilogues: what they take from the stack belongs to their caller.
SAVE = re.compile(r"__riscv_(save|restore)_\d+$")
SAVE_BYTES = {32: 64, 64: 112}


@dataclass
class Function:
    name: str
    address: int
    frame: int = 0           # bytes that it takes from the stack
    callees: set = field(default_factory=set)  # addresses of functions
    unknown: str = ""        # why its frame or its callees are not known
    shared: list = field(default_factory=list)  # symbols of shared variables that it uses


def number(text):
    return int(text, 0)


class Frame:
    """Follows sp and constants in registers through a function, from top to bottom."""

    def __init__(self, function):
        self.function = function
        self.constants = {}

    def step(self, operation, operands):
        operation = operation.removeprefix("c.")
        if operands and operands[0] == "sp":
            self.step_sp(operation, operands[1:])
        elif operation in ("lui", "li"):
            self.constants[operands[0]] = self.load(operation, operands)
        elif operation in ("addi", "addiw") and len(operands) > 1:
            self.step_constant(operands[0], operands[-2] if len(operands) > 2 else operands[0],
                               operands[-1])
        elif operands:
            self.constants.pop(operands[0], None)

    @staticmethod
    def load(operation, operands):
        value = number(operands[1])
        if operation == "li":
            return value
        return ((value << 12) ^ 0x80000000) - 0x80000000 if value < 1 << 20 else value << 12

    def step_constant(self, target, source, text):
        base = 0 if source == "zero" else self.constants.get(source)
        self.constants.pop(target, None)
        if base is not None and re.fullmatch(r"-?(0x)?[0-9a-f]+", text):
            self.constants[target] = base + number(text)

    def step_sp(self, operation, sources):
        """sp is the target. Only what takes from the stack counts; what gives back does not."""
        if operation in ("addi", "addi16sp"):
            if sources[0] == "sp" or len(sources) == 1:
                self.take(-number(sources[-1]))
        elif operation in ("add", "sub") and (len(sources) == 1 or sources[0] == "sp"):
            value = self.constants.get(sources[-1])
            if value is None:
                self.function.unknown = "takes a variable amount of stack (alloca, variable-length array)"
            else:
                self.take(value if operation == "sub" else -value)
        elif operation == "andi" and sources[0] == "sp":
            self.take(-number(sources[1]))
        elif re.fullmatch(r"s\d+", sources[0]) and (operation == "mv" or operation in ("add", "sub") and sources[-1] in self.constants):
            pass  # the frame pointer, and a constant where the frame is large: sp comes back
        elif operation in ("lw", "ld"):
            pass  # the runtime switches to another stack
        else:
            self.function.unknown = f"changes sp in an unknown way ({operation})"

    def take(self, amount):
        self.function.frame += max(amount, 0)


class Listing:
    """`functions`: by address. Needs the text of objdump -d -M no-aliases."""

    def __init__(self, image, text):
        self.end = image.value("__ganger_code_end")
        self.functions = self.find_functions(image)
        self.starts = sorted(self.functions)
        self.page = {}  # register: value, if the instruction before was an auipc
        for r in image.relocations:
            if r.type in SHARED and r.offset < self.end:
                self.function_of(r.offset).shared.append(r.symbol)
        self.read(text)
        for function in self.functions.values():
            if SAVE.match(function.name):
                function.frame, function.callees, function.unknown = 0, set(), ""
            elif any(self.functions[c].name.startswith("__riscv_save_") for c in function.callees):
                function.frame += SAVE_BYTES[image.xlen]

    def find_functions(self, image):
        """Functions of C, and global labels of assembly."""
        found = {}
        for s in image.symbols:
            label = s.type == "STT_NOTYPE" and s.binding == "STB_GLOBAL" and s.value not in found
            if isinstance(s.section, int) and s.value < self.end and (s.type == "STT_FUNC" or label):
                found[s.value] = Function(s.name, s.value)
        return found

    def function_of(self, address):
        return self.functions[self.starts[bisect_right(self.starts, address) - 1]]

    def read(self, text):
        current, frame = None, None
        for match in filter(None, map(LINE.match, text.splitlines())):
            address = int(match.group(1), 16)
            if not self.starts[0] <= address < self.end:
                continue
            function = self.function_of(address)
            if function is not current:
                current, frame = function, Frame(function)
            operands = [o.strip() for o in (match.group(3) or "").split(",") if o.strip()]
            operation = match.group(2)
            self.follow(function, address, operation, operands)
            if operation not in JUMPS and not STORE.match(operation):
                frame.step(operation, operands)

    def follow(self, function, address, operation, operands):
        """Adds the function to which an instruction goes, if it leaves this one."""
        # A branch may compare ra, which clang uses like any other register.
        links = operation in ("c.jal", "c.jalr") or operation in ("jal", "jalr") and operands[0] == "ra"
        if operation in JUMPS:
            self.add_callee(function, int(operands[-1], 16), links)
        elif operation in ("jalr", "c.jalr", "c.jr"):
            self.follow_register(function, operation, operands, links)
        self.page = {}
        if operation == "auipc":
            self.page = {operands[0]: address + (number(operands[1]) ^ 0x80000) * 4096 - (0x80000 << 12)}

    def follow_register(self, function, operation, operands, links):
        """A call with auipc and jalr side by side goes to a known place, other ones through a pointer."""
        offset, _, register = operands[-1].rstrip(")").rpartition("(")
        if operation == "jalr" and register in self.page:
            self.add_callee(function, self.page[register] + number(offset), links)
        elif not self.is_return(operation, operands):
            function.unknown = function.unknown or "calls through a pointer"

    @staticmethod
    def is_return(operation, operands):
        if operation == "c.jr":
            return operands[0] in LINKS
        return (operation == "jalr" and operands[0] == "zero"
                and operands[1].partition("(")[2].rstrip(")") in LINKS)

    def add_callee(self, function, address, links):
        """A jump inside a function is no call, nor is one to its own start without a link."""
        callee = self.function_of(address)
        if callee is not function or links:
            function.callees.add(callee.address)
