# SPDX-License-Identifier: Apache-2.0
"""OpenCL C's printf (1.2, 6.12.13) in LLVM's text.

Each call goes to a function of its own, with the same arguments, which builds a record with the functions
of ganger_print.h: from the conversions of the format, which is a constant, and the types of the
arguments. So the record is in a frame that can be measured, and only while it is built.

clang passes a vector as it does to every variable argument: as an integer of at least XLEN bits if it
has no more than twice XLEN bits, else by its address.
"""
import re
import sys

from .errors import KernelError
from .opencl_types import IrTypes, split

CALL = re.compile(r"^( +(?:%[\w.]+ = )?(?:tail |notail )?call )([^@\n]*)i32 \(i8\*, \.\.\.\) @printf\(")
DECLARATION = re.compile(r"^declare [^@\n]*@printf\(.*\n", re.M)
STRING = re.compile(r'^(@[\w.$]+|@"[^"\n]+") = [^\n"]*\bconstant \[\d+ x i8\] (?:c"([^"]*)"|(zeroinit))', re.M)
ADDRESS = re.compile(r'getelementptr inbounds \(\[\d+ x i8\], \[\d+ x i8\]\* (@[\w.$]+|@"[^"]+"), '
                     r"i\d+ 0, i\d+ (\d+)\)$")
ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})")
# Flags, width, precision, elements of a vector, length, letter
CONVERSION = re.compile(r"%(?:%|([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?(?:v(\d+))?(hh|hl|ll|[hljzt])?(.?))", re.S)
SIGNED, INTEGERS, REALS = "di", "diouxX", "fFeEgGaA"
LENGTHS = {"": INTEGERS + REALS + "cps", "l": INTEGERS + REALS,
           **dict.fromkeys(("hh", "h", "ll", "j", "z", "t"), INTEGERS)}
# Bits of an element, by length; of a real number without one it depends on the argument.
VECTOR_INTEGERS = {"hh": (8,), "h": (16,), "hl": (32,), "": (32,), "l": (64,)}
VECTOR_REALS = {"hl": (32,), "": (32, 64), "l": (64,)}
VECTOR_SIZES = (2, 3, 4, 8, 16)
FORMAT_MAX = 4096  # that the host reads
RECORD_BYTES, HEADER_BYTES = 256, 16  # GANGER_PRINT_BYTES, GANGER_PRINT_HEADER
KIND_INTEGER, KIND_FLOAT = 1, 2       # GANGER_PRINT_INTEGER, GANGER_PRINT_FLOAT
RUNTIME = """
declare void @ganger_print_begin(i8*, i8*)
declare void @ganger_print_i64(i8*, i64)
declare void @ganger_print_f64(i8*, double)
declare void @ganger_print_pointer(i8*, i8*)
declare void @ganger_print_str(i8*, i8*)
declare void @ganger_print_slot(i8*, i32 signext, i8*, i32 signext)
declare signext i32 @ganger_print_end(i8*)
"""


def strings(text):
    """Constant strings by name, with what is behind their 0."""
    def decoded(content):
        return ESCAPE.sub(lambda m: chr(int(m.group(1), 16)), content)
    return {name: "\0" if zero else decoded(content) for name, content, zero in STRING.findall(text)}


def closing(line, start):
    """Index of the bracket that closes the one before `start`."""
    depth = 1
    for place in range(start, len(line)):
        depth += (line[place] == "(") - (line[place] == ")")
        if not depth:
            return place
    raise KernelError("printf: this call is not supported")


def reals(bits):
    return "float" if bits == 32 else "double"


