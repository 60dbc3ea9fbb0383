# SPDX-License-Identifier: Apache-2.0
"""clang-tidy (checks in .clang-tidy) or cppcheck over all C sources that we ship."""
import argparse
import sys
from pathlib import Path

import compilers
import tree

FOLDERS = ("boards/", "firmware/cp/", "firmware/graph/", "firmware/link/", "firmware/pull/", "firmware/sm/", "hal/", "host/", "qemu/")


def sources(root):
    return [p for p in compilers.c_files(root, ".c") if p.as_posix().startswith(FOLDERS)]


def tidy_jobs(root):
    """Once where the code runs; the scheduler units as for the host."""
    for path in sources(root):
        clang = next(c for c in compilers.commands(root, path) if c[0] == "clang")
        yield (str(path), ["clang-tidy", "--quiet", str(path), "--", *clang[1:], "-std=c11"], {})


def cppcheck_jobs(root):
    """Evaluation order is left to -Wsequence-point: cppcheck takes .a = a++ for a double change."""
    for path in sources(root):
        host = "host" in compilers.places(path)
        yield (str(path), ["cppcheck", "--quiet", "--std=c11", "--error-exitcode=1",
                           "--inline-suppr", "--suppress=unknownEvaluationOrder", "--enable=warning,performance,portability",
                           "--platform=unix64" if host else "--platform=unix32",
                           "-I.", "-Ihost/include", str(path)], {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("."))
    parser.add_argument("tool", choices=["clang-tidy", "cppcheck"])
    arguments = parser.parse_args()
    jobs = list((tidy_jobs if arguments.tool == "clang-tidy" else cppcheck_jobs)(arguments.root))
    problems = compilers.run_all(arguments.root, jobs)
    return tree.report(problems, f"{len(jobs)} files")


if __name__ == "__main__":
    sys.exit(main())
