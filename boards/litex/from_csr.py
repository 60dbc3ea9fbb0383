#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a board folder from the csr.json of a LiteX build (--csr-json), with a VexRiscv-SMP core.

    python boards/litex/from_csr.py --csr csr.json                     rewrites boards/litex
    python boards/litex/from_csr.py --csr csr.json --board boards/mine  makes another one

Written: board.mk (numbers), addresses.h (devices) and, in another folder, board.c. Everything is checked
first; when something is wrong, nothing is written.
"""
import argparse
import functools
import json
import sys
from pathlib import Path

CPU = "vexriscv_smp"
HERE = Path(__file__).resolve().parent
CACHED_FROM, CACHED_TO = 0x40000000, 0x80000000  # the part that the prebuilt netlists cache
HARTS_MAX = 8

# Offsets from the start of the RAM: control processor, SM image, capability block.
CP_BYTES, SM_BYTES, ABI_OFFSET = 0x70000, 0x10000, 0x80000
UNITS, SHARED_BYTES = 32, 65536
PRIVATE_MOST, PRIVATE_LEAST = 2097152, 65536
TABLES_BYTES = 0x100000  # task pool, runtime areas of SMs and channels, with room
HEAP_LEAST = 0x80000
RAM_MOST = 0x10000000  # the host maps no more by default


class BadMap(Exception):
    """The input does not fit; the message is for the user."""


def number(tree, *path):
    """A number of the file; a BadMap names what is missing."""
    value = tree
    for name in path:
        if not isinstance(value, dict) or name not in value:
            raise BadMap(f"no {'.'.join(path)}")
        value = value[name]
    try:
        found = int(value, 0) if isinstance(value, str) else value
    except ValueError:
        found = None
    if type(found) is not int or not 0 <= found < 1 << 64:  # not a truth value, and not a fraction
        raise BadMap(f"{'.'.join(path)} is {str(value)[:40]!r}, not a number of 64 bits")
    return found


def check_cpu(tree):
    """The core and its options. The number of harts."""
    constants = tree.get("constants")
    if not isinstance(constants, dict):
        raise BadMap("no constants")
    kinds = [name[len("config_cpu_type_"):] for name in constants if name.startswith("config_cpu_type_")]
    if kinds != [CPU]:
        raise BadMap(f"the core is {', '.join(kinds) or 'not named'}: this board needs --cpu-type {CPU}")
    isa = str(constants.get("config_cpu_isa", ""))
    if not isa.startswith("rv32") or not {"m", "a"} <= set(isa.partition("_")[2] or isa[5:]):
        raise BadMap(f"constants.config_cpu_isa is {isa!r}: this board needs rv32ima")
    harts = number(tree, "constants", "config_cpu_count")
    if not 2 <= harts <= HARTS_MAX:
        raise BadMap(f"constants.config_cpu_count is {harts}: one control processor and 1 to "
                     f"{HARTS_MAX - 1} SMs need --cpu-count 2 to {HARTS_MAX}")
    if number(tree, "constants", "config_csr_alignment") != 32:
        raise BadMap("constants.config_csr_alignment is not 32: registers are read as words")
    return harts


def check_memory(tree, harts):
    """Base and bytes of main RAM, and the private bytes of an SM that fit."""
    base, size = number(tree, "memories", "main_ram", "base"), number(tree, "memories", "main_ram", "size")
    if not CACHED_FROM <= base < CACHED_TO or base % 4096:
        raise BadMap(f"memories.main_ram.base is 0x{base:x}: the core caches 0x{CACHED_FROM:x} to 0x{CACHED_TO:x} only")
    size = min(size, CACHED_TO - base, RAM_MOST) & ~0xfff
    private = PRIVATE_MOST
    while private >= PRIVATE_LEAST:
        least = ABI_OFFSET + TABLES_BYTES + HEAP_LEAST + (harts - 1) * (SHARED_BYTES + private)
        if 2 * (harts - 1) * private <= size and least <= size:
            return base, size, private
        private //= 2
    raise BadMap(f"memories.main_ram.size is {size}: {harts - 1} SMs need {least} bytes")


def check_devices(tree):
    """Addresses of the registers that the drivers use."""
    if "clint" not in tree.get("memories", {}):
        raise BadMap(f"no memories.clint: without it there are no interrupts between harts; is the core {CPU}?")
    found = {"CLINT": number(tree, "memories", "clint", "base")}
    if number(tree, "memories", "clint", "size") < 0x10000:
        raise BadMap("memories.clint.size is below 0x10000")
    for register in ("rxtx", "txfull", "rxempty", "ev_pending"):
        found[f"UART_{register.upper()}"] = number(tree, "csr_registers", f"uart_{register}", "addr")
    for name, address in found.items():
        if not 0x80000000 <= address < 1 << 32 or address % 4:
            raise BadMap(f"{name.lower()} is at 0x{address:x}: the core reaches devices from 0x80000000 only")
    return found


def read_map(text):
    """Everything that is written, as a dictionary."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadMap(f"not JSON: {error}") from None
    if not isinstance(tree, dict):
        raise BadMap("not a csr.json")
    harts = check_cpu(tree)
    base, size, private = check_memory(tree, harts)
    clock = number(tree, "constants", "config_clock_frequency")
    if not 1000000 <= clock < 1 << 32:
        raise BadMap(f"constants.config_clock_frequency is {clock}")
    return {"harts": harts, "base": base, "bytes": size, "private": private, "clock": clock,
            "devices": check_devices(tree)}


