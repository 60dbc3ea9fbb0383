# SPDX-License-Identifier: Apache-2.0
"""tools/check_calls.py is given units that call downwards only, and then one with a planted circle or upward call."""
import pytest

import check_calls
import check_layers
from test_checks import LICENCE, put


def unit(root, name, header, code, *includes):
    """A unit: what its header has, and what its .c file has."""
    put(root, f"{name}.h", f"{LICENCE}#pragma once\n{header}\n")
    lines = [f'#include "{path}.h"\n' for path in (name, *includes)]
    put(root, f"{name}.c", LICENCE + "".join(lines) + code + "\n")


LOW, HIGH = "firmware/cp/low", "firmware/cp/high"
TABLE = "struct row { void (*act)(void); };\nextern const struct row low_table[1];\nvoid low(void);"


@pytest.fixture
def good(tmp_path, monkeypatch):
    """High calls low and fills in the table of low, which calls through it."""
    monkeypatch.setattr(check_calls, "ACCEPTED", {})
    unit(tmp_path, LOW, TABLE, "void low(void)\n{\n\tlow_table[0].act();\n}")
    unit(tmp_path, HIGH, "void high(void);",
         "static void act(void)\n{\n}\nconst struct row low_table[1] = { { act } };\n"
         "void high(void)\n{\n\tlow();\n}", LOW)
    return tmp_path


def problems(root):
    graph, failed = check_calls.read(root)
    return [*failed, *check_calls.circle_problems(graph), *check_calls.room_problems(graph)]


def test_a_good_tree_passes(good):
    assert problems(good) == []


def test_namesakes_and_local_names_are_no_calls(good):
    """A local variable, a member, a static function and another image's function have the name of one in high."""
    unit(good, "firmware/cp/other", "struct s { int high; };\nint other(struct s *s);",
         "static int act(int high)\n{\n\treturn high;\n}\nint other(struct s *s)\n{\n\treturn act(s->high);\n}")
    unit(good, "firmware/sm/high", "void high(void);", "void high(void)\n{\n}")
    unit(good, "firmware/sm/low", "void low(void);", "void low(void)\n{\n\thigh();\n}", "firmware/sm/high")
    assert problems(good) == []


CIRCLES = {
    "a call": ("void low(void)\n{\n\thigh();\n}", "low -> high"),
    "an address": ("void low(void)\n{\n}\nvoid (*const low_next)(void) = high;", "low_next -> high"),
    "data": ("void low(void)\n{\n\thigh_count++;\n}", "low -> high_count"),
    "a static function": ("static void inner(void)\n{\n\thigh();\n}\nvoid low(void)\n{\n\tinner();\n}", "inner -> high"),
}


@pytest.mark.parametrize("how", CIRCLES)
def test_a_circle_is_found(good, how):
    code, says = CIRCLES[how]
    unit(good, LOW, TABLE, f"void high(void);\nextern int high_count;\n{code}")
    unit(good, HIGH, "void high(void);", "int high_count;\nvoid high(void)\n{\n\tlow();\n}", LOW)
    found = problems(good)
    assert len(found) == 1 and "2 units" in found[0]
    assert f"{LOW} -> {HIGH}: {says}" in found[0] and f"{HIGH} -> {LOW}: high -> low" in found[0]


def test_a_circle_through_an_inline_function_of_a_header(good):
    """Only a third .c file uses the inline function, so only its object shows the call."""
    unit(good, LOW, TABLE + "\nvoid high(void);\nstatic inline void low_ask(void)\n{\n\thigh();\n}",
         "void low(void)\n{\n}")
    unit(good, "firmware/cp/user", "void user(void);", "void user(void)\n{\n\tlow_ask();\n}", LOW)
    found = problems(good)
    assert len(found) == 1 and f"{LOW} -> {HIGH}: low_ask -> high" in found[0]


def test_a_table_that_is_no_constant_belongs_to_its_definition(good):
    path = good / f"{LOW}.h"
    path.write_text(path.read_text().replace("const ", ""))
    path = good / f"{HIGH}.c"
    path.write_text(path.read_text().replace("const ", ""))
    assert f"{LOW} -> {HIGH}: low -> low_table" in problems(good)[0]


def test_static_data_of_an_inline_function_belongs_to_its_header(good):
    unit(good, LOW, TABLE + "\nstatic inline int low_of(int i)\n{\n\tstatic const int of[2] = { 3, 4 };\n"
         "\treturn of[i];\n}", "void low(void)\n{\n}")
    unit(good, HIGH, "int high(int i);", "int high(int i)\n{\n\tlow();\n\treturn low_of(i);\n}", LOW)
    assert problems(good) == []


def test_stubs_are_left_out(good):
    put(good, "firmware/cp/absent.c", LICENCE + f'#include "{HIGH}.h"\nvoid low(void);\nvoid low(void)\n{{\n\thigh();\n}}\n')
    assert problems(good) == []


def test_what_does_not_compile_is_a_problem(good):
    put(good, "firmware/cp/broken.c", LICENCE + "int broken(void)\n{\n")
    assert "firmware/cp/broken.c: " in problems(good)[0]


ROOMS = {"firmware/cp": ("firmware/cp",), "firmware/cp/top": ("firmware/cp/top", "firmware/cp/base"),
         "firmware/cp/base": ("firmware/cp/base", "hal/irq.h")}


def test_a_call_upwards_is_found_without_a_circle(good, monkeypatch):
    """Base declares by itself what top defines, so no include tells."""
    monkeypatch.setattr(check_layers, "EDGES", ROOMS)
    unit(good, "hal/irq", "void irq(void);", "void irq(void)\n{\n}")
    unit(good, "firmware/cp/base/base", "void base(void);", "void base(void)\n{\n\tirq();\n}", "hal/irq")
    unit(good, "firmware/cp/top/top", "void top(void);", "void top(void)\n{\n\tbase();\n}", "firmware/cp/base/base")
    assert problems(good) == []
    unit(good, "firmware/cp/base/base", "void up(void);", "void base(void)\n{\n\tup();\n}")
    unit(good, "firmware/cp/top/top", "void up(void);", "void up(void)\n{\n}")
    found = problems(good)
    assert len(found) == 1
    assert "firmware/cp/base/base may not call firmware/cp/top/top: base -> up" in found[0]


def test_the_rooms_are_an_order(monkeypatch):
    assert list(check_calls.order_problems()) == []
    monkeypatch.setattr(check_layers, "EDGES", {**ROOMS, "firmware/cp/base": ("firmware/cp/top", "hal")})
    assert list(check_calls.order_problems()) == [
        "check_layers.py allows a circle of folders: firmware/cp/base, firmware/cp/top"]


def test_units_of_an_ordered_folder_call_downwards_only(good, monkeypatch):
    """The same calls with the right order, with the wrong one, with both in one line, and with one left out."""
    def found(*layers):
        monkeypatch.setattr(check_calls, "ORDERED", {"firmware/cp": layers})
        return list(check_calls.unit_problems(check_calls.read(good)[0]))

    upwards = [f"{HIGH} may not call {LOW}, which is not below it: high -> low"]
    assert found("low", "high") == []
    assert found("high", "low") == found("high low") == upwards
    assert found("low") == [f"{HIGH} has no place in the order of firmware/cp in check_layers.py"]


def test_a_circle_fails_the_check(good):
    unit(good, LOW, TABLE, "void high(void);\nvoid low(void)\n{\n\thigh();\n}")
    assert any("2 units call each other in a circle" in text for text in check_calls.problems_of(good))
