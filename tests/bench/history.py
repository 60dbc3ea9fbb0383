# SPDX-License-Identifier: Apache-2.0
"""Keeps docs/FIGURES.md: the main figures of the last ten commits that were measured, a column each, so that a step back
is seen. `make figures` measures the commit that is checked out and adds its column."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "FIGURES.md"
COLUMNS = 10
WORSE = 1.02  # times the figure before: marked
BOARDS = ("qemu-virt64", "qemu-virt32")

# The figures, by the script that measures them: its key, and what the page calls it.
FIGURES = {
    "launch": {
        "first_cta": "doorbell to the first CTA", "blank": "blank task, all its life",
        "batch": "one more blank task, posted together", "turns": "blank task, four kernels in turns", "nop": "NOP",
        "marginal": "one more CTA, with a packet of its own", "marginal_batch": "one more CTA, packets as they come",
        "wide_start": "1,024 CTAs on 128 SMs, to the last start", "wide_whole": "1,024 CTAs on 128 SMs, all of it",
        "pull_1000": "pulled grid of 1,000 CTAs on 16 SMs", "handler": "interrupt handler, worst",
        "sm_pushed": "one more CTA on its SM, by packet", "sm_pulled": "one more CTA on its SM, pulled",
        "cp_image": "image of the control processor, bytes", "sm_image": "image of an SM, bytes"},
    "cga": {
        "cga": "CGA of 16 CTAs: query and launch", "cga_grid_1": "CGA of 16 CTAs, all its life, for each CTA",
        "cga_barrier_16": "barrier of a CGA of 16"},
    "graph": {
        "wide": "blank pass of a graph", "chain": "blank pass in a chain",
        "chain_8": "  the same of 8 CTAs", "chain_1000": "  the same of 1,000 CTAs", "again": "blank pass of a kept graph",
        "edge": "edge of a graph, made and used"},
    "schedule": {
        "decision_100": "urgent task with 100 pending", "quota": "launch quota used",
        "beside_1": "blank task beside a running grid", "together": "grid of 16 CTAs, three posted together",
        "several": "grid of 2 CTAs, 32 posted together, 8 SMs",
        "throttle_8": "throttle mode on and off, 8 SMs", "push": "push of an item by the host, and its CTA",
        "push_kernel": "push of an item by a kernel, and its CTA", "child": "child of one CTA, from launch to end",
        "edge": "dependence, made and used"},
}

HEAD = """# Figures of the last commits

`make figures` measures the commit that is checked out and adds a column, the newest first; the tenth before it leaves.
Each cell is for qemu-virt64 / qemu-virt32, in instructions of the control processor under `-icount`, or in what the
title says. Bold: more than {worse:.0f} % above the column to the right of it. [DESIGN.md](DESIGN.md#figures) says what the
figures are and where the instructions go.

"""


def git(*words: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True).stdout.strip()


def rows_of(folder: Path) -> dict:
    """Title of each figure: its cell."""
    found = {}
    for name, titles in FIGURES.items():
        boards = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["boards"]
        for key, title in titles.items():
            found[title] = " / ".join(f"{round(boards[board][key]['value']):,}" if key in boards[board] else "n/a"
                                      for board in BOARDS)
    return found


def page_read() -> tuple:
    """The commits of the page, and the cells of each title, without marks."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")] if PAGE.is_file() else []
    table_of = [[cell.strip().replace("**", "") for cell in line.strip("|").split("|")] for line in lines]
    if not table_of:
        return [], {}
    return table_of[0][1:], {line[0]: line[1:] for line in table_of[1:]}


def marked(cell: str, before: str) -> str:
    """Bold when one of the two figures has become worse."""
    pairs = zip(cell.split(" / "), before.split(" / "))
    numbers = [(float(new.replace(",", "")), float(old.replace(",", ""))) for new, old in pairs if "n/a" not in new + old and old]
    return f"**{cell}**" if any(new > WORSE * old for new, old in numbers) else cell


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("usage: history.py FOLDER, with launch.json, cga.json, graph.json and schedule.json in it")
    if git("status", "--porcelain", "--untracked-files=no", "--", "firmware", "hal", "boards", "linker"):
        sys.exit("The firmware has changes that are not committed: commit them first, so that the column has a name.")
    name = f"{git('rev-parse', '--short=7', 'HEAD')} {git('log', '-1', '--format=%cs')}"
    new = rows_of(Path(sys.argv[1]))
    commits, old = page_read()
    keep = [place for place, commit in enumerate(commits) if commit != name][:COLUMNS - 1]
    commits = [name] + [commits[place] for place in keep]
    lines = [f"| figure | {' | '.join(commits)} |", "|---" * (len(commits) + 1) + "|"]
    for title, cell in new.items():
        cells = [cell] + [old[title][place] if title in old else "" for place in keep]
        shown = [marked(one, before) for one, before in zip(cells, cells[1:])] + cells[-1:]
        lines.append(f"| {title} | {' | '.join(shown)} |")
    PAGE.write_text(HEAD.format(worse=100 * WORSE - 100) + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
