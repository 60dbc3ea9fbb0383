# SPDX-License-Identifier: Apache-2.0
"""tools/check_owners.py is given rooms that write their own members of struct task, and then one that does not."""
import pytest

from test_checks import check, put

TASK = """\
#pragma once
struct task_turn {
	int left;
	int quota[2];
};
struct task {
	int tmd; /**< Checked copy. Written by: accept,
		  * life and task. */
	/** Turns; a comma, and a word. Written by: schedule. */
	struct task_turn turn;
	/** Family.
	 * Written by: life. */
	struct {
		struct task *parent; /**< Of the family. */
		int state;           /**< Written by: nobody, as this is no member of struct task itself. */
	} family;
	struct task *next; /**< Of its list. Written by: task. */
	int words[4];      /**< Written by: life. */
};
struct task *task_take(void);
void turn_more(struct task_turn *turn);
static inline void task_put(struct task *task, struct task *next)
{
	task->next = next;
}
"""
INCLUDE = '#include "firmware/cp/task/task.h"\n'
GOOD = {
    "firmware/cp/task/task.h": TASK,
    "firmware/cp/task/task.c": INCLUDE + "struct task *task_take(void)\n{\n\tstatic struct task task;\n"
                                         "\ttask.tmd = 1;\n\ttask.next = 0;\n\treturn &task;\n}\n",
    "firmware/cp/life/life.h": INCLUDE + "static inline void life_set(struct task *task)\n{\n"
                                         "\ttask->family.state = 1;\n\ttask->words[1] = 2;\n}\n",
    "firmware/cp/accept/accept.c": INCLUDE + '#include "firmware/cp/life/life.h"\n'
                                             "void accept(struct task *t);\nvoid accept(struct task *t)\n{\n\tt->tmd++;\n"
                                             "\tlife_set(t);\n\ttask_put(t, t->family.parent);\n\tturn_more(&t->turn);\n}\n",
    "firmware/cp/schedule/schedule.c": INCLUDE + "void turn_more(struct task_turn *turn)\n{\n\tturn->left++;\n}\n"
                                                 "void more(struct task *t);\nvoid more(struct task *t)\n{\n"
                                                 "\tt->turn = (struct task_turn){ 1, { 2 } };\n"
                                                 "\tturn_more(&t->turn);\n}\n",
    "firmware/cp/main.c": INCLUDE + "int top(const struct task *t);\nint top(const struct task *t)\n{\n"
                                    "\treturn t->turn.left + t->family.state;\n}\n",
}
# What a function of the room accept does, and what the check has to say.
FAULTS = [
    ("t->turn.left = 1;", "read-only"),
    ("t->turn.left--;", "read-only"),
    ("t->turn.quota[1] |= 1;", "read-only"),
    ("t->family.state += 1;", "read-only"),
    ("t->family.parent->family.state = 1;", "read-only"),
    ("t->next = t;", "read-only"),
    ("t->words[2] = 1;", "read-only"),
    ("t->turn = (struct task_turn){ 0 };", "read-only"),
    ("*t = *t->next;", "read-only"),
    ("struct task_turn *turn = &t->turn;\n\tturn->left = 1;", "discards"),
    ("struct task **link = &t->next;\n\t*link = 0;", "discards"),
    ("memset(&t->turn, 0, sizeof(t->turn));", "discards"),
    ("own(&t->turn);", "discards"),
]


def test_a_good_tree_passes(tree):
    assert check(tree, "check_owners.py") == (0, "every room writes its own members of struct task\n")


@pytest.mark.parametrize("code, says", FAULTS)
def test_a_write_from_another_room(tree, code, says):
    put(tree, "firmware/cp/accept/accept.c",
        f"#include <string.h>\n{INCLUDE}static inline void own(struct task_turn *turn)\n{{\n\tturn->left = 1;\n}}\n"
        f"void accept(struct task *t);\nvoid accept(struct task *t)\n{{\n\t{code}\n}}\n")
    status, output = check(tree, "check_owners.py")
    assert status == 1 and says in output and "accept does not write this" in output
    assert len(output.splitlines()) == 1, output


@pytest.mark.parametrize("path, room", [("firmware/cp/task/task.h", "task"), ("firmware/cp/life/life.h", "life"),
                                        ("firmware/cp/loop.h", "top")])
def test_a_write_in_a_header(tree, path, room):
    put(tree, path, GOOD.get(path, INCLUDE)
        + "static inline void late(struct task *task)\n{\n\ttask->turn.left = 1;\n}\n")
    status, output = check(tree, "check_owners.py")
    assert status == 1 and f"{path}:" in output and f"{room} does not write this" in output
    assert len(output.splitlines()) == 1, output


def test_a_room_that_does_not_exist(tree):
    put(tree, "firmware/cp/task/task.h", TASK.replace("by: schedule", "by: scheduel, schedule"))
    assert "there is no room scheduel" in check(tree, "check_owners.py")[1]


def test_a_member_without_a_room(tree):
    put(tree, "firmware/cp/task/task.h", TASK.replace(" Written by: task.", ""))
    status, output = check(tree, "check_owners.py")
    assert status == 1 and "no room writes next: name one" in output


def test_without_the_structure(tree):
    put(tree, "firmware/cp/task/task.h", TASK.replace("struct task {", "struct job {"))
    assert "struct task was not found" in check(tree, "check_owners.py")[1]


def test_what_does_not_compile_is_a_problem(tree):
    put(tree, "firmware/cp/main.c", "int top(\n")
    assert "firmware/cp/main.c does not compile" in check(tree, "check_owners.py")[1]
