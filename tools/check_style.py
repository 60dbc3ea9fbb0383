# SPDX-License-Identifier: Apache-2.0
"""House rules that can be counted: sizes of files and functions, licence lines, goto, reminders."""
import ast
import re
import sys

import tree

FILE_LINES = 400  # above it a warning: a file is as long as what it is responsible for
FUNCTION_LINES = 60
LINE_CHARACTERS = 2000
CODE = {".c", ".h", ".S", ".py", ".sh", ".mk", ".ld", ".cl", "Makefile", "run", "ganger", "ganger-cc"}
LICENSED = CODE | {".rdl", ".clang-format", ".clang-tidy", "requirements.txt"}
TEXTS = LICENSED | {".md", ".txt", ".toml", ".svg", ".yml", ".json", ".clh", ".cpp", ".hpp",
                    ".pml", ".v", ".sv", ".f", ".lpf", ".gdb"}
LICENCE = "SPDX-License-Identifier: Apache-2.0"
# The words are put together from parts, so that the check does not find them in this file.
REMINDER = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX")) + r")\b")
GOTO = re.compile(r"\bgoto\b")


def warn_length(path, content):
    lines = len(content.splitlines())
    if lines > FILE_LINES:
        tree.warn(f"{path}: {lines} lines, more than {FILE_LINES}: has it one responsibility?")


def wide_problems(path, content):
    """Lines that no viewer and no diff shows, also in generated files."""
    for number, line in enumerate(content.splitlines(), 1):
        if len(line) >= LINE_CHARACTERS:
            yield f"{path}:{number}: a line of {len(line)} characters, fewer than {LINE_CHARACTERS} please"


def c_function_problems(path, content):
    """With the brace layout of .clang-format only functions have a brace in the first column."""
    start = None
    for number, line in enumerate(tree.code_only(content).splitlines(), 1):
        if line.startswith("{"):
            start = number
        elif line.startswith("}") and start is not None:
            if number - start + 1 > FUNCTION_LINES:
                yield f"{path}:{start}: function of {number - start + 1} lines, at most {FUNCTION_LINES}"
            start = None


def python_function_problems(path, content):
    for node in ast.walk(ast.parse(content, path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = node.end_lineno - node.lineno + 1
            if lines > FUNCTION_LINES:
                yield f"{path}:{node.lineno}: {node.name}() has {lines} lines, at most {FUNCTION_LINES}"


def licence_problems(path, content):
    if LICENCE not in "\n".join(content.splitlines()[:2]):
        yield f"{path}: no {LICENCE} in the first two lines"


def word_problems(path, content, pattern, what):
    for match in pattern.finditer(content):
        yield f"{path}:{tree.line_of(content, match.start())}: {what}"


def problems_of(root):
    for path in tree.files(root, TEXTS):
        name, content = path.as_posix(), tree.text(root, path)
        kinds = {path.suffix, path.name}
        if kinds & LICENSED:
            yield from licence_problems(name, content)
        yield from word_problems(name, content, REMINDER, "a reminder is left")
        yield from wide_problems(name, content)
        if tree.is_generated(content):
            continue
        if kinds & CODE:
            warn_length(name, content)
        if path.suffix in {".c", ".h"}:
            yield from c_function_problems(name, content)
            yield from word_problems(name, tree.code_only(content), GOTO, "goto")
        if path.suffix == ".py":
            yield from python_function_problems(name, content)


if __name__ == "__main__":
    sys.exit(tree.check(__doc__, problems_of, "sizes, licences and words are in order"))
