# SPDX-License-Identifier: Apache-2.0
"""tools/check_homes.py is given functions that are where their header says, and then one that is not."""
import pytest

from test_checks import check, put

GOOD = {
    "firmware/cp/a.h": "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                       "#define A_ONE(x) \\\n\ta_one(x)\nstruct a {\n\tint (*call)(int);\n};\nextern struct a a_table[2];\n"
                       "_Static_assert(sizeof(int) == 4, \"four\");\n"
                       "__attribute__((format(printf, 1, 2))) int a_one(const char *format, ...);\n"
                       "_Noreturn void a_stop(void (*then)(int));\n"
                       "static inline int a_two(void)\n{\n\treturn 2;\n}\n",
    "firmware/cp/a.c": "struct a a_table[2] = { { a_first }, { a_second } };\nstatic int inner(void);\n"
                       "int a_one(const char *format, ...)\n{\n\tif (inner()) {\n\t\tother(1);\n\t}\n\treturn 0;\n}\n"
                       "static int inner(void)\n{\n\treturn 1;\n}\n"
                       "_Noreturn void a_stop(void (*then)(int))\n{\n\tthen(1);\n}\n",
    "firmware/sm/a.h": "int a_one(void);\n",
    "firmware/sm/a.c": "int a_one(void)\n{\n\treturn 1;\n}\n",
    "firmware/cp/part/b.h": "int b(void);\n",
    "firmware/cp/part/b.c": "int b(void)\n{\n\treturn 1;\n}\n",
    "firmware/cp/part/absent.c": "int b(void)\n{\n\treturn 0;\n}\n",
    "hal/irq.h": "void irq_enable(void);\n",
    "hal/riscv/irq.c": "void irq_enable(void)\n{\n}\n",
    "hal/drivers/clint.c": "void irq_enable(void)\n{\n}\n",
    "host/include/ganger.h": "int gg_open(void);\n",
    "host/lib/open.c": "int gg_open(void)\n{\n\treturn 0;\n}\n",
    "host/broker/main.c": "int main(void)\n{\n\treturn 0;\n}\n",
}
# File that is added, its content, and what the check has to say.
FAULTS = [
    ("firmware/cp/c.c", "int c(void)\n{\n\treturn 1;\n}\n", "c() is declared in no header"),
    ("firmware/cp/c.c", "int b(void)\n{\n\treturn 1;\n}\n", "b() is declared in firmware/cp/part/b.h"),
    ("firmware/cp/c.c", "struct a *\na_one(int n)\n{\n\treturn 1;\n}\n", "firmware/cp/c.c:2: a_one() is declared in firmware/cp/a.h"),
    ("firmware/cp/c.c", "int b(void);\nstatic int c(void)\n{\n\treturn b();\n}\n", "b() is declared in a source"),
    ("firmware/cp/absent.c", "int b(void)\n{\n\treturn 1;\n}\n", "b() is declared in firmware/cp/part/b.h"),
    ("firmware/cp/irq.c", "void irq_enable(void)\n{\n}\n", "irq_enable() is declared in hal/irq.h"),
    ("host/broker/open.c", "int gg_open(void)\n{\n}\n", "gg_open() is declared in host/include/ganger.h"),
    ("hal/drivers/d.c", "void d(void)\n{\n}\n", "d() is declared in no header"),
]


def test_a_good_tree_passes(tree):
    assert check(tree, "check_homes.py") == (0, "every public function is where its header says\n")


@pytest.mark.parametrize("path, content, says", FAULTS)
def test_a_function_that_is_not_at_home(tree, path, content, says):
    put(tree, path, content)
    status, output = check(tree, "check_homes.py")
    assert status == 1 and says in output and len(output.splitlines()) == 1
