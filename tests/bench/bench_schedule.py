# SPDX-License-Identifier: Apache-2.0
"""What the scheduler's decisions cost: one table. `make bench`; --json FILE."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "host" / "python"))

import table  # noqa: E402
from options import read_options  # noqa: E402
from table import Row  # noqa: E402

ROWS = (
    Row("decision_1", "urgent blank task, 1 task pending"),
    Row("decision_100", "  with 100 pending (table full: evicts one, which comes back)", 1800),
    Row("decision_10000", "  with 10,000 pending", 1800),
    Row("decision_100000", "  with 100,000 pending", 1800),
    Row("evict", "eviction and resuming, without a CTA in flight"),
    Row("quota", "quota used, alone in its priority"),
    Row("quota_turn", "quota used, another task's turn on the SM"),
    Row("throttle_8", "throttle mode on and off, 8 SMs"),
    Row("throttle_64", "  with 64 SMs"),
    Row("throttle_sm", "  for each SM more"),
    Row("beside_1", "blank task beside a grid of 2 CTAs that runs"),
    Row("beside_2", "  grid of 2 CTAs"),
    Row("together", "grid of 16 CTAs, three posted together, 64 SMs"),
    Row("several", "grid of 2 CTAs, 32 posted together, 8 SMs"),
    Row("push", "push of one item by the host, and its CTA", 900),
    Row("push_many", "one more item of a push, and its CTA"),
    Row("push_kernel", "push of one item by a kernel, and its CTA", 900),
    Row("child", "child of one CTA, from launch to end", 900),
    Row("edge", "dependence: one DECREMENT made and used", 100),
    Row("edge_after", "dependence: one entry of `after` made and used", 100),
)

NOTES = (
    "Instructions of the control processor, from sleep to sleep, counted by a QEMU plugin under",
    "-icount (pending tasks, and beside a grid: without, since SMs are kept busy). The goal for pending",
    "tasks is that the cost is flat from 100 to 100,000. Costs of one more are slopes.",
)
SCHEDULE = table.Table(ROWS, NOTES)


def flat_text(results: dict) -> str:
    """How far the cost of a decision grows with the number of pending tasks."""
    texts = []
    for board, figures in results.items():
        costs = [figures[key].number for key in ("decision_100", "decision_10000",
                                                 "decision_100000") if key in figures]
        if len(costs) > 1:
            texts.append(f"{board} {100 * (max(costs) / min(costs) - 1):.1f} %")
    return "Pending tasks, largest over smallest cost from 100 on: " + (", ".join(texts) or "n/a")


def main() -> int:
    options = read_options(__doc__, once=False)

    import schedule_costs
    why: dict = {}
    results = {board: schedule_costs.measure(board, why) for board in options.boards}
    table.report(options.json, SCHEDULE, results, why, flat_text(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
