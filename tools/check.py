# SPDX-License-Identifier: Apache-2.0
"""`make check`: every check, one line each with ok or FAIL, and what a failing one says."""
import argparse
import os
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import compilers
import junit
import tree

TESTS_OF_CHECKS = "tests/check"
LONG = ("headers compile alone", "sources, both compilers", "clang-tidy", "cppcheck", "checks notice faults")


def checks(arguments):
    """Name: command. The commands change nothing in the repository. The one that takes longest comes first: it uses one processor."""
    python, build = sys.executable, arguments.build
    make = shlex.split(arguments.make)
    selftest = f"{build}/results/check-selftest.xml"
    return {
        "checks notice faults": [python, "-m", "pytest", "-p", "no:cacheprovider", "-q",
                                 f"--junitxml={selftest}", TESTS_OF_CHECKS],
        "layers": [python, "tools/check_layers.py"],
        "calls": [python, "tools/check_calls.py"],
        "homes of functions": [python, "tools/check_homes.py"],
        "owners of task members": [python, "tools/check_owners.py"],
        "style": [python, "tools/check_style.py"],
        "unit tests stand alone": [python, "tools/check_tests_alone.py"],
        "headers compile alone": [python, "tools/check_compile.py", "headers"],
        "sources, both compilers": [python, "tools/check_compile.py", "sources"],
        "types": [python, "tools/check_types.py", "--build", build],
        "layout": [python, "tools/check_format.py"],
        "clang-tidy": [python, "tools/check_lint.py", "--known", f"{build}/lint", "clang-tidy"],
        "cppcheck": [python, "tools/check_lint.py", "cppcheck"],
        "generated ABI files": [*make, "abi-check", f"BUILD={build}"],
        "generated RTL registers": [*make, "rtl-registers-check", f"BUILD={build}"],
        "spec coverage": [python, "tools/coverage.py", "--table", f"{build}/COVERAGE.md"],
    }


def run(item):
    name, command = item
    # The checks share no job server: each is one process that limits its own number of jobs.
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS")}
    status, output = compilers.run(Path("."), command, timeout=1800, env=environment)
    return junit.Case("check", name, "failed" if status else "passed", output)


def worth_telling(case):
    """All lines of a check that failed, the warnings of one that passed."""
    return [line for line in case.text.splitlines() if case.state == "failed" or line.startswith(tree.WARNING)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build")
    parser.add_argument("--make", default="make")
    parser.add_argument("--xml", required=True)
    parser.add_argument("--brief", action="store_true", help="without those that take minutes")
    arguments = parser.parse_args()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = []
        chosen = [one for one in checks(arguments).items() if not (arguments.brief and one[0] in LONG)]
        for one in as_completed(pool.submit(run, item) for item in chosen):
            case = one.result()
            results.append(case)
            print(f"  {case.name:28} {'ok' if case.state == 'passed' else 'FAIL'}", flush=True)
            print("".join(f"    {line}\n" for line in worth_telling(case)), end="", flush=True)
    junit.write(arguments.xml, results)
    return int(any(case.state == "failed" for case in results))


if __name__ == "__main__":
    sys.exit(main())
