# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of this folder in two processes, with one seed, and joins their results.

The workloads are counted: the last line is `model: N workloads, seed S`; fewer than `--least` of
them are a failure.
"""
import argparse
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # tests/seeds.py
from seeds import seed_of  # noqa: E402
from workloads import SHARE  # noqa: E402

HERE = Path(__file__).resolve().parent
GROUPS = (("test_limits.py", "test_priorities.py", "test_lost.py"), ("test_lives.py", "test_queues.py"))
COUNTED = re.compile(r"^model: (\d+) workloads", re.MULTILINE)


def start(number, files, xml, arguments, environment):
    """Start pytest on some of the files."""
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-ra", "--timeout", "900",
         f"--junitxml={xml}.{number}", "-o", "junit_family=xunit2", *arguments,
         *(str(HERE / name) for name in files)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def join(xml, parts):
    """Put the suites of all parts into one file."""
    root = ET.Element("testsuites")
    for part in parts:
        root.extend(ET.parse(part).getroot().iter("testsuite"))
        part.unlink()
    ET.ElementTree(root).write(xml, encoding="utf-8", xml_declaration=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", type=Path, required=True)
    parser.add_argument("--least", type=int, default=10000 // SHARE)
    parser.add_argument("rest", nargs="*", help="for pytest")
    arguments = parser.parse_args()
    known = {path.name for path in HERE.glob("test_*.py")}
    assert known == {name for group in GROUPS for name in group}, known
    seed = str(seed_of("model"))
    environment = {**os.environ, "GANGER_SEED": seed}
    runs = [start(number, files, arguments.xml, arguments.rest, environment)
            for number, files in enumerate(GROUPS)]
    outputs = [run.communicate()[0] for run in runs]
    print("".join(outputs), end="")
    join(arguments.xml, [part for number in range(len(runs))
                         if (part := Path(f"{arguments.xml}.{number}")).exists()])
    workloads = sum(int(count) for output in outputs for count in COUNTED.findall(output))
    print(f"model: {workloads} workloads, seed {seed}")
    failed = any(run.returncode for run in runs)
    if not failed and workloads < arguments.least:
        print(f"model: fewer than {arguments.least} workloads")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
