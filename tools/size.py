# SPDX-License-Identifier: Apache-2.0
"""Sizes of the images of each board, beside the budgets of its board.mk; fails above them."""
import argparse
import sys
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

import stack
from compilers import board_values

IMAGES = ("cp", "sm")
START = "_start"  # begins with an empty stack; nobody calls it


def sections(elf):
    """Bytes of text (with constants), data and zeroed memory."""
    size = {"text": 0, "data": 0, "bss": 0}
    for section in elf.iter_sections():
        flags = section["sh_flags"]
        if flags & SH_FLAGS.SHF_ALLOC:
            zeroed = section["sh_type"] == "SHT_NOBITS"
            kind = "bss" if zeroed else "data" if flags & SH_FLAGS.SHF_WRITE else "text"
            size[kind] += section["sh_size"]
    return size


def function_addresses(elf):
    table = elf.get_section_by_name(".symtab")
    return {symbol.name: symbol["st_value"] & ~1 for symbol in table.iter_symbols()
            if symbol["st_info"]["type"] == "STT_FUNC"}


def addresses_taken(elf, addresses):
    """Functions whose address stands in constants or data."""
    by_address = {address: name for name, address in addresses.items()}
    step, taken = elf.elfclass // 8, set()
    for section in elf.iter_sections():
        if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] == "SHT_PROGBITS" \
                and not section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR:
            data = section.data()
            words = (int.from_bytes(data[i:i + step], "little") for i in range(0, len(data), step))
            taken.update(by_address[word] for word in words if word in by_address)
    return taken


def tables(elf, addresses):
    """Constant or initialised datum: the functions that its words lead to, also through further such data."""
    by_address = {address: name for name, address in addresses.items()}
    step = elf.elfclass // 8
    data = [(symbol.name, symbol["st_value"], symbol["st_size"])
            for symbol in elf.get_section_by_name(".symtab").iter_symbols()
            if symbol["st_info"]["type"] == "STT_OBJECT" and symbol["st_size"] >= step]
    words = {}
    for section in elf.iter_sections():
        if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] == "SHT_PROGBITS":
            start, content = section["sh_addr"], section.data()
            for name, address, size in data:
                if start <= address and address + size <= start + len(content):
                    at = address - start
                    words[name] = {int.from_bytes(content[i:i + step], "little")
                                   for i in range(at, at + size - step + 1, step)}
    by_start = {address: name for name, address, _ in data if name in words}
    found = {name: {by_address[word] for word in values if word in by_address} for name, values in words.items()}
    for _ in range(2):  # a table of descriptors is one step
        for name, values in words.items():
            for word in values & by_start.keys():
                found[name] |= found[by_start[word]]
    return found


def stack_of(objdump, path, elf):
    """Worst stack of the program and of a trap on top of it, and functions that call themselves."""
    addresses = function_addresses(elf)
    functions = stack.read(objdump, path, addresses)
    taken = addresses_taken(elf, addresses).union(*(f.takes for f in functions.values()))
    traps = {name for name in functions if "trap" in name}
    depths, recursive = stack.worst(functions, taken - traps - {START}, tables(elf, addresses))
    trap = max((depths[name] for name in traps), default=0)
    return max((depths[n] for n in depths if n not in traps), default=0), trap, recursive


def check_image(arguments, board, image, values):
    """Prints one line; the problems found."""
    path = arguments.build / board / f"{image}.elf"
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        size = sections(elf)
        program, trap, recursive = stack_of(arguments.objdump, path, elf)
    budget = int(values.get(f"BOARD_TEXT_BUDGET_{image.upper()}", "0"), 0)
    room = int(values.get(f"BOARD_{image.upper()}_STACK_BYTES", "0"), 0)
    print(f"{board:14} {image:3} {size['text']:7} {size['data']:6} {size['bss']:8} "
          f"{program:6} {trap:5} {budget or '-':>9} {room or '-':>7}")
    problems = []
    memory = int(values.get(f"BOARD_MEMORY_BUDGET_{image.upper()}", "0"), 0)
    if memory and sum(size.values()) > memory:
        problems.append(f"{path}: text and data are {sum(size.values()) - memory} bytes above the budget")
    if budget and size["text"] > budget:
        problems.append(f"{path}: text is {size['text'] - budget} bytes above the budget")
    if room and program + trap > room:
        problems.append(f"{path}: worst stack is {program + trap} bytes, there are {room}")
    if recursive:
        problems.append(f"{path}: recursion in {', '.join(sorted(recursive))}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--objdump", default="riscv64-unknown-elf-objdump")
    parser.add_argument("boards", nargs="+")
    arguments = parser.parse_args()
    print(f"{'board':14} {'':3} {'text':>7} {'data':>6} {'bss':>8} {'stack':>6} {'trap':>5} "
          f"{'text goal':>9} {'room':>7}")
    problems = []
    for board in arguments.boards:
        values = board_values(Path("boards", board, "board.mk"))
        for image in IMAGES:
            problems += check_image(arguments, board, image, values)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
