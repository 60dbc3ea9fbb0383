# SPDX-License-Identifier: Apache-2.0
"""What CGAs cost: one table. `make bench`; --json FILE."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "host" / "python"))

import table  # noqa: E402
from options import read_options  # noqa: E402
from table import Row  # noqa: E402

ROWS = (
    Row("cga", "CGA of 16 CTAs, 8 GPCs x 16 SMs: query and launch", 1250),
    Row("cga_more", "  one more CGA of the same session", 1250),
    Row("cga_first", "  the first after a grid that used all 128 SMs"),
    Row("cga_start", "  doorbell to the last CTA's first instruction"),
    Row("cga_grid_1", "grid of 1 CGA of 16, all its life, for each CTA", 200),
    Row("cga_grid_4", "  of 4 CGAs"),
    Row("cga_grid_16", "  of 16 CGAs"),
    Row("cga_grid_64", "  of 64 CGAs: all CTA slots of 128 SMs"),
    Row("cga_137", "CGA of 137 CTAs, GPU_CGA on 32 SMs: query and launch"),
    Row("cga_137_start", "  doorbell to the last CTA's first instruction"),
    Row("cga_barrier_1", "CGA barrier, 1 member: CP", 0),
    Row("cga_barrier_8", "  8 members", 0),
    Row("cga_barrier_16", "  16 members", 0),
    Row("cga_barrier_sm_1", "CGA barrier, 1 member: its SM"),
    Row("cga_barrier_sm_8", "  8 members: each one's SM"),
    Row("cga_barrier_sm_16", "  16 members"),
    Row("cga_map_8", "SM: map_shared_rank(), 8 members"),
    Row("cga_map_16", "  16 members"),
    Row("cga_hit", "SM: load from another member, window open"),
    Row("cga_miss", "SM: load from another member, window opened for it"),
)

NOTES = (
    "Instructions counted by a QEMU plugin under -icount: of the control processor, but for rows that",
    "say SM. Query and launch: the whole session of placement, with the packets of all CTAs,",
    "but without the assignments, which the SMs acknowledge one by one. Costs of one more are slopes.",
    "A barrier is that of members on different SMs, which all sleep until it lets them go.",
)
CGA = table.Table(ROWS, NOTES)


def falling_text(results: dict) -> str:
    """Whether a CTA is cheaper in a larger grid."""
    keys = [row.key for row in ROWS if row.key.startswith("cga_grid_")]
    texts = []
    for board, figures in results.items():
        costs = [figures[key].number for key in keys if key in figures]
        fall = len(costs) == len(keys) and costs == sorted(costs, reverse=True)
        texts.append(f"{board} {'falls' if fall else 'DOES NOT FALL'}")
    return "Cost of a CTA as grids grow: " + ", ".join(texts)


def main() -> int:
    options = read_options(__doc__, once=False)

    import cga_costs
    why: dict = {}
    results = {board: cga_costs.measure(board, why) for board in options.boards}
    table.report(options.json, CGA, results, why, falling_text(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
