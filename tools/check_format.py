# SPDX-License-Identifier: Apache-2.0
"""The layout of C files is that of .clang-format; --write makes it so."""
import argparse
import sys
from pathlib import Path

import compilers
import tree

AT_ONCE = 50  # files of a process: it takes longer to start than to look at one
FOLDERS = ("boards", "firmware", "hal", "host", "qemu", "tests")


def c_paths(root):
    paths = tree.files(root, {".c", ".h"}, FOLDERS)
    return [str(p) for p in paths if not tree.is_generated(tree.text(root, p))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("."))
    parser.add_argument("--write", action="store_true", help="change the files")
    arguments = parser.parse_args()
    how = ["-i"] if arguments.write else ["--dry-run", "-Werror"]
    paths = c_paths(arguments.root)
    parts = [paths[at:at + AT_ONCE] for at in range(0, len(paths), AT_ONCE)]
    jobs = [("layout", ["clang-format", *how, *part], {}) for part in parts]
    problems = compilers.run_all(arguments.root, jobs)
    if problems and not arguments.write:
        problems.append("`make format` lays them out")
    return tree.report(problems, f"{len(paths)} files")


if __name__ == "__main__":
    sys.exit(main())
