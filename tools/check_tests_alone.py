# SPDX-License-Identifier: Apache-2.0
"""Most unit tests link the units that they test, not the whole scheduler: then a failure says where the fault is.

The comment `sources:` of a test (tests/tests.mk) says what is linked; the word `scheduler` there stands for all.
"""
import argparse
import re
import sys
from pathlib import Path

import tree

SHARE = 4  # at most one program of SHARE links the scheduler
ENFORCED = False  # else a warning
WHOLE = 40  # so many files of firmware/cp are as good as the word
SOURCES = re.compile(r"\bsources:(.*?)\*/", re.DOTALL)


def links_scheduler(content):
    sources = SOURCES.search("\n".join(content.splitlines()[:20]))
    words = re.sub(r"[*,]", " ", sources.group(1)).split() if sources else []
    return "scheduler" in words or len([w for w in words if w.startswith("firmware/cp/")]) >= WHOLE


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("."))
    parser.add_argument("--enforced", action="store_true", default=ENFORCED, help="fail, whatever ENFORCED says")
    parser.add_argument("--list", action="store_true", help="name the programs that link it")
    arguments = parser.parse_args()
    tests = sorted((arguments.root / "tests/unit").glob("test_*.c"))
    whole = [t for t in tests if links_scheduler(tree.text(arguments.root, t.relative_to(arguments.root)))]
    says = f"{len(whole)} of {len(tests)} unit-test programs link the whole scheduler"
    if arguments.list:
        print("\n".join(t.name for t in whole))
    if len(whole) * SHARE <= len(tests):
        return tree.report([], says)
    says += f": at most {len(tests) // SHARE} should"
    if arguments.enforced:
        return tree.report([says], "")
    tree.warn(says)
    return 0


if __name__ == "__main__":
    sys.exit(main())