class Function:
    """The function of one call, as it is written. `types`: of the arguments, the format included."""

    def __init__(self, format_, types, xlen):
        self.format = format_
        self.types = types
        self.xlen = xlen
        self.lines = []
        self.next = 1      # argument
        self.values = 0    # of the largest vector
        self.bytes = HEADER_BYTES
        for match in CONVERSION.finditer(format_):
            if match.group() != "%%":
                self.convert(match)

    def error(self, conversion, why):
        shown = self.format.encode("unicode_escape").decode()
        return KernelError(f'printf("{shown}"): {conversion + " " if conversion else ""}{why}')

    def take(self, conversion):
        """(name, type) of the next argument."""
        if self.next == len(self.types):
            raise self.error(conversion, "has no argument")
        self.next += 1
        return f"%a{self.next - 1}", self.types[self.next - 1]

    def emit(self, text):
        name = f"%x{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def slot(self, function, value, bytes_=8):
        """A call that adds a slot to the record."""
        self.bytes += 4 + bytes_
        self.lines.append(f"call void @ganger_print_{function}(i8* %record, {value})")

    def convert(self, match):
        _flags, width, precision, elements, length, letter = match.groups()
        conversion = match.group().encode("unicode_escape").decode()
        for number in (width, precision):
            if number == "*":
                self.integer(conversion, True)
        if elements is not None:
            self.vector(conversion, int(elements), length or "", letter)
        elif not letter or letter not in LENGTHS.get(length or "", ""):
            raise self.error(conversion, "is not supported")
        elif letter in INTEGERS + "c":
            self.integer(conversion, letter in SIGNED)
        elif letter in REALS:
            self.real(conversion)
        else:
            self.pointer(conversion, letter)

    def integer(self, conversion, signed):
        name, type_ = self.take(conversion)
        if type_ not in ("i32", "i64"):
            raise self.error(conversion, "needs an integer")
        self.slot("i64", "i64 " + self.extended(name, type_, signed))

    def extended(self, name, type_, signed):
        return name if type_ == "i64" else self.emit(f"{'sext' if signed else 'zext'} {type_} {name} to i64")

    def real(self, conversion):
        name, type_ = self.take(conversion)
        if type_ not in ("float", "double"):
            raise self.error(conversion, "needs a floating-point number")
        self.slot("f64", "double " + self.widened(name, type_))

    def widened(self, name, type_):
        return name if type_ == "double" else self.emit(f"fpext float {name} to double")

    def pointer(self, conversion, letter):
        name, type_ = self.take(conversion)
        if not type_.endswith("*") or (letter == "s" and type_ != "i8*"):
            raise self.error(conversion, "needs a " + ("string" if letter == "s" else "pointer"))
        value = name if type_ == "i8*" else self.emit(f"bitcast {type_} {name} to i8*")
        # A string may have no byte at all.
        self.slot("str" if letter == "s" else "pointer", f"i8* {value}", 0 if letter == "s" else 8)

    def passed(self, count, element):
        """(type of the value, type that clang gives its argument) of a vector."""
        bits = (count + count % 2) * int({"float": 32, "double": 64}.get(element) or element[1:])
        vector = f"<{count + count % 2} x {element}>"  # a vector of three takes the room of four
        if bits > 2 * self.xlen:
            return vector, f"<{count} x {element}>*"
        return vector, f"i{max(bits, self.xlen)}"

    def vector(self, conversion, count, length, letter):
        real = letter in REALS and letter != ""
        sizes = (VECTOR_REALS if real else VECTOR_INTEGERS).get(length)
        if count not in VECTOR_SIZES or not sizes or not letter or letter not in INTEGERS + REALS:
            raise self.error(conversion, "is not supported")
        name, type_ = self.take(conversion)
        for bits in sizes:
            element = reals(bits) if real else f"i{bits}"
            vector, passed = self.passed(count, element)
            if type_ == passed:
                value = self.loaded(name, type_, vector)
                self.store(value, vector, element, count, letter in SIGNED)
                return
        kind = reals(sizes[-1]) + "s" if real else f"integers of {sizes[0]} bits"
        raise self.error(conversion, f"needs a vector of {count} {kind}")

    def loaded(self, name, type_, vector):
        """The argument as a vector, of four if it is one of three."""
        if type_.endswith("*"):
            place = self.emit(f"bitcast {type_} {name} to {vector}*")
            return self.emit(f"load {vector}, {vector}* {place}, align 8")
        types = IrTypes("", self.xlen)
        bits = 8 * types.size(vector)
        if int(type_[1:]) > bits:
            name = self.emit(f"trunc {type_} {name} to i{bits}")
        return self.emit(f"bitcast i{bits} {name} to {vector}")

    def store(self, value, vector, element, count, signed):
        """One slot with all values, each of 64 bits."""
        real = element in ("float", "double")
        self.values = max(self.values, count)
        for index in range(count):
            one = self.emit(f"extractelement {vector} {value}, i32 {index}")
            if real:
                one = self.emit(f"bitcast double {self.widened(one, element)} to i64")
            else:
                one = self.extended(one, element, signed)
            place = self.emit(f"getelementptr i64, i64* %values, i32 {index}")
            self.lines.append(f"store i64 {one}, i64* {place}, align 8")
        from_ = self.emit("bitcast i64* %values to i8*")
        self.slot("slot", f"i32 signext {KIND_FLOAT if real else KIND_INTEGER}, i8* {from_}, "
                  f"i32 signext {8 * count}", 8 * count)

    def text(self, parameters):
        """Its text behind the name. What did not fit is no success, either."""
        begin = [f"%space = alloca [{RECORD_BYTES // 8} x i64], align 8",
                 f"%values = alloca i64, i32 {self.values}, align 8" if self.values else "",
                 f"%record = bitcast [{RECORD_BYTES // 8} x i64]* %space to i8*",
                 "call void @ganger_print_begin(i8* %record, i8* %a0)"]
        end = ["%status = call signext i32 @ganger_print_end(i8* %record)",
               "%flags.at = getelementptr i8, i8* %record, i32 4",
               "%flags.word = bitcast i8* %flags.at to i32*",
               "%flags = load i32, i32* %flags.word, align 4",
               "%both = or i32 %status, %flags",
               "%failed = icmp ne i32 %both, 0",
               "%result = sext i1 %failed to i32",
               "ret i32 %result"]
        body = "\n".join("  " + line for line in begin + self.lines + end if line)
        return f"({', '.join(parameters)}) noinline nounwind {{\n{body}\n}}\n"


