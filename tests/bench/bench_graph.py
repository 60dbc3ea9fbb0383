# SPDX-License-Identifier: Apache-2.0
"""What task graphs cost: one table, each figure beside its goal. `make bench`; --json FILE."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "host" / "python"))

import table  # noqa: E402
from options import read_options  # noqa: E402
from table import Row  # noqa: E402

ROWS = (
    Row("blank", "blank one-CTA task, alone", 800, goal_32=890),
    Row("wide_added", "blank pass in a graph, more than that, independent", 350),
    Row("wide", "  all of it"),
    Row("chain_added", "  in a chain: more than the task", 350),
    Row("chain", "  all of it"),
    Row("chain_8", "  of 8 CTAs, all of it"),
    Row("chain_1000", "  of 1,000 CTAs, all of it"),
    Row("made", "making a graph: one more pass"),
    Row("report", "report: one more pass"),
    Row("again_added", "kept graph: one more pass, more than the task", 350),
    Row("again", "  all of it"),
    Row("edge", "one more edge, made and used", 40),
    Row("edge_made", "  made"),
    Row("edge_again", "  used, in a kept graph"),
    Row("graph", "graph of one blank pass"),
    Row("time_graph", "chain of 100 blank passes as a graph", None, "us"),
    Row("time_kept", "  as a kept graph", None, "us"),
    Row("time_loose", "  as a graph of independent passes", None, "us"),
    Row("time_tasks", "  as 100 tasks, each awaited by the host", None, "us"),
    Row("time_after", "  as 100 tasks that come after each other", None, "us"),
    Row("share_tasks", "graph's time, of that of tasks awaited one by one", 33, "%"),
    Row("share_after", "graph's time, of that of tasks after each other", 33, "%"),
)

NOTES = (
    "Instructions of the control processor, from sleep to sleep, 8 SMs, counted by a QEMU plugin under",
    "-icount. Costs of one more are slopes: from 128 to 384 passes; from 1 to 9 edges of each of 384 passes",
    "in layers of 16. What a pass costs more than the same task alone is the price of its generation and",
    "of its scheduling; a task that is alone pays for its command, its completion and for waking up.",
    "Times: of this machine, the least of 50 rounds of all ways in turn; the host has built the graph before.",
)
GRAPHS = table.Table(ROWS, NOTES)


def main() -> int:
    """Measures and prints."""
    options = read_options(__doc__, once=False)

    import graph_costs
    why: dict = {}
    results = {board: graph_costs.measure(board, why) for board in options.boards}
    table.report(options.json, GRAPHS, results, why, "Measured once.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
