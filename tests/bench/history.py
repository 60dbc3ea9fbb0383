# SPDX-License-Identifier: Apache-2.0
"""Keeps docs/FIGURES.md: the main figures of the last ten commits that were measured, a column each, so that a step back
is seen. `make figures` measures the commit that is checked out and adds its column."""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import bench_cga  # noqa: E402
import bench_graph  # noqa: E402
import bench_schedule  # noqa: E402
import table  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "FIGURES.md"
COLUMNS = 10
WORSE = 1.02  # times the figure before: marked
BOARDS = ("qemu-virt64", "qemu-virt32")

# The figures, by the script that measures them.
FIGURES = {
    "launch": (table.LAUNCH_ROWS, ("first_cta", "blank", "nop", "marginal", "marginal_batch", "wide_start", "wide_whole", "pull_1000",
                                   "sm_pushed", "sm_pulled", "handler", "cp_image", "sm_image")),
    "cga": (bench_cga.ROWS, ("cga", "cga_grid_1", "cga_barrier_16")),
    "graph": (bench_graph.ROWS, ("wide", "chain", "again", "edge")),
    "schedule": (bench_schedule.ROWS, ("decision_100", "quota", "throttle_8", "push", "push_kernel", "child", "edge")),
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
    for name, (rows, keys) in FIGURES.items():
        boards = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["boards"]
        outer = ""
        for row in rows:
            outer = outer if row.title.startswith("  ") else row.title
            title = row.title if outer == row.title else f"{outer}: {row.title.strip()}"
            if row.key in keys:
                unit = "" if row.unit == "instructions" else f" ({row.unit})"
                found[title + unit] = " / ".join(
                    f"{round(boards[board][row.key]['value']):,}" if row.key in boards[board] else "n/a" for board in BOARDS)
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