class Prints:
    """All calls of a text."""

    def __init__(self, text, xlen):
        self.xlen = xlen
        self.strings = strings(text)
        self.functions = {}  # names by text

    def format_of(self, argument):
        found = ADDRESS.search(argument)
        string = self.strings.get(found.group(1)) if found else None
        if string is None or "\0" not in string[int(found.group(2)):]:
            raise KernelError("printf: the format must be a constant string")
        format_ = string[int(found.group(2)):].partition("\0")[0]
        if len(format_) > FORMAT_MAX:
            raise KernelError(f"printf: the format is longer than {FORMAT_MAX:,} bytes")
        return format_

    def function(self, arguments, result):
        """Name of the function for a call."""
        types = [IrTypes.first(argument) for argument in arguments]
        made = Function(self.format_of(arguments[0]), types, self.xlen)
        if made.bytes > RECORD_BYTES:
            print(f"ganger-cc: note: {made.error('', f'does not fit into {RECORD_BYTES} bytes and will be cut')}",
                  file=sys.stderr)
        extensions = [re.match(r" (?:noundef )?((?:sign|zero)ext )?", argument[len(type_):]).group(1)
                      for argument, type_ in zip(arguments, types)]
        text = made.text([f"{type_} {extension or ''}%a{number}" for number, (type_, extension)
                          in enumerate(zip(types, extensions))])
        return self.functions.setdefault((result, text), f"@ganger_printf.{len(self.functions)}")

    def line(self, line):
        match = CALL.match(line)
        if not match:
            return line
        end = closing(line, match.end())
        arguments = line[match.end():end]
        name = self.function(split(arguments), match.group(2))
        return f"{match.group(1)}{match.group(2)}i32 {name}({arguments}{line[end:]}"


def connected(text, xlen):
    """The text with functions of its own in the place of printf."""
    if not DECLARATION.search(text):
        return text
    prints = Prints(text, xlen)
    text = "\n".join(map(prints.line, DECLARATION.sub("", text).split("\n")))
    made = [f"\ndefine internal {result}i32 {name}{body}"
            for (result, body), name in prints.functions.items()]
    return text + RUNTIME + "".join(made)
