# SPDX-License-Identifier: Apache-2.0
"""The figures, their goals, and how they are printed."""

import json
from typing import Dict, List, NamedTuple, Optional, Tuple


class Row(NamedTuple):
    key: str
    title: str
    goal: Optional[int] = None  # not to be exceeded; None: no goal is stated
    unit: str = "instructions"
    goal_32: Optional[int] = None  # of boards of 32 bits, if it is another one

    def goal_of(self, board: str) -> Optional[int]:
        """What the figure of a board should not exceed."""
        return self.goal_32 if self.goal_32 is not None and board.endswith("32") else self.goal

    def goal_text(self) -> str:
        """One goal, or both: 800 / 890."""
        goals = [goal for goal in (self.goal, self.goal_32) if goal is not None]
        return " / ".join(number_text(goal) for goal in goals)


class Table(NamedTuple):
    """What is measured, and what a reader has to know."""
    rows: Tuple[Row, ...]
    notes: Tuple[str, ...]


class Value(NamedTuple):
    """A figure: the number that is compared with the goal, and what else there is to say."""
    number: float
    detail: str = ""


LAUNCH_ROWS = (
    Row("first_cta", "doorbell to first CTA's first instruction, idle device", 500, goal_32=560),
    Row("blank", "blank one-CTA task, mailbox to completion", 800, goal_32=890),
    Row("blank_first", "  the same, first task after boot"),
    Row("batch", "  one more of 8 to 24 posted at once"),
    Row("turns", "  of four kernels in turns"),
    Row("nop", "NOP, mailbox to completion", 200),
    Row("marginal", "one more CTA, SMs full, one packet per CTA", 75),
    Row("marginal_batch", "one more CTA, SMs full, packets as they come", 20),
    Row("traced", "  traced: more than untraced, one packet per CTA", 25),
    Row("traced_batch", "  traced: more than untraced, packets as they come", 25),
    Row("traced_sm", "  traced: more than untraced, on its SM"),
    Row("wide_start", "1,024 CTAs onto 128 SMs x 8 slots, to the last start", 3000),
    Row("wide_whole", "  the same, to the completion", 6000),
    Row("pull_1000", "PULL grid of 1,000 CTAs on 16 SMs, all its life", 1750),
    Row("pull_10000", "  the first of 10,000", 1750),
    Row("pull_100000", "  the first of 100,000", 1750),
    Row("pull_1000000", "  the first of 1,000,000", 1750),
    Row("pull_10000000", "  the first of 10,000,000, without -icount", 1750),
    Row("cga", "CGA of 16 CTAs, query and launch, 8 GPCs x 16 SMs", 1250),
    Row("pending_1", "blank task with 1 task pending"),
    Row("pending_10", "  with 10 pending"),
    Row("pending_100", "  with 100 pending"),
    Row("pending_1000", "  with 1,000 pending"),
    Row("handler", "interrupt handler, worst case", 60),
    Row("thread", "SM: an empty thread"),
    Row("barrier", "SM: a barrier, for each thread"),
    Row("sm_pushed", "SM: one more empty CTA, 16 SMs, by packet", 400),
    Row("sm_pulled", "  pulled", 300),
    Row("restart", "panic of the CP, to the end of the first new task, 8 SMs"),
    Row("restart_us", "  the same, without -icount", None, "us of the device"),
    Row("sm_back", "hart that ends, to the end of its SM's first new task"),
    Row("sm_back_us", "  the same, without -icount", None, "us of the device"),
    Row("parked_us", "urgent task behind CTAs that never end, bound 20 ms, 4 SMs", 21000, "us of the device"),
    Row("cp_image", "CP image, text + rodata", 64 * 1024, "bytes"),
    Row("sm_image", "SM image, text + rodata", 12 * 1024, "bytes"),
    Row("echo", "doorbell echo (NOP), round trip, median", None, "us"),
    Row("round_trip", "blank task, round trip, median", None, "us"),
    Row("tasks_rate", "blank tasks, pipelined", None, "tasks/s"),
    Row("ctas_rate", "empty CTAs on 8 SMs, by packet", None, "CTAs/s"),
    Row("pull_rate", "  pulled", None, "CTAs/s"),
)

