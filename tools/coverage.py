# SPDX-License-Identifier: Apache-2.0
"""Which test covers which number of the specifications: docs/COVERAGE.md, from the tests.

A test names its numbers in the comment directly above it (C) or above it or in its docstring
(Python). docs/spec-numbers.txt lists the numbers, docs/spec-reasons.txt says why some have no
test. Without --write this compares, and says what is wrong.
"""
import argparse
import ast
import re
import sys
from pathlib import Path

import tree

PAGE, NUMBERS, REASONS = "docs/COVERAGE.md", "docs/spec-numbers.txt", "docs/spec-reasons.txt"
NUMBER = re.compile(r"\bS[0-4]-[RCTVA]\d+\b")
C_TEST = re.compile(r"(/\*(?:(?!\*/).)*\*/[ \t]*\n)?^(?:static\s+)?void\s+(\w+)\(void\s*\*\*\s*\w+\)\s*$",
                    re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^\| (S[0-4]-[RCTVA]\d+) \| (.*) \|$", re.MULTILINE)
HEAD = """\
<!-- Generated from the tests by `make docs`. Do not edit. -->
# Coverage of the specifications

One row for each number of the five specifications (titles: docs/spec-numbers.txt): the tests that
name it, or why none does (docs/spec-reasons.txt).
"""


def value(number):
    """Order of a number: S1-R9 before S1-R10, R before C."""
    return number[:2], "RCTVA".index(number[3]), int(number[4:])


def read_numbers(root):
    """Number: tag, in the order of the page."""
    rows = [line.split() for line in tree.text(root, NUMBERS).splitlines() if line.startswith("S")]
    return {row[0]: row[1] for row in rows}


def read_reasons(root, numbers):
    """Reasons by number, and by number of single ones; complaints."""
    singles, tags, ranges, problems = {}, {}, {}, []
    for line in tree.text(root, REASONS).splitlines():
        key, colon, reason = (part.strip() for part in line.partition(":"))
        if not line.strip() or line.startswith("#"):
            continue
        first, dots, last = key.partition("..")
        if not colon or not reason:
            problems.append(f"{REASONS}: no reason in: {line}")
        elif key.startswith("["):
            tags[key.strip("[]")] = reason
        elif dots and first[:4] == last[:4]:
            ranges.update({n: reason for n in numbers if value(first) <= value(n) <= value(last)})
        elif key in numbers:
            singles[key] = reason
        else:
            problems.append(f"{REASONS}: {key} is not a number of the specifications")
    by_tag = {n: tags[tag] for n, tag in numbers.items() if tag in tags}
    return {**ranges, **by_tag, **singles}, singles, problems


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
    """Number: tests; names of all tests; complaints."""
    covered, names, problems = {}, set(), []
    for path in tree.files(root, {".c", ".py"}, ("tests",)):
        # The tests of the checks plant wrong numbers.
        if not path.name.startswith("test_") or path.as_posix().startswith("tests/check/"):
            continue
        content = tree.text(root, path)
        for number in sorted(set(NUMBER.findall(content)) - set(numbers), key=value):
            problems.append(f"{path}: {number} is not a number of the specifications")
        for name, said, registered in (c_tests if path.suffix == ".c" else python_tests)(content):
            test = f"{path.as_posix()}::{name}"
            names.add(test)
            for number in sorted(set(NUMBER.findall(said)) & set(numbers)):
                covered.setdefault(number, []).append(test)
                if not registered:
                    problems.append(f"{test} names {number} but is never registered")
    return covered, names, problems


def page_of(numbers, covered, reasons):
    lines, spec = [HEAD], ""
    tested = {s: sum(n.startswith(s) for n in covered) for s in sorted({n[:2] for n in numbers})}
    lines += ["| specification | numbers | with a test |", "|---|---|---|"]
    lines += [f"| {s} | {sum(n.startswith(s) for n in numbers)} | {count} |" for s, count in tested.items()]
    for number in numbers:
        if number[:2] != spec:
            spec = number[:2]
            lines += ["", f"## {spec}", "", "| number | tests |", "|---|---|"]
        tests = ", ".join(sorted(covered.get(number, [])))
        lines.append(f"| {number} | {tests or 'none: ' + reasons.get(number, 'NO REASON')} |")
    return "\n".join(lines) + "\n"


def page_problems(root, page, numbers, names):
    """What is wrong with the page that is there, said more exactly than `stale` where possible."""
    there = tree.text(root, PAGE) if (root / PAGE).exists() else ""
    rows = dict(ROW.findall(there))
    problems = [f"{PAGE}: no row for {number}" for number in numbers if number not in rows]
    for number, cell in rows.items():
        tests = [] if cell.startswith("none:") else cell.split(", ")
        problems += [f"{PAGE}: {number}: there is no test {t}" for t in tests if t not in names]
    if there != page:
        problems.append(f"{PAGE} is stale: run make docs")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("."))
    parser.add_argument("--write", action="store_true", help="write the page")
    arguments = parser.parse_args()
    root = arguments.root
    numbers = read_numbers(root)
    reasons, singles, problems = read_reasons(root, numbers)
    covered, names, more = scan_tests(root, numbers)
    problems += more
    problems += [f"{REASONS}: {n} has tests, its reason has to go" for n in singles if n in covered]
    problems += [f"{n}: no test and no reason" for n in numbers if n not in covered and n not in reasons]
    page = page_of(numbers, covered, reasons)
    if arguments.write:
        (root / PAGE).write_text(page, encoding="utf-8")
    else:
        problems += page_problems(root, page, numbers, names)
    return tree.report(problems, f"{len(covered)} of {len(numbers)} numbers have a test")


if __name__ == "__main__":
    sys.exit(main())
