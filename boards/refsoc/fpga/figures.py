# SPDX-License-Identifier: Apache-2.0
"""One line of figures of a placed and routed design, from nextpnr's report and the seconds of each step."""
import argparse
import json
import sys
from pathlib import Path

CELLS = {"TRELLIS_COMB": "LUT4", "TRELLIS_FF": "flip-flops", "DP16KD": "block RAMs", "MULT18X18D": "multipliers"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board")
    parser.add_argument("report", type=Path)
    parser.add_argument("seconds", nargs="*", metavar="STEP=SECONDS")
    arguments = parser.parse_args()
    report = json.loads(arguments.report.read_text())
    cells = [f"{report['utilization'][cell]['used']} of {report['utilization'][cell]['available']} {name}"
             for cell, name in CELLS.items()]
    clocks = [f"{clock['achieved']:.1f} MHz (needs {clock['constraint']:.0f})" for clock in report["fmax"].values()]
    print(f"{arguments.board}: " + ", ".join(cells + clocks + arguments.seconds))
    return 0 if all(clock["achieved"] >= clock["constraint"] for clock in report["fmax"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
