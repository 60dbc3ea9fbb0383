# SPDX-License-Identifier: Apache-2.0
"""Checks the models of this folder with Spin, and prints how many states each run has seen.

The models are of protocols between processors; every run visits all interleavings of one of them.
"""
import argparse
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tools"), str(Path(__file__).resolve().parent), str(ROOT)]

import checker  # noqa: E402
import junit  # noqa: E402


def report():
    for label, states, memory, seconds, said in checker.REPORT:
        print(f"{label:44} {states:9,} states {memory:6.0f} MB {seconds:6.2f} s"
              + (f"  found: {said}" if said else ""))
    total = [sum(column) for column in list(zip(*checker.REPORT))[1:4:2]] or [0, 0]
    print(f"spin: {len(checker.REPORT)} runs, {total[0]:,} states, {total[1]:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", type=Path, required=True)
    parser.add_argument("rest", nargs="*", help="for pytest")
    arguments = parser.parse_args()
    missing = checker.spin_missing()
    if missing:
        print(f"spin: {missing}")
        junit.write(arguments.xml, [junit.Case("tests/model/spin", "spin", "failed", missing)])
        return 1
    # The conftest.py of the folder above is for another suite.
    status = pytest.main([
        "-p", "no:cacheprovider", "-q", "-ra", f"--confcutdir={checker.HERE}",
        f"--junitxml={arguments.xml}", "-o", "junit_family=xunit2", *arguments.rest,
        str(checker.HERE)])
    report()
    return int(status != 0)


if __name__ == "__main__":
    sys.exit(main())