LAUNCH_NOTES = (
    "Instructions are those of the control processor, but for rows that say SM; counted for each",
    "hart by a QEMU plugin under -icount (pending tasks: without). QEMU is not cycle-accurate: these",
    "are counts, not times. A cost goes from sleep to sleep: interrupts and the loop's last look",
    "before it sleeps are in it. The first CTA's row counts all that the CP did until then; under",
    "-icount it runs on, after it rang the SM, until it sleeps.",
    "PULL grids and the SMs' cost of a CTA are measured once; a grid's cost may differ by some hundred",
    "from run to run, without -icount by some thousand.",
    "Recovery: instructions of the CP from boot until it sleeps, with the host's commands between (reset,",
    "task); an SM that ends on a bug of its own is found at once, and its host asks for its reset.",
    "Behind CTAs that never end: the largest of 100 waits from the task to its first CTA, under -icount.",
    "Sizes: the part of the image that is never written. Times: of this machine, in this run.",
)


LAUNCH = Table(LAUNCH_ROWS, LAUNCH_NOTES)


def number_text(number: float) -> str:
    return f"{number:,.1f}" if number != int(number) else f"{int(number):,}"


def cell(row: Row, board: str, value: Optional[Value]) -> str:
    if value is None:
        return "n/a"
    goal = row.goal_of(board)
    return number_text(value.number) + ("" if goal is None or value.number <= goal else " (over goal)")


def print_lines(lines: List[List[str]]) -> None:
    """The first line is the heading, the first column text, the others numbers."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for i, line in enumerate(lines):
        print("  ".join([line[0].ljust(widths[0])] +
                        [text.rjust(width) for text, width in zip(line[1:], widths[1:])]))
        if i == 0:
            print("  ".join("-" * width for width in widths))
    print()


def print_table(table: Table, results: Dict[str, Dict[str, Value]], why: Dict[str, str],
                repeat: str) -> None:
    """results[board][key]; why: what could not be measured, and the reason."""
    boards = list(results)
    lines = [["figure", "goal", *boards]]
    for row in table.rows:
        goal = "" if row.goal is None else f"<= {row.goal_text()}"
        cells = [cell(row, board, results[board].get(row.key)) for board in boards]
        lines.append([f"{row.title} [{row.unit}]" if row.unit != "instructions" else row.title,
                      goal, *cells])
    print_lines(lines)
    for row in table.rows:
        for board in boards:
            value = results[board].get(row.key)
            if value is not None and value.detail:
                print(f"{row.title.strip()}, {board}: {value.detail}")
    for what, reason in why.items():
        print(f"n/a: {what}: {reason}")
    print(repeat)
    print()
    print("\n".join(table.notes))


def write_json(path: str, table: Table, results: Dict[str, Dict[str, Value]],
               why: Dict[str, str], repeatable: Optional[bool]) -> None:
    data = {
        "rows": {row.key: {"title": row.title.strip(), "unit": row.unit, "goal": row.goal}
                 for row in table.rows},
        "boards": {board: {key: {"value": value.number, "detail": value.detail}
                           for key, value in figures.items()}
                   for board, figures in results.items()},
        "not_measured": why,
        "repeatable": repeatable,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=1)
        file.write("\n")


def report(path: Optional[str], table: Table, results: Dict[str, Dict[str, Value]], why: Dict[str, str],
           repeat: str = "", repeatable: Optional[bool] = None) -> None:
    """Prints a table, and writes its figures to a path, if there is one."""
    print_table(table, results, why, repeat)
    if path:
        write_json(path, table, results, why, repeatable)
