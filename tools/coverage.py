# SPDX-License-Identifier: Apache-2.0
"""The numbers of the specifications: which test covers which, and whether each one that is cited exists.

docs/spec has a paragraph for each number, which begins with its bold label. A test names its numbers
in the comment directly above it (C) or above it or in its docstring (Python). docs/spec-reasons.txt
says why some numbers have no test.

--write writes docs/COVERAGE.md, which has the counts and the numbers without a test. Without --write
this compares, and says what is wrong. --table names the file for the whole table, a row for each number.
"""
import argparse
import ast
import re
import sys
from pathlib import Path

import tree

PAGE, SPEC, REASONS = "docs/COVERAGE.md", "docs/spec", "docs/spec-reasons.txt"
CITED = re.compile(r"\bS\d-[A-Z]\d+\b")
LABEL = re.compile(r"^\*\*(S[0-4]-[RCTVAQG]\d+)\*\*", re.MULTILINE)
# Questions (Q) and program texts (G) can be cited; requirements, claims, vectors and appendix items need a test.
TESTED = "RCTVA"
CITING = {".c", ".h", ".S", ".py", ".md", ".rdl", ".txt", ".mk", ".ld", ".sh", ".cl", ".v", ".sv", ".pml", "Makefile"}
C_TEST = re.compile(r"(/\*(?:(?!\*/).)*\*/[ \t]*\n)?^(?:static\s+)?void\s+(\w+)\(void\s*\*\*\s*\w+\)\s*$",
                    re.DOTALL | re.MULTILINE)
MARK = "<!-- Generated from the tests by `make docs`. Do not edit. -->\n"
HEAD = MARK + """\
# Coverage of the specifications

[spec](spec/README.md) has a paragraph for each number of the five specifications. `make docs` writes the
tests of every number to `build/COVERAGE.md`; this page counts them. `make check` fails when a number has
neither a test nor a reason, and when a number is cited that does not exist.
"""


def value(number):
    """Order of a number: S1-R9 before S1-R10, R before C."""
    return number[:2], TESTED.index(number[3]), int(number[4:])


def read_labels(root):
    """All numbers that docs/spec defines; complaints."""
    found = [label for path in tree.files(root, {".md"}, (SPEC,)) for label in LABEL.findall(tree.text(root, path))]
    twice = sorted({label for label in found if found.count(label) > 1})
    return set(found), [f"{SPEC}: {label} has two paragraphs" for label in twice]


def read_reasons(root, numbers):
    """Reasons by number; complaints."""
    reasons, problems = {}, []
    for line in tree.text(root, REASONS).splitlines():
        key, _, reason = (part.strip() for part in line.partition(":"))
        if not line.strip() or line.startswith("#"):
            continue
        if not reason:
            problems.append(f"{REASONS}: no reason in: {line}")
        elif key in numbers:
            reasons[key] = reason
        else:
            problems.append(f"{REASONS}: {key} is not a number of the specifications")
    return reasons, problems


def citation_problems(root, labels):
    """Numbers that are cited anywhere in the tree and have no paragraph in docs/spec."""
    for path in tree.files(root, CITING):
        # The tests of the checks plant wrong numbers.
        if path.as_posix().startswith("tests/check/"):
            continue
        content = tree.text(root, path)
        for match in CITED.finditer(content):
            if match.group() not in labels:
                line = tree.line_of(content, match.start())
                yield f"{path}:{line}: {match.group()} is not a number of the specifications ({SPEC})"


def c_tests(content):
    """(test name, its comment, whether main() registers it)"""
    for match in C_TEST.finditer(content):
        name = match.group(2)
        yield name, match.group(1) or "", len(re.findall(rf"\b{name}\b", tree.code_only(content))) > 1


def comment_above(lines, line):
    found = []
    while line > 1 and lines[line - 2].lstrip().startswith("#"):
        line -= 1
        found.append(lines[line - 1])
    return "\n".join(found)


def python_tests(content):
    lines = content.splitlines()
    module = ast.parse(content)
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    for prefix, body in [("", module.body)] + [(c.name + "::", c.body) for c in classes]:
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno] + [d.lineno for d in node.decorator_list])
                said = (ast.get_docstring(node) or "") + comment_above(lines, first)
                yield prefix + node.name, said, True


def scan_tests(root, numbers):
    """Number: tests; complaints."""
    covered, problems = {}, []
    for path in tree.files(root, {".c", ".py"}, ("tests",)):
        if not path.name.startswith("test_") or path.as_posix().startswith("tests/check/"):
            continue
        content = tree.text(root, path)
        for name, said, registered in (c_tests if path.suffix == ".c" else python_tests)(content):
            test = f"{path.as_posix()}::{name}"
            for number in sorted(set(CITED.findall(said)) & set(numbers)):
                covered.setdefault(number, []).append(test)
                if not registered:
                    problems.append(f"{test} names {number} but is never registered")
    return covered, problems


def table_of(numbers, covered, reasons):
    """The whole table: a row for each number."""
    lines = [MARK + "# Tests of each number", ""]
    lines += ["| number | tests |", "|---|---|"]
    for number in numbers:
        tests = ", ".join(sorted(covered.get(number, [])))
        lines.append(f"| {number} | {tests or 'none: ' + reasons.get(number, 'NO REASON')} |")
    return "\n".join(lines) + "\n"


def page_of(numbers, covered, reasons):
    """The short page: counts, and the numbers without a test."""
    specs = sorted({number[:2] for number in numbers})
    lines = [HEAD, "| specification | numbers | with a test | without |", "|---|---|---|---|"]
    for spec in specs:
        every = [number for number in numbers if number.startswith(spec)]
        tested = sum(number in covered for number in every)
        lines.append(f"| [{spec}](spec/{spec.lower()}.md) | {len(every)} | {tested} | {len(every) - tested} |")
    lines += ["", "## Numbers without a test", "", "| number | why |", "|---|---|"]
    lines += [f"| {number} | {reasons.get(number, 'NO REASON')} |" for number in numbers if number not in covered]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("."))
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--table", type=Path, help="file for the whole table")
    arguments = parser.parse_args()
    root = arguments.root
    labels, problems = read_labels(root)
    numbers = sorted((label for label in labels if label[3] in TESTED), key=value)
    reasons, more = read_reasons(root, numbers)
    covered, unregistered = scan_tests(root, numbers)
    problems += more + unregistered + list(citation_problems(root, labels))
    problems += [f"{REASONS}: {n} has tests, its reason has to go" for n in reasons if n in covered]
    problems += [f"{n}: no test and no reason" for n in numbers if n not in covered and n not in reasons]
    page = page_of(numbers, covered, reasons)
    if arguments.table:
        arguments.table.parent.mkdir(parents=True, exist_ok=True)
        arguments.table.write_text(table_of(numbers, covered, reasons), encoding="utf-8")
    if arguments.write:
        (root / PAGE).write_text(page, encoding="utf-8")
    elif not (root / PAGE).exists() or tree.text(root, PAGE) != page:
        problems.append(f"{PAGE} is stale: run make docs")
    return tree.report(problems, f"{len(covered)} of {len(numbers)} numbers have a test")


if __name__ == "__main__":
    sys.exit(main())