@functools.lru_cache(maxsize=None)
def committed(name):
    """Text of a file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def board_mk(numbers, folder):
    """board.mk from the committed template: the lines with numbers of this build are replaced."""
    base = numbers["base"]
    values = {
        "BOARD_CLOCK_HZ": numbers["clock"], "BOARD_RAM_BASE": f"0x{base:08x}",
        "BOARD_RAM_MIN": f"0x{numbers['bytes']:08x}", "BOARD_CP_BASE": f"0x{base:08x}",
        "BOARD_SM_BASE": f"0x{base + CP_BYTES:08x}", "BOARD_ABI_BASE": f"0x{base + ABI_OFFSET:08x}",
        "BOARD_SMS_MAX": numbers["harts"] - 1, "BOARD_SMS": numbers["harts"] - 1,
        "BOARD_SM_PRIVATE_BYTES": numbers["private"], "BOARD_SOURCES": f"{folder}/board.c",
    }
    lines = committed("board.mk").splitlines()
    written = [f"{name} = {values.pop(name)}" if name in values else line
               for name, line in ((line.partition(" =")[0], line) for line in lines)]
    if values:
        raise BadMap(f"{HERE / 'board.mk'} has no line {', '.join(values)}")
    return "\n".join(written) + "\n"


def addresses_h(devices, guard):
    lines = [f"#define LITEX_{name} 0x{address:08x}u" for name, address in devices.items()]
    return ("/* SPDX-License-Identifier: Apache-2.0 */\n"
            "/* Generated by boards/litex/from_csr.py. Do not edit. */\n"
            "/** @file\n * Where the LiteX build has its devices. */\n"
            f"#ifndef {guard}\n#define {guard}\n\n" + "\n".join(lines) + f"\n\n#endif /* {guard} */\n")


def files_of(numbers, board):
    """Name: text of every file of the folder. board: path from the root of the repository."""
    guard = "".join(c if c.isalnum() else "_" for c in f"{board}_addresses_h").upper()
    found = {"board.mk": board_mk(numbers, board), "addresses.h": addresses_h(numbers["devices"], guard)}
    if board != "boards/litex":
        found["board.c"] = committed("board.c").replace("boards/litex/addresses.h", f"{board}/addresses.h")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--csr", type=Path, required=True, help="csr.json of the LiteX build")
    parser.add_argument("--board", default="boards/litex", help="folder, from the root (boards/litex)")
    arguments = parser.parse_args()
    board = arguments.board.strip("/")
    try:
        if Path(board).parts[:1] != ("boards",) or len(Path(board).parts) != 2:
            raise BadMap(f"--board {arguments.board}: give boards/NAME")
        texts = files_of(read_map(arguments.csr.read_text(encoding="utf-8")), board)
    except (OSError, UnicodeDecodeError, BadMap) as error:
        return f"{arguments.csr}: {error}"
    folder = HERE.parents[1] / board
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{board}: {', '.join(texts)}; make BOARD={Path(board).name} flash-image")
    return 0


if __name__ == "__main__":
    sys.exit(main())
