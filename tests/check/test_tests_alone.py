# SPDX-License-Identifier: Apache-2.0
"""tools/check_tests_alone.py is given one test of four that links the scheduler, and then two."""
import pytest

from test_checks import LICENCE, check, put

ALONE = LICENCE + "/* The scheduler is not linked.\n * sources: firmware/cp/a.c,\n *          firmware/cp/scheduler.c */\nint main(void);\n"
WHOLE = LICENCE + "/* All.\n * sources: scheduler tests/unit/fake_run.c */\nint main(void);\n"
NAMED = LICENCE + "/* sources: " + " ".join(f"firmware/cp/{n}.c" for n in range(40)) + " */\n"
SPLIT = LICENCE + "/* sources: firmware/cp/a.c\n * scheduler,\n */\n"


@pytest.fixture
def tree(tmp_path):
    for name, content in (("a", WHOLE), ("b", ALONE), ("c", ALONE), ("d", LICENCE + "int main(void);\n")):
        put(tmp_path, f"tests/unit/test_{name}.c", content)
    return tmp_path


def test_one_of_four_passes(tree):
    assert check(tree, "check_tests_alone.py --enforced") == \
        (0, "1 of 4 unit-test programs link the whole scheduler\n")


@pytest.mark.parametrize("content", [WHOLE, SPLIT, NAMED])
def test_two_of_four_fail(tree, content):
    put(tree, "tests/unit/test_b.c", content)
    status, output = check(tree, "check_tests_alone.py --enforced --list")
    assert status == 1 and "2 of 4" in output and "at most 1 should" in output and "test_b.c" in output
