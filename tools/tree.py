# SPDX-License-Identifier: Apache-2.0
"""The files of the repository, as the checks see them."""
import argparse
import os
import re
from pathlib import Path

WARNING = "warning:"
SKIPPED = {".git", "__pycache__", ".hypothesis", ".pytest_cache", "venv"}
GENERATED = re.compile(r"Generated .*Do not edit", re.IGNORECASE)
COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def files(root, suffixes, folders=("",)):
    """Paths relative to the root, sorted, with one of the suffixes or exact names, below the folders."""
    found = []
    for folder in folders:
        for here, below, names in os.walk(root / folder):
            below[:] = sorted(d for d in below if d not in SKIPPED and not d.startswith("build"))
            found += [Path(here, name).relative_to(root) for name in names
                      if name in suffixes or Path(name).suffix in suffixes]
    return sorted(set(found))


def text(root, path):
    return (root / path).read_text(encoding="utf-8")


def is_generated(content):
    """Generated files say so in their first lines; they are compared with what is generated anew, and not checked for
    style."""
    return bool(GENERATED.search("\n".join(content.splitlines()[:3])))


def blank(match):
    """Spaces instead of a comment; a string keeps its quotes, so that include lines stay intact."""
    return re.sub(r"[^\n]", " ", match.group())


def without_comments(content):
    """C text with its comments blanked; line numbers stay."""
    return COMMENT_OR_STRING.sub(
        lambda m: blank(m) if m.group().startswith("/") else m.group(), content)


def code_only(content):
    """C text with comments and strings blanked; line numbers stay."""
    return COMMENT_OR_STRING.sub(blank, content)


def line_of(content, offset):
    return content.count("\n", 0, offset) + 1


def warn(text):
    """Prints a warning, which fails nothing. check.py shows it also when the check passes."""
    print(f"{WARNING} {text}")


def check(text, problems_of, what):
    """The main function of a check whose only option is the root: `text` helps, `problems_of` finds the problems of a
    root, and `what` is said when there is none."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("--root", type=Path, default=Path("."))
    return report(list(problems_of(parser.parse_args().root)), what)


def report(problems, what):
    """Prints the problems; the exit status of a check."""
    for problem in problems:
        print(problem)
    if not problems:
        print(what)
    return 1 if problems else 0
