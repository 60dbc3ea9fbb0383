# SPDX-License-Identifier: Apache-2.0
"""Most unit tests link the rooms that they test and those below, not the whole scheduler: then a failure says where the
fault is.

Counted is what tests/tests.mk links (unit_sources.py): a program with the loop of the control processor, or with any
file of the topmost room, host, has all of the scheduler.
"""
import argparse
import sys
from pathlib import Path

import tree
import unit_sources

SHARE = 4  # at most one program of SHARE links the scheduler
TOP = ("firmware/cp/loop.c", "firmware/cp/host/")


def links_scheduler(root, test):
    return any(source.startswith(TOP) for source in unit_sources.sources_of(root, test))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("."))
    parser.add_argument("--list", action="store_true", help="name the programs that link it")
    arguments = parser.parse_args()
    tests = unit_sources.tests_of(arguments.root)
    whole = [t for t in tests if links_scheduler(arguments.root, t)]
    says = f"{len(whole)} of {len(tests)} unit-test programs link the whole scheduler"
    if arguments.list:
        print("\n".join(t.name for t in whole))
    if len(whole) * SHARE <= len(tests):
        return tree.report([], says)
    return tree.report([f"{says}: at most {len(tests) // SHARE} should"], "")


if __name__ == "__main__":
    sys.exit(main())
