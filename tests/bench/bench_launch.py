# SPDX-License-Identifier: Apache-2.0
"""What a launch costs: one table, each figure beside its goal. `make bench`; --json FILE."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "host" / "python"))

import image_size  # noqa: E402
import table  # noqa: E402
from options import read_options  # noqa: E402


def sizes(board: str, why: dict) -> dict:
    from rig import build_folder
    try:
        return image_size.measure(str(build_folder()), board)
    except Exception as error:  # pylint: disable=broad-except
        why[f"image sizes, {board}"] = f"{type(error).__name__}: {error}"
        return {}


def differences(one: dict, two: dict) -> list:
    return [f"{board} {key}: {one[board][key].number:g} and {two[board][key].number:g}"
            for board in one for key in one[board]
            if key in two[board] and one[board][key].number != two[board][key].number]


def repeat_text(differing: list) -> str:
    if differing:
        return "Not repeatable: two runs under -icount differ in " + "; ".join(differing)
    return "Repeatable: all figures under -icount were the same in two runs, each from boot."


def main() -> int:
    options = read_options(__doc__)
    boards = options.boards

    import instructions
    import pull_costs
    import wall_clock
    why: dict = {}
    counted = {board: instructions.measure(board, why) for board in boards}
    results = {board: {**counted[board], **instructions.measure(board, why, icount=False),
                       **pull_costs.measure(board, why), **sizes(board, why),
                       **wall_clock.measure(board, why)}
               for board in boards}
    repeatable, repeat = None, "Measured once."
    if not options.once and any(counted.values()):
        again = {board: instructions.measure(board, {}) for board in boards}
        differing = differences(counted, again)
        repeatable, repeat = not differing, repeat_text(differing)
    table.report(options.json, table.LAUNCH, results, why, repeat, repeatable)
    return 0


if __name__ == "__main__":
    sys.exit(main())
