# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of this folder in several pytests, two at a time, and puts their results into one file. A simulator
takes a core, so all in one after the other would leave the second core of a small machine idle."""
import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import junit  # noqa: E402  # pylint: disable=wrong-import-position

BOARDS = sorted(path.parent.name for path in (ROOT / "boards").glob("*/core.f"))
AT_ONCE = 2
NO_TESTS = 5  # pytest's exit status when options left none


def jobs():
    """Files and boards of each pytest, the longest first. Every test of the folder is in one of them."""
    alone = ["test_device_serial.py", "test_many_sms.py", "test_soc.py", "test_wrong_board.py"]
    boards = ["test_device.py", "test_device_faults.py", "test_device_parts.py", "test_device_reset.py"]
    rest = sorted({path.name for path in HERE.glob("test_*.py")} - {*alone, *boards})
    return [*(([name], BOARDS) for name in alone), *((boards, [board]) for board in BOARDS), (rest, BOARDS)]


def run(number, files, boards, arguments):
    """Exit status and text of one pytest; its results are in a file of that number."""
    xml = arguments.xml.with_suffix(f".{number}.xml")
    xml.unlink(missing_ok=True)
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-ra", "--timeout", "900",
         f"--junitxml={xml}", "-o", "junit_family=xunit2", *arguments.pytest, *(str(HERE / name) for name in files)],
        env={**os.environ, "GANGER_RTL_BOARDS": " ".join(boards)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False)
    name = ", ".join(files) if boards == BOARDS else ", ".join(boards)
    print(f"-- {name}: {time.monotonic() - begin:.0f} s\n{done.stdout}", flush=True)
    return xml, done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xml", type=Path, required=True, help="the results")
    arguments, arguments_of_pytest = parser.parse_known_args()
    arguments.pytest = arguments_of_pytest
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda job: run(job[0], *job[1], arguments), enumerate(jobs())))
    cases = []
    for xml, status in results:
        try:
            cases += junit.read(xml)
        except ValueError as error:
            cases.append(junit.Case("rtl", f"{xml.name}: no results ({error})", "failed"))
        if status not in (0, NO_TESTS) and all(case.state != "failed" for case in cases):
            cases.append(junit.Case("rtl", f"{xml.name}: exit status {status}", "failed"))
        xml.unlink(missing_ok=True)
    junit.write(arguments.xml, cases)
    return int(any(case.state == "failed" for case in cases))


if __name__ == "__main__":
    sys.exit(main())
