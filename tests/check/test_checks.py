# SPDX-License-Identifier: Apache-2.0
"""Each check of `make check` is given a small repository, good and then with one planted fault."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import check as runner
import junit

TOOLS = Path(__file__).resolve().parents[2] / "tools"
LICENCE = "/* SPDX-License-Identifier: Apache-2.0 */\n"
UNIT = LICENCE + """\
#include "firmware/cp/unit.h"

uint32_t unit_next(uint32_t value)
{
	return value + 1u;
}
"""
HEADER = LICENCE + """\
#ifndef FIRMWARE_CP_UNIT_H
#define FIRMWARE_CP_UNIT_H

#include <stdint.h>

uint32_t unit_next(uint32_t value);

#endif /* FIRMWARE_CP_UNIT_H */
"""
TEST = LICENCE + """\
#include <stdint.h>

/* S0-R10: the next of a value. */
static void next_follows(void **state)
{
	(void)state;
}

int main(void)
{
	next_follows(0);
	return 0;
}
"""
SYSTEM = '''# SPDX-License-Identifier: Apache-2.0
def test_boots():
    """S0-R11: it boots."""
'''
GOOD = {
    "boards/qemu-virt64/board.mk": "# SPDX-License-Identifier: Apache-2.0\nBOARD_XLEN = 64\n",
    "hal/irq.h": LICENCE + "void irq_enable(void);\n",
    "hal/mmio.h": LICENCE + "typedef volatile unsigned int mmio_word;\n",
    "firmware/cp/unit.c": UNIT,
    "firmware/cp/unit.h": HEADER,
    "firmware/sm/worker.h": LICENCE + "void worker_run(void);\n",
    "host/lib/api/c.h": LICENCE + "int device_open(void);\n",
    "tests/unit/test_unit.c": TEST,
    "tests/system/test_boot.py": SYSTEM,
    "docs/spec/s0.md": "**S0-R10** List.\n\n**S0-R11** [M] Rate.\n\n**S0-R12** [X] Slot.\n\n**S0-Q1** Question.\n",
    "docs/spec-reasons.txt": "# Why\nS0-R12: worked example\n",
}


@pytest.fixture
def tree(tree):
    """A small repository that passes every check."""
    (tree / ".clang-format").write_text((TOOLS.parent / ".clang-format").read_text())
    (tree / ".clang-tidy").write_text((TOOLS.parent / ".clang-tidy").read_text())
    assert check(tree, "coverage.py --write")[0] == 0
    return tree


def put(root, name, content):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def check(root, command):
    tool, *arguments = command.split()
    done = subprocess.run([sys.executable, TOOLS / tool, "--root", root, *arguments], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=root)
    return done.returncode, done.stdout


CHECKS = ["check_layers.py", "check_style.py", "check_compile.py headers",
          "check_compile.py sources", "check_format.py", "check_lint.py clang-tidy",
          "check_lint.py cppcheck", "coverage.py"]


@pytest.mark.parametrize("command", CHECKS)
def test_a_good_tree_passes(tree, command):
    status, output = check(tree, command)
    assert status == 0, output


def body(line):
    return UNIT.replace("\treturn value + 1u;", "\t" + line)


LONG = body("\n\t".join(["value++;"] * 60) + "\n\treturn value;")
# Check: file that is added or replaced, its content, and what the check has to say.
FAULTS = [
    ("check_layers.py", "hal/irq.c", '#include "firmware/cp/unit.h"\n', "may not include"),
    ("check_layers.py", "hal/irq.c", "#include <firmware/cp/unit.h>\n", "may not include"),
    ("check_layers.py", "firmware/cp/b.c", '#include "boards/qemu-virt64/board.mk"\n', "may not"),
    ("check_layers.py", "firmware/cp/b.c", '#include "firmware/sm/worker.h"\n', "may not include"),
    ("check_layers.py", "firmware/sm/b.c", '#include "firmware/cp/unit.h"\n', "may not include"),
    ("check_layers.py", "boards/qemu-virt64/b.c", '#include "firmware/cp/unit.h"\n', "may not"),
    ("check_layers.py", "host/lib/b.c", '#include "hal/irq.h"\n', "may not include"),
    ("check_layers.py", "host/lib/core/b.c", '#include "host/lib/api/c.h"\n', "may not include"),
    ("check_layers.py", "host/broker/b.c", '#include "host/lib/api/c.h"\n', "may not include"),
    ("check_layers.py", "firmware/cp/b.c", '#include "unit.h"\n', "not a path from the root"),
    ("check_layers.py", "firmware/cp/b.c", "extern volatile int x;\n", "volatile"),
    ("check_layers.py", "hal/b.c", "extern volatile int x;\n", "volatile"),
    ("check_layers.py", "firmware/cp/b.c", 'void f(void) { __asm__("wfi"); }\n', "assembly"),
    ("check_layers.py", "firmware/cp/b.c", "int *p = (int *)0x2000000;\n", "fixed address"),
    ("check_layers.py", "firmware/cp/b.c", "char *p = (char *)(uintptr_t)4096u;\n", "fixed address"),
    ("check_layers.py", "firmware/cp/b.c", "/* for qemu-virt64 */\n", "names the board"),
    ("check_layers.py", "firmware/cp/b.c", "#ifdef BOARD_X\n#endif\n", "by board"),
    ("check_style.py", "hal/b.c", "int x;\n", "SPDX"),
    ("check_style.py", "firmware/cp/unit.c", LONG, "function of 63 lines"),
    ("check_style.py", "firmware/cp/unit.c", body("goto end;"), "goto"),
    ("check_style.py", "hal/b.c", LICENCE + "/* TO" + "DO: x */\n", "reminder"),
    ("check_style.py", "tests/b.py", "# SPDX-License-Identifier: Apache-2.0\ndef f():\n" + "    x = 1\n" * 60,
     "f() has 61 lines"),
    ("check_compile.py headers", "firmware/cp/unit.h", LICENCE + "uint32_t unit_next(uint32_t v);\n",
     "firmware/cp/unit.h: "),
    ("check_compile.py headers", "hal/b.h", LICENCE + "struct twice {\n\tint x;\n};\n", "redefinition"),
    ("check_compile.py sources", "firmware/cp/unit.c", body("return (uint8_t)value + value / 1.5;"),
     "firmware/cp/unit.c"),
    ("check_format.py", "firmware/cp/unit.c", body("return value+1u;"), "clang-formatted"),
    ("check_lint.py clang-tidy", "firmware/cp/unit.c", body("return unit_next(value - 1u);"), "recursi"),
    ("check_lint.py cppcheck", "firmware/cp/unit.c",
     body("const uint32_t few[2] = { 1u, 2u };\n\n\treturn few[2] + value;"), "out of bounds"),
    ("check_style.py", "docs/b.md", "a" * 2000 + "\n", "a line of 2000 characters"),
    ("coverage.py", "tests/unit/test_unit.c", TEST.replace("S0-R10", "S0-R99"), "S0-R99 is not a number"),
    ("coverage.py", "tests/system/test_boot.py", SYSTEM.replace("R11", "R77"), "S0-R77 is not a number"),
    ("coverage.py", "firmware/cp/unit.c", UNIT + "/* The next one (S0-R14). */\n", "unit.c:8: S0-R14 is not a number"),
    ("coverage.py", "host/lib/device.h", LICENCE + "/* See S0-Q2. */\n", "S0-Q2 is not a number"),
    ("coverage.py", "hal/irq.h", LICENCE + "/* S7-R1 */\n", "S7-R1 is not a number"),
    ("coverage.py", "docs/DESIGN.md", "As S0-R15 says.\n", "S0-R15 is not a number"),
    ("coverage.py", "tests/system/test_boot.py", "", "S0-R11: no test and no reason"),
    ("coverage.py", "tests/unit/test_unit.c", TEST.replace("\tnext_follows(0);\n", ""), "never registered"),
    ("coverage.py", "docs/spec/s0.md", GOOD["docs/spec/s0.md"] + "\n**S0-R14** New.\n", "S0-R14: no test and no reason"),
    ("coverage.py", "docs/spec/s0.md", GOOD["docs/spec/s0.md"] + "\n**S0-R10** Again.\n", "S0-R10 has two paragraphs"),
    ("coverage.py", "docs/spec/s0.md", GOOD["docs/spec/s0.md"].replace("**S0-R11**", "S0-R11"), "S0-R11 is not a number"),
    ("coverage.py", "docs/spec-reasons.txt", "", "S0-R12: no test and no reason"),
    ("coverage.py", "docs/spec-reasons.txt", GOOD["docs/spec-reasons.txt"] + "S0-R10: none\n", "has to go"),
    ("coverage.py", "docs/spec-reasons.txt", GOOD["docs/spec-reasons.txt"] + "S0-R50: none\n", "S0-R50 is not a number"),
    ("coverage.py", "docs/spec-reasons.txt", "S0-R10..S0-R12: not built yet\n", "S0-R10..S0-R12 is not a number"),
    ("coverage.py", "docs/spec-reasons.txt", "S0-R12:\n", "no reason in"),
    ("coverage.py", "docs/COVERAGE.md", "", "stale"),
]


@pytest.mark.parametrize("command, path, content, says", FAULTS,
                         ids=[f"{fault[0].split('.')[0]}-{number}" for number, fault in enumerate(FAULTS)])
def test_a_planted_fault_fails(tree, command, path, content, says):
    put(tree, path, content)
    status, output = check(tree, command)
    assert status != 0, f"not noticed: {output}"
    assert says in output


def test_a_long_file_is_a_warning(tree):
    put(tree, "hal/b.c", LICENCE + "int x;\n" * 399)
    assert "warning" not in check(tree, "check_style.py")[1]
    put(tree, "hal/b.c", LICENCE + "int x;\n" * 400)
    status, output = check(tree, "check_style.py")
    assert status == 0 and "warning: hal/b.c: 401 lines" in output


def test_the_warnings_of_a_check_that_passes_are_shown():
    text = "warning: long\nin order\n"
    assert runner.worth_telling(junit.Case("check", "style", "passed", text)) == ["warning: long"]
    assert runner.worth_telling(junit.Case("check", "style", "failed", text)) == ["warning: long", "in order"]


def test_the_table_has_a_row_for_each_number(tree):
    """Questions have none: nobody tests them."""
    assert check(tree, "coverage.py --table table.md")[0] == 0
    rows = [line for line in (tree / "table.md").read_text().splitlines() if line.startswith("| S")]
    assert rows == ["| S0-R10 | tests/unit/test_unit.c::next_follows |", "| S0-R11 | tests/system/test_boot.py::test_boots |",
                    "| S0-R12 | none: worked example |"]


@pytest.fixture(scope="module")
def our_tests(tmp_path_factory):
    """What the coverage check reads of this repository."""
    root = tmp_path_factory.mktemp("ours")
    for part in ("docs", "tests"):
        shutil.copytree(TOOLS.parent / part, root / part, ignore=shutil.ignore_patterns("__pycache__", "build*"))
    return root


@pytest.mark.parametrize("number", ["S0-R22", "S1-R83", "S2-R59", "S3-R113", "S4-R46"])
def test_a_number_that_no_test_cites_any_more_fails(our_tests, number):
    """In this repository itself: no reason stands in for the tests of a number."""
    citing = [path for path in (our_tests / "tests").rglob("*") if path.suffix in {".c", ".py"}]
    before = {path: path.read_text() for path in citing}
    changed = [path for path, content in before.items() if re.search(rf"\b{number}\b", content)]
    for path in changed:
        path.write_text(re.sub(rf"\b{number}\b", "", before[path]))
    status, output = check(our_tests, "coverage.py")
    for path in changed:
        path.write_text(before[path])
    assert changed and status != 0
    assert f"{number}: no test and no reason" in output
