# SPDX-License-Identifier: Apache-2.0
"""Every header compiles alone and twice, every source compiles, with gcc and clang, where it runs."""
import argparse
import sys
from pathlib import Path

import compilers
import tree


def header_jobs(root):
    for path in compilers.c_files(root, ".h"):
        unit = f'#include "{path}"\n#include "{path}"\ntypedef int not_empty;\n'
        for command in compilers.commands(root, path):
            yield (str(path), command + compilers.WARNINGS + ["-fsyntax-only", "-x", "c", "-"],
                   {"input": unit})


def source_jobs(root):
    for path in compilers.c_files(root, ".c"):
        for command in compilers.commands(root, path):
            yield (str(path), command + compilers.WARNINGS + ["-fsyntax-only", str(path)], {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("."))
    parser.add_argument("what", choices=["headers", "sources"])
    arguments = parser.parse_args()
    jobs = list((header_jobs if arguments.what == "headers" else source_jobs)(arguments.root))
    problems = compilers.run_all(arguments.root, jobs)
    return tree.report(problems, f"{len(jobs)} compilations of {arguments.what}")


if __name__ == "__main__":
    sys.exit(main())
