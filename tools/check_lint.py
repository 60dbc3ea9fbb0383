# SPDX-License-Identifier: Apache-2.0
"""clang-tidy (checks in .clang-tidy) or cppcheck over all C sources that we ship. clang-tidy does not read a file again
that was good when the preprocessor made the same of it."""
import argparse
import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import compilers
import tree

# Steps of the analyzer through one function: its default, 225,000, takes 190 s of a processor for all files, this 110 s.
ANALYZER = ("-Xclang", "-analyzer-config", "-Xclang", "max-nodes=60000")
FOLDERS = ("boards/", "firmware/cp/", "firmware/graph/", "firmware/link/", "firmware/pull/", "firmware/sm/", "hal/", "host/", "qemu/")


def sources(root):
    return [p for p in compilers.c_files(root, ".c") if p.as_posix().startswith(FOLDERS)]


def tidy_jobs(root):
    """Once where the code runs; the scheduler units as for the host."""
    for path in sources(root):
        clang = next(c for c in compilers.commands(root, path) if c[0] == "clang")
        yield (str(path), ["clang-tidy", "--quiet", str(path), "--", *clang[1:], "-std=c11", *ANALYZER], {})


def cppcheck_jobs(root):
    """Evaluation order is left to -Wsequence-point: cppcheck takes .a = a++ for a double change."""
    for path in sources(root):
        host = "host" in compilers.places(path)
        yield (str(path), ["cppcheck", "--quiet", "--std=c11", "--error-exitcode=1",
                           "--inline-suppr", "--suppress=unknownEvaluationOrder", "--enable=warning,performance,portability",
                           "--platform=unix64" if host else "--platform=unix32",
                           "-I.", "-Ihost/include", str(path)], {})


def unread(root, jobs, known):
    """Those of the jobs of clang-tidy that are not known to be good, each with its name among the known."""
    settings = (root / ".clang-tidy").read_text() + compilers.run(root, ["clang-tidy", "--version"])[1]

    def name(job):
        label, command, _options = job
        _status, text = compilers.run(root, ["clang", *command[4:], "-E", "-C", label])
        return hashlib.sha256("\0".join([settings, *command, text]).encode()).hexdigest()

    with ThreadPoolExecutor() as pool:
        return [(job, known / one) for job, one in zip(jobs, pool.map(name, jobs)) if not (known / one).exists()]


def run_tidy(root, jobs, known):
    """The problems; and the names of good files are known from now on."""
    known.mkdir(parents=True, exist_ok=True)
    new = unread(root, jobs, known)
    problems = compilers.run_all(root, [job for job, _name in new])
    for (label, *_rest), name in new:
        if not any(problem.startswith(f"{label}:") for problem in problems):
            name.touch()
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("."))
    parser.add_argument("--known", type=Path, default=Path("build/lint"), help="folder with what is known to be good")
    parser.add_argument("tool", choices=["clang-tidy", "cppcheck"])
    arguments = parser.parse_args()
    if arguments.tool == "clang-tidy":
        jobs = list(tidy_jobs(arguments.root))
        problems = run_tidy(arguments.root, jobs, arguments.known)
    else:
        jobs = list(cppcheck_jobs(arguments.root))
        problems = compilers.run_all(arguments.root, jobs)
    return tree.report(problems, f"{len(jobs)} files")


if __name__ == "__main__":
    sys.exit(main())
