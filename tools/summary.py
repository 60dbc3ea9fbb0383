# SPDX-License-Identifier: Apache-2.0
"""Adds up all results; the last line is `N passed, N failed`.

For each step there is STEP.rc with its exit status and its seconds and, when it runs cases, STEP.xml with them.
A step without a status, or without a case, or that fails though no case of it does, is a failure.
"""
import argparse
import sys
from pathlib import Path

import junit

# What is printed of a failure: lines of pytest's `E` and of what a device has counted, and characters of a line.
LINES = 8
MOST = 400

# Steps that have no cases: the step itself is one.
WHOLE = ("all", "size")


def status_of(folder, step):
    """Exit status and seconds of a step; None and 0 when it has none."""
    try:
        status, seconds = map(int, (folder / f"{step}.rc").read_text().split())
        return status, seconds
    except (OSError, ValueError):
        return None, 0


def cases_of(folder, step):
    status, _seconds = status_of(folder, step)
    if step in WHOLE:
        return [junit.Case("make", step, "passed" if status == 0 else "failed")]
    try:
        cases = junit.read(folder / f"{step}.xml")
    except ValueError as error:
        return [junit.Case("make", f"{step}: no results ({error})", "failed")]
    if all(case.state == "skipped" for case in cases):
        cases.append(junit.Case("make", f"{step}: no test ran", "failed"))
    elif status != 0 and all(case.state != "failed" for case in cases):
        cases.append(junit.Case("make", f"{step}: exit status {status}", "failed"))
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("steps", nargs="+")
    arguments = parser.parse_args()
    total = {"passed": 0, "failed": 0, "skipped": 0}
    failures = []
    print("== summary")
    for step in arguments.steps:
        cases = cases_of(arguments.folder, step)
        count = {state: sum(case.state == state for case in cases) for state in total}
        print(f"{step:28} {status_of(arguments.folder, step)[1]:4} s  " +
              ", ".join(f"{n} {state}" for state, n in count.items() if n))
        failures += [case for case in cases if case.state == "failed"]
        for state, number in count.items():
            total[state] += number
    for case in failures:
        print(f"FAILED {case.suite}::{case.name}")
        told = [line for line in case.text.splitlines() if line.startswith(("E  ", "counted: "))]
        print("".join(f"    {line.removeprefix('E').strip()[:MOST]}\n" for line in told[:LINES]), end="")
    closing = f"{total['passed']} passed, {total['failed']} failed"
    (arguments.folder / "summary.txt").write_text(closing + "\n")
    print(closing)
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
