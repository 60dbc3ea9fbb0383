# SPDX-License-Identifier: Apache-2.0
"""Both images of a board as one: BIN holds the memory from the lowest address that is loaded."""
import argparse
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile


def loaded(path):
    """(address, bytes) of each part that a loader puts into memory."""
    with path.open("rb") as stream:
        return [(segment["p_paddr"], segment.data()) for segment in ELFFile(stream).iter_segments()
                if segment["p_type"] == "PT_LOAD" and segment["p_filesz"]]


def flat(parts):
    """Base and memory; ValueError when parts overlap."""
    parts = sorted(parts)
    base, memory = parts[0][0], bytearray()
    for address, data in parts:
        if address < base + len(memory):
            raise ValueError(f"parts of the images overlap at {address:#x}")
        memory += bytes(address - base - len(memory)) + data
    return base, bytes(memory)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--print-base", action="store_true", help="address of the first byte")
    parser.add_argument("output", type=Path)
    parser.add_argument("elf", type=Path, nargs="+")
    arguments = parser.parse_args()
    try:
        base, memory = flat([part for path in arguments.elf for part in loaded(path)])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    arguments.output.write_bytes(memory)
    if arguments.print_base:
        print(hex(base))
    return 0


if __name__ == "__main__":
    sys.exit(main())
