# SPDX-License-Identifier: Apache-2.0
"""Lines and branches that tests on this machine reach, by file, from gcovr's JSON; and those that they do not reach.

tests/gcov/reasons.txt says why some are not reached: FILE: text of the line  # reason. FILE and text may have * for
anything; the text * alone is the whole file. An entry that is not needed any more is reported. A branch of an assert()
that would fail is no branch. The exit status is 1 when fewer percent than --lines or --branches are reached, of those
without a reason.
"""
import argparse
import fnmatch
import json
import sys
from pathlib import Path


class Reason:
    """An entry of reasons.txt, and whether it was needed."""

    def __init__(self, entry):
        what, self.why = entry.split("  # ", 1)
        self.path, self.line = what.split(": ", 1)
        self.needed = False

    def holds(self, path, line):
        """Whether it is about a line of a file."""
        if not (fnmatch.fnmatchcase(path, self.path) and fnmatch.fnmatchcase(line, self.line.replace("[", "[[]"))):
            return False
        self.needed = True
        return True


def count(file, reasons, missed):
    """Lines and branches of a file: reached, with a reason, all. Appends what is missed without one."""
    path, numbers = file["file"], [0] * 6
    source = Path(path).read_text(encoding="utf-8").splitlines()
    for line in file["lines"]:
        if line.get("gcovr/noncode") or line.get("gcovr/excluded"):
            continue
        text = " ".join(source[line["line_number"] - 1].split())
        branches = [branch["count"] != 0 for branch in line["branches"] if not branch.get("gcovr/excluded")]
        reached = line["count"] != 0
        whole = reached and all(branches)
        reason = not whole and any([reason.holds(path, text) for reason in reasons])
        numbers[0] += reached
        numbers[1] += not reached and reason
        numbers[2] += 1
        numbers[3] += sum(branches)
        numbers[4] += (len(branches) - sum(branches)) if reason else 0
        numbers[5] += len(branches)
        if not whole and not reason:
            missed.append(f"{path}:{line['line_number']}: {text}" + (f"  ({sum(branches)} of {len(branches)} branches)" if reached else ""))
    return numbers


def percent(reached, reasons, all_of_them):
    return 100 * (reached + reasons) / all_of_them if all_of_them else 100.0


def row(name, numbers):
    reached, reason, lines, taken, excused, branches = numbers
    return (f"{name:44}{reached:7}{reason:7}{lines:7}{percent(reached, reason, lines):7.1f}"
            f"{taken:9}{excused:7}{branches:7}{percent(taken, excused, branches):7.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", type=Path)
    parser.add_argument("reasons", type=Path)
    parser.add_argument("--lines", type=float, default=0)
    parser.add_argument("--branches", type=float, default=0)
    arguments = parser.parse_args()
    reasons = [Reason(entry) for entry in arguments.reasons.read_text(encoding="utf-8").splitlines()
               if entry.strip() and not entry.startswith("#")]
    missed, folders, total = [], {}, [0] * 6
    print(f"{'':44}{'lines':>7}{'reason':>7}{'all':>7}{'%':>7}{'branches':>9}{'reason':>7}{'all':>7}{'%':>7}")
    for file in sorted(json.loads(arguments.json.read_text(encoding="utf-8"))["files"], key=lambda file: file["file"]):
        numbers = count(file, reasons, missed)
        print(row(file["file"], numbers))
        folder = folders.setdefault(str(Path(file["file"]).parent), [0] * 6)
        for index, number in enumerate(numbers):
            folder[index] += number
            total[index] += number
    print()
    for name, numbers in folders.items():
        print(row(name, numbers))
    print(row("all", total))
    print(*missed, sep="\n")
    for reason in reasons:
        if not reason.needed:
            print(f"{arguments.reasons}: not needed any more: {reason.path}: {reason.line}")
    lines, branches = percent(*total[:3]), percent(*total[3:])
    print(f"lines {lines:.1f} %, branches {branches:.1f} % of those without a reason; {len(missed)} places are missed")
    return int(lines < arguments.lines or branches < arguments.branches)


if __name__ == "__main__":
    sys.exit(main())
