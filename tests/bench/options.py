# SPDX-License-Identifier: Apache-2.0
"""Options that the scripts bench_*.py share."""

import argparse
from typing import Sequence

BOARDS = ("qemu-virt64", "qemu-virt32")


def read_options(description: str, once: bool = True, boards: Sequence[str] = BOARDS) -> argparse.Namespace:
    """json: a path or None; boards, of these; once, if the script measures twice."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("--board", dest="boards", action="append", choices=boards,
                        help="only this board")
    if once:
        parser.add_argument("--once", action="store_true", help="do not measure twice")
    options = parser.parse_args()
    options.boards = options.boards or boards
    return options
