# SPDX-License-Identifier: Apache-2.0
"""Worst stack of an image, from its disassembly: frames and calls, also after link-time optimisation.

An indirect call may go to the functions in the constant tables that its function names, itself or in what it calls,
directly or through further tables, and to those whose address the code computes; to any function whose address is
taken when it names no table. Such
calls are followed to a depth of INDIRECT. Recursion is not allowed, and is reported.
"""
import re
import subprocess

INDIRECT = 2
FUNCTION = re.compile(r"^[0-9a-f]+ <([^>+]+)>:$")
INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\s")
# Labels of the assembler inside a function are not functions: only symbols of type function are.
TARGET = re.compile(r"<([^>+]+)>\s*$")
DATUM = re.compile(r"<([^>+]+)(?:\+0x[0-9a-f]+)?>\s*$")
FRAME = re.compile(r"\baddi?\s+sp,sp,-(\d+)")
WIDE_FRAME = re.compile(r"\bsub\s+sp,sp,(\w+)")
CONSTANT = re.compile(r"\b(?:li|lui)\s+(\w+),(0x[0-9a-f]+|\d+)")
JUMP = re.compile(r"\s(jal|j|jr|jalr|call|tail|b\w+)\s")
RETURN = re.compile(r"\s(ret|mret|jr\s+ra)\b")


MILLICODE = "__riscv_"  # saves and restores registers for its caller, and returns by t0


class Function:
    def __init__(self):
        self.frame = 0
        self.calls = set()
        self.takes = set()
        self.data = set()
        self.indirect = False


def read_line(function, name, line, functions, constants):
    """Adds what one instruction says about the function's stack."""
    constant = CONSTANT.search(line)
    if constant:
        shift = 12 if "lui" in line else 0
        constants[constant.group(1)] = int(constant.group(2), 0) << shift
    if FRAME.search(line):
        function.frame += int(FRAME.search(line).group(1))
    elif WIDE_FRAME.search(line):
        function.frame += constants.get(WIDE_FRAME.search(line).group(1), 0)
    target = TARGET.search(line)
    known = target and target.group(1) in functions and target.group(1) != name
    if JUMP.search(line) and not RETURN.search(line):
        if known:
            function.calls.add(target.group(1))
        elif re.search(r"\s(jr|jalr)\s", line) and not target and not name.startswith(MILLICODE):
            function.indirect = True
    elif known:
        function.takes.add(target.group(1))
    elif DATUM.search(line):
        function.data.add(DATUM.search(line).group(1))


def read(objdump, path, names):
    """Functions of an image by name."""
    functions = {name: Function() for name in names}
    done = subprocess.run([objdump, "-d", "--no-show-raw-insn", str(path)], text=True,
                          capture_output=True, check=True)
    name, constants = None, {}
    for line in done.stdout.splitlines():
        start = FUNCTION.match(line)
        if start and start.group(1) in functions:
            name, constants = start.group(1), {}
        elif name and INSTRUCTION.match(line):
            read_line(functions[name], name, line, functions, constants)
    return functions


def worst(functions, taken, tables):
    """Worst stack of each function in bytes, and the functions that call themselves.

    taken: functions whose address is taken anywhere; tables: datum: functions that its words lead to."""
    recursive, handlers, deepest = set(), 0, {}
    made = taken & set().union(*(function.takes for function in functions.values()))

    def called(function):
        data = function.data.union(*(functions[callee].data for callee in function.calls))
        named = set().union(*(tables.get(datum, ()) for datum in data)) & taken
        return max((deepest.get(name, 0) for name in named | made), default=0) if named else handlers

    def depth(name, path, known):
        if name in path:
            recursive.add(name)
            return 0
        if name not in known:
            function = functions[name]
            deeper = [depth(callee, path | {name}, known) for callee in function.calls]
            known[name] = function.frame + max(deeper + [called(function) if function.indirect else 0])
        return known[name]

    for _ in range(INDIRECT + 1):
        known = {}
        for name in functions:
            depth(name, frozenset(), known)
        deepest = known
        handlers = max((known[name] for name in taken if name in known), default=0)
    return known, recursive
