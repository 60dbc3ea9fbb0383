# SPDX-License-Identifier: Apache-2.0
"""Options that the scripts bench_*.py share."""

import argparse

BOARDS = ("qemu-virt64", "qemu-virt32")


def read_options(description: str, once: bool = True) -> argparse.Namespace:
    """json: a path or None; boards; once, if the script measures twice."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("--board", dest="boards", action="append", choices=BOARDS,
                        help="only this board")
    if once:
        parser.add_argument("--once", action="store_true", help="do not measure twice")
    options = parser.parse_args()
    options.boards = options.boards or BOARDS
    return options
