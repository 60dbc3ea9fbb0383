# SPDX-License-Identifier: Apache-2.0
"""A public function is defined in the file of its header: x.h declares what x.c beside it defines.

A file absent.c, which stands for a part that is left out, may define what any header of its folder declares. An
interface with several implementations is a line of INTERFACES, a single exception one of ACCEPTED.
No .c file declares a public function by itself. Assembler files are not looked at.
"""
import re
import sys
from collections import defaultdict

import tree

ROOTS = ("firmware", "hal", "host/lib", "host/broker", "host/common", "host/opencl")
# Where headers are looked for: functions of a board's own drivers are declared in boards, public ones in host/include.
HEADER_ROOTS = (*ROOTS, "boards", "host/include")
# Kernels, and what is linked with them.
SKIPPED = ("firmware/kernel/",)
# Headers whose functions others define: header, or folder of headers: folders in which they may be defined.
INTERFACES = {
    "hal/": ("hal/drivers/", "hal/riscv/"),
    "hal/entry.h": ("firmware/cp/",),
    "host/include/": ("host/lib/",),
}
# Function: why it is declared elsewhere, or nowhere.
ACCEPTED = {
    "main": "the C library calls it",
    "__assert_func": "the C library's assert() calls it",
    "__mulsi3": "the compiler calls it for a product where there is no multiplication",
    "__udivdi3": "the compiler calls it for a division of 64-bit numbers",
    "__umoddi3": "the compiler calls it for the rest of one",
}
# Functions of OpenCL, which its own headers declare.
OPENCL = re.compile(r"cl[A-Z]\w+$")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
EXTERN_C = re.compile(r"\bextern\s+\{")  # its string is blank by then
HEAD = re.compile(r"^[\w\s*]*?\b(\w+)\s*\((?!\s*\*)")


def top_level(content):
    """(offset, text, end) of each declaration and definition outside of braces; end is `;` or `{`."""
    code = DIRECTIVE.sub(tree.blank, tree.code_only(content))
    code = ATTRIBUTE.sub(tree.blank, EXTERN_C.sub(tree.blank, code))
    start, depth = 0, 0
    for match in re.finditer(r"[{};]", code):
        sign = match.group()
        if depth == 0 and sign != "}":
            yield start, code[start:match.start()], sign
        depth = max(0, depth + {"{": 1, "}": -1}.get(sign, 0))
        if depth == 0:
            start = match.end()


def functions(content):
    """(name, line, whether it is defined here, whether it is static) of each function of a C text."""
    for offset, text, end in top_level(content):
        head = HEAD.match(text)
        words = text[:head.start(1)].split() if head else ()
        # A macro that stands alone has no type in front of its name.
        if words and "=" not in text and not {"typedef", "return"} & set(words):
            line = tree.line_of(content, offset + head.start(1))
            yield head.group(1), line, end == "{", "static" in words


def is_home(header, path):
    """Whether a function that a header declares may be defined in a file."""
    if path.name == "absent.c" or path.parent.name == "none":
        return header.parent in (path.parent, path.parent.parent)
    places = INTERFACES.get(header.as_posix(), INTERFACES.get(header.parent.as_posix() + "/", ()))
    return header == path.with_suffix(".h") or path.as_posix().startswith(tuple(places))


def read(root):
    """Functions of all headers and sources: (file, name, line, whether it is defined, whether it is static)."""
    for path in tree.files(root, {".c", ".h"}, HEADER_ROOTS):
        if not path.as_posix().startswith(SKIPPED):
            for function in functions(tree.text(root, path)):
                yield (path, *function)


def problems_of(root):
    """What is wrong with each public function that is not at home."""
    public = [f for f in read(root) if not f[4] and f[1] not in ACCEPTED and not OPENCL.match(f[1])]
    declared = defaultdict(set)
    for path, name, _, is_definition, _ in public:
        if path.suffix == ".h" and not is_definition:
            declared[name].add(path)
    for path, name, line, is_definition, _ in public:
        headers = declared[name]
        if path.suffix == ".h" or not path.as_posix().startswith(tuple(f"{folder}/" for folder in ROOTS)):
            continue
        if not is_definition:
            yield f"{path}:{line}: {name}() is declared in a source: include its header"
        elif not any(is_home(header, path) for header in headers):
            where = ", ".join(sorted(map(str, headers))) or "no header"
            yield f"{path}:{line}: {name}() is declared in {where}, not in {path.with_suffix('.h')}"


if __name__ == "__main__":
    sys.exit(tree.check(__doc__, problems_of, "every public function is where its header says"))
