# SPDX-License-Identifier: Apache-2.0
"""The runners count crashes, empty runs and missing results as failures."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
ONE_CASE = '<testsuite><testcase classname="c" name="n"/></testsuite>'
A_FAILURE = '<testsuite><testcase classname="c" name="n"><failure>x</failure></testcase></testsuite>'
PLAN = "[==========] Running 2 test(s)."
GOOD_RUN = f"""echo '{PLAN}'; echo '[ RUN      ] a'; echo '[       OK ] a'
echo '[ RUN      ] b'; echo '[       OK ] b'"""


def summary(folder, steps):
    done = subprocess.run([sys.executable, TOOLS / "summary.py", folder, *steps], text=True,
                          stdout=subprocess.PIPE)
    return done.returncode, done.stdout.splitlines()


def step(folder, name, status=None, xml=None):
    if status is not None:
        (folder / f"{name}.rc").write_text(f"{status} 7\n")
    if xml is not None:
        (folder / f"{name}.xml").write_text(xml)


def test_all_good(tmp_path):
    step(tmp_path, "all", 0)
    step(tmp_path, "unit", 0, ONE_CASE)
    assert summary(tmp_path, ["all", "unit"]) == (0, [
        "== summary", f"{'all':28}    7 s  1 passed", f"{'unit':28}    7 s  1 passed",
        "2 passed, 0 failed"])


@pytest.mark.parametrize("status, xml, closing", [
    (1, A_FAILURE, "0 passed, 1 failed"),
    (0, A_FAILURE, "0 passed, 1 failed"),
    (0, None, "0 passed, 1 failed"),
    (0, "<testsuite", "0 passed, 1 failed"),
    (0, "<testsuite/>", "0 passed, 1 failed"),
    (139, ONE_CASE, "1 passed, 1 failed"),
    (None, ONE_CASE, "1 passed, 1 failed"),
])
def test_a_step_that_fails(tmp_path, status, xml, closing):
    step(tmp_path, "unit", status, xml)
    code, lines = summary(tmp_path, ["unit"])
    assert (code, lines[-1]) == (1, closing)


def test_why_it_failed(tmp_path):
    """Of a failure, the summary tells what was asserted and what the device has counted."""
    step(tmp_path, "unit", 1, A_FAILURE.replace("x<", "def f():\nE   assert 1 == 2\ncounted: {'sms_lost': 1}\nmore<"))
    _code, lines = summary(tmp_path, ["unit"])
    assert lines[2:] == ["FAILED c::n", "    assert 1 == 2", "    counted: {'sms_lost': 1}", "0 passed, 1 failed"]


def run_unit(tmp_path, script):
    program = tmp_path / "test_x"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)
    done = subprocess.run([sys.executable, TOOLS / "run_unit.py", "--xml", tmp_path / "unit.xml", program],
                          text=True, stdout=subprocess.PIPE)
    return done.returncode, done.stdout.splitlines()[0].split(None, 1)[1]


@pytest.mark.parametrize("script, code, counts", [
    (GOOD_RUN, 0, "2 passed, 0 failed"),
    (GOOD_RUN + "\nexit 1", 1, "2 passed, 1 failed"),
    (GOOD_RUN.replace("OK ] b", "FAILED ] b"), 1, "1 passed, 1 failed"),
    (f"echo '{PLAN}'; echo '[ RUN      ] a'; kill -SEGV $$", 1, "0 passed, 2 failed"),
    (GOOD_RUN.replace("] b", "] a"), 0, "2 passed, 0 failed"),
    (GOOD_RUN.replace("] b", "] a").replace("OK ] a", "FAILED ] a", 1), 1, "1 passed, 1 failed"),
    ("exit 0", 1, "0 passed, 1 failed"),
])
def test_unit_programs(tmp_path, script, code, counts):
    assert run_unit(tmp_path, script) == (code, counts)


def test_a_unit_program_that_was_not_built(tmp_path):
    done = subprocess.run([sys.executable, TOOLS / "run_unit.py", "--xml", tmp_path / "unit.xml",
                           tmp_path / "test_none"], text=True, stdout=subprocess.PIPE)
    assert done.returncode == 1
    assert "0 passed, 1 failed" in done.stdout


def test_the_list_of_long_tests():
    """Each line names a function that there is."""
    root = TOOLS.parent
    for line in (root / "tests" / "long.txt").read_text(encoding="utf-8").splitlines():
        file, name = line.split("::", 1)
        assert re.search(rf"\b{name.split('[', 1)[0]}\b", (root / file).read_text(encoding="utf-8")), line


@pytest.mark.parametrize("brief, closing", [(True, "2 passed, 2 deselected"), (False, "4 passed")])
def test_long_tests_are_left_out(tmp_path, brief, closing):
    """Of what was slow, functions are listed and then left out; of a file with nothing else its quickest case stays."""
    seconds = {"tests.a": {"test_slow": 9, "test_quick": 1}, "tests.b": {"test_of[1]": 8, "test_of[2]": 7}}
    for suite, cases in seconds.items():
        step(tmp_path, suite, xml="<testsuite>" + "".join(
            f'<testcase classname="{suite}" name="{name}" time="{time}"/>' for name, time in cases.items()) + "</testsuite>")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a.py").write_text("def test_slow(): pass\ndef test_quick(): pass\n")
    (tmp_path / "tests" / "b.py").write_text(
        "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_of(n): pass\n")
    (tmp_path / "tests" / "brief.py").write_text((TOOLS.parent / "tests" / "brief.py").read_text())
    subprocess.run([sys.executable, TOOLS / "longest.py", tmp_path], cwd=tmp_path, check=True)
    assert (tmp_path / "tests" / "long.txt").read_text() == "tests/a.py::test_slow\ntests/b.py::test_of[1]\n"
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *(["-p", "tests.brief"] if brief else []), "tests/a.py",
                           "tests/b.py"], cwd=tmp_path, text=True, stdout=subprocess.PIPE)
    assert done.stdout.splitlines()[-1].startswith(closing)
