# SPDX-License-Identifier: Apache-2.0
"""tools/check_tests_alone.py is given one test of four that links the scheduler, and then two."""
import pytest

import unit_sources
from test_checks import LICENCE, check, put

ALONE = LICENCE + "/* The scheduler is not linked.\n * sources: firmware/cp/a.c,\n *          firmware/cp/scheduler.c */\nint main(void);\n"
WHOLE = LICENCE + "/* All.\n * sources: scheduler tests/unit/fake_run.c */\nint main(void);\n"
SPLIT = LICENCE + "/* sources: firmware/cp/a.c\n * scheduler,\n */\n"
LOOP = LICENCE + "/* sources: room:accept device firmware/cp/loop.c */\n"
ROOM = LICENCE + "/* sources: room:host device */\n"
FILE = LICENCE + "/* sources: firmware/cp/host/control.c */\n"
LOW = LICENCE + "/* sources: room:finish room:collect device */\n"


@pytest.fixture
def tree(tmp_path):
    put(tmp_path, "firmware/cp/host/control.c", LICENCE)
    for name, content in (("a", WHOLE), ("b", ALONE), ("c", LOW), ("d", LICENCE + "int main(void);\n")):
        put(tmp_path, f"tests/unit/test_{name}.c", content)
    return tmp_path


def test_one_of_four_passes(tree):
    assert check(tree, "check_tests_alone.py") == (0, "1 of 4 unit-test programs link the whole scheduler\n")


@pytest.mark.parametrize("content", [WHOLE, SPLIT, LOOP, ROOM, FILE])
def test_two_of_four_fail(tree, content):
    put(tree, "tests/unit/test_b.c", content)
    status, output = check(tree, "check_tests_alone.py --list")
    assert status == 1 and "2 of 4" in output and "at most 1 should" in output and "test_b.c" in output


def test_a_room_brings_those_below_and_fakes_of_others(tmp_path):
    for path in ("firmware/cp/sms/sm.c", "firmware/cp/sms/absent.c", "firmware/cp/cga/cga.c", "firmware/cp/task/task.c",
                 "tests/unit/rooms/cga.c", "tests/unit/rooms/sms.c"):
        put(tmp_path, path, LICENCE)
    below = ["firmware/cp/sms/sm.c", "firmware/cp/task/task.c"]
    assert unit_sources.files_of(tmp_path, ["room:sms", "x.c"]) == below + ["x.c"]
    files = unit_sources.files_of(tmp_path, ["room:sms", "device"])
    assert "tests/unit/rooms/cga.c" in files and "tests/unit/rooms/sms.c" not in files
