# SPDX-License-Identifier: Apache-2.0
"""Writes tests/long.txt from the results of `make test-all`: the functions of pytest whose cases took longer than
so many seconds together. Of each file at least the quickest case of the quickest function stays out of it, so that
`make test` runs something of everything."""
import argparse
from collections import Counter
from pathlib import Path

import junit

LIST = Path("tests/long.txt")
# Suites that count what they have run, and so are run as a whole.
WHOLE = ("tests/model/test_",)


def file_of(suite):
    """The file of a suite's cases, or None where they are no functions of Python."""
    path = Path(*suite.split(".")).with_suffix(".py")
    return path if path.exists() and not str(path).startswith(WHOLE) else None


def seconds_of(results):
    """Seconds of each case in all results together, by file and function."""
    found = {}
    for path in sorted(results.glob("*.xml")):
        for case in junit.read(path):
            file = file_of(case.suite)
            if file:
                functions = found.setdefault(file, {})
                functions.setdefault(case.name.split("[", 1)[0], Counter())[case.name] += case.seconds
    return found


def long_ones(functions, limit):
    """What of a file is left out: functions that take longer, and cases of the quickest of them."""
    quickest = min(functions, key=lambda name: (functions[name].total(), name))
    for function, cases in functions.items():
        if cases.total() > limit and function != quickest:
            yield function
        elif cases.total() > limit:
            yield from sorted(cases, key=lambda name: (cases[name], name))[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("--seconds", type=float, default=1.5)
    arguments = parser.parse_args()
    found = seconds_of(arguments.results)
    names = sorted(f"{file}::{name}\n" for file, functions in found.items()
                   for name in long_ones(functions, arguments.seconds))
    LIST.write_text("".join(names), encoding="utf-8")
    print(f"{LIST}: {len(names)} of the tests are long")


if __name__ == "__main__":
    main()
