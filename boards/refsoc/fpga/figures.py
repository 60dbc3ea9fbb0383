# SPDX-License-Identifier: Apache-2.0
"""One line of figures of a design: from nextpnr's report when it is placed and routed, or from the netlist of yosys."""
import argparse
import collections
import json
import sys
from pathlib import Path

CELLS = {"TRELLIS_COMB": "LUT4", "TRELLIS_FF": "flip-flops", "DP16KD": "block RAMs", "MULT18X18D": "multipliers"}
# Cells that nextpnr makes of LUTs, and of how many: carries, and memory of 16 words of 4 bits.
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}


def routed(report):
    """The figures, and whether all clocks are fast enough."""
    cells = [f"{report['utilization'][cell]['used']} of {report['utilization'][cell]['available']} {name}"
             for cell, name in CELLS.items()]
    clocks = [f"{clock['achieved']:.1f} MHz (needs {clock['constraint']:g})" for clock in report["fmax"].values()]
    return cells + clocks, all(clock["achieved"] >= clock["constraint"] for clock in report["fmax"].values())


def synthesised(netlist):
    """The same cells before they are placed. The netlist describes the FPGA's cells, too; the design is its top."""
    top, = (module for module in netlist["modules"].values() if int(module["attributes"].get("top", "0"), 2))
    count = collections.Counter(cell["type"] for cell in top["cells"].values())
    count["TRELLIS_COMB"] = sum(luts * count[cell] for cell, luts in LUTS.items())
    return [f"{count[cell]} {name}" for cell, name in CELLS.items()] + ["after synthesis, not routed"], True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board")
    parser.add_argument("report", type=Path, help="nextpnr's report or yosys's netlist")
    parser.add_argument("seconds", nargs="*", metavar="STEP=SECONDS")
    arguments = parser.parse_args()
    report = json.loads(arguments.report.read_text())
    figures, good = (synthesised if "modules" in report else routed)(report)
    print(f"{arguments.board}: " + ", ".join(figures + arguments.seconds))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
