# SPDX-License-Identifier: Apache-2.0
"""No circle of calls between units, and no call to a room above.

A unit is a .c file with its .h file (and .S file). Every source is compiled without optimisation, each function
and each datum in a section of its own; the relocations of a section are then exactly what it uses: functions that
it calls, functions whose address it takes, and data. A static inline function of a header has its own section in
each object that uses it, and belongs to the unit of its header: the compiler's call graph names the file.

A constant that a header declares belongs to the unit of that header wherever it is defined: so a table of functions
may be declared low and filled in above. A call through such a table is no edge. Macros count for the unit that uses
them. The rooms, and which of them each may call, are the lines of EDGES in check_layers.py. Folders of ORDERED
are one room, whose units have an order of their own there.
"""
import os
import re
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

import check_layers
import compilers
import tree

# What is linked together; a name is looked for in the same folder first, then in the other folders of the image.
IMAGES = (
    ("firmware/cp", "firmware/graph", "firmware/pull", "firmware/link", "hal"),
    ("firmware/sm", "firmware/pull", "hal"),
    ("host/lib", "host/common", "host/broker", "firmware/pull", "firmware/link"),
    ("host/opencl", "host/common"),
)
ORDERED = {"host/opencl": check_layers.OPENCL_LAYERS}
FOLDERS = sorted({folder for image in IMAGES for folder in image})
FLAGS = ["-O0", "-w", "-std=c11", "-ffunction-sections", "-fdata-sections", "-fno-common",
         "-fno-asynchronous-unwind-tables", "-fcallgraph-info"]
# Headers whose functions are defined by the code above them, like the entries of a table of functions.
CONTRACTS = ("hal/entry.h",)
# Code that the compiler and the C library generate calls these; no header of ours declares them.
LIBRARY = {"memcpy", "memmove", "memset", "memcmp", "__assert_func", "__udivdi3", "__umoddi3", "__mulsi3"}
# Edges (user, used) that count neither for circles nor for rooms, and why.
ACCEPTED = {
    ("hal/riscv/trap", "hal/riscv/start"): "a hart that fails in either of them stays in the loop `dead` of start.S",
}
SHOWN = 4  # pairs of names for each edge of a circle
# These stand in for a part that is left out, and are never linked together with it.
STUBS = re.compile(r"/none/|/absent\.c$")
NODE = re.compile(r'^node: \{ title: "(?:[^"]*:)?(\w+)" label: "\w+\\n(?:\./)?([^":\\]+):\d+:\d+', re.MULTILINE)
CONSTANT = re.compile(r"^extern\s+(?:const\b[^;(]*|[^;(]*\*\s*const\s+)\b(\w+)\s*(?:\[[^;]*\])*;", re.MULTILINE)
FUNCTION = re.compile(r"\b(\w+)\([^();{}]*\);")


def unit_of(path):
    return str(Path(path).with_suffix(""))


def folder_of(unit):
    return check_layers.longest_prefix(unit, FOLDERS)


class Object:
    """What one source defines and uses. A function or datum is a pair: its unit and its name."""

    def __init__(self, source, elf, homes):
        self.unit = unit_of(source)
        self.symbols = list(elf.get_section_by_name(".symtab").iter_symbols())
        self.sections = {}  # section: (unit, name) of the function or datum that it holds
        self.place(homes)
        self.defines = {s.name: (self.unit, s.name) for s in self.symbols
                        if s["st_info"]["bind"] != "STB_LOCAL" and is_here(s)}
        relocations = [(section["sh_info"], {self.symbols[r["r_info_sym"]] for r in section.iter_relocations()})
                       for section in elf.iter_sections() if isinstance(section, RelocationSection)]
        self.place_data(relocations)
        # ((unit, name), (unit or None, name)); None: defined elsewhere.
        self.uses = {(self.sections.get(user, (self.unit, "(data)")), self.target(symbol))
                     for user, symbols in relocations for symbol in symbols if self.target(symbol)}

    def place(self, homes):
        """Static functions of headers belong to their headers, all else to the source."""
        for symbol in self.symbols:
            if symbol["st_info"]["type"] in ("STT_FUNC", "STT_OBJECT") and is_here(symbol):
                local = symbol["st_info"]["bind"] == "STB_LOCAL"
                home = homes.get(symbol.name, self.unit) if local else self.unit
                self.sections[symbol["st_shndx"]] = (home, symbol.name)

    def place_data(self, relocations):
        """Static data that a function of a header uses belongs to that header, too."""
        static = {s["st_shndx"] for s in self.symbols
                  if s["st_info"]["type"] == "STT_OBJECT" and s["st_info"]["bind"] == "STB_LOCAL" and is_here(s)}
        for user, symbols in relocations:
            home = self.sections.get(user, (self.unit,))[0]
            for symbol in symbols if home != self.unit else ():
                if symbol["st_shndx"] in static:
                    self.sections[symbol["st_shndx"]] = (home, symbol.name)

    def target(self, symbol):
        if is_here(symbol):
            return self.sections.get(symbol["st_shndx"])
        return (None, symbol.name) if symbol.name and symbol["st_shndx"] == "SHN_UNDEF" else None


def is_here(symbol):
    """Whether a symbol is defined in a section of this object."""
    return isinstance(symbol["st_shndx"], int)


def compile_one(root, source, folder, number):
    """The object of a source, or what the compiler says."""
    command = [c for c in compilers.commands(root, source) if c[0].endswith("gcc")][-1]
    target = Path(folder) / f"{number}.o"
    status, output = compilers.run(root, [*command, *FLAGS, "-c", "-o", target, str(source)])
    if status:
        return f"{source}: {output.rstrip()}"
    graph = target.with_suffix(".ci")
    homes = {}
    for name, path in NODE.findall(graph.read_text(encoding="utf-8")) if graph.exists() else ():
        homes[name] = unit_of(path)
    with open(target, "rb") as file:
        return Object(source, ELFFile(file), homes)


def sources(root):
    return [p for p in tree.files(root, {".c", ".S"}, FOLDERS)
            if compilers.places(p) and not STUBS.search(p.as_posix())]


def declared_low(root):
    """Constants that a header declares, and the functions of CONTRACTS: the unit of that header."""
    found = {}
    for path in tree.files(root, {".h"}, FOLDERS):
        code = tree.code_only(tree.text(root, path))
        names = CONSTANT.findall(code) + (FUNCTION.findall(code) if path.as_posix() in CONTRACTS else [])
        found.update({name: unit_of(path) for name in names})
    return found


def resolve(user, name, definitions):
    """The definitions of a name: those in the user's folder if there are any, otherwise all."""
    near = [d for d in definitions.get(name, ()) if folder_of(d[0]) == folder_of(user[0])]
    return near or definitions.get(name, ())


def edges(objects, declared):
    """For each unit, the units that it uses, each with the pairs of names (user, used)."""
    graph = defaultdict(lambda: defaultdict(set))
    for image in IMAGES:
        linked = [o for o in objects if folder_of(o.unit) in image]
        definitions = defaultdict(list)
        for item in linked:
            for name, home in item.defines.items():
                definitions[name].append(home)
        for user, used in {pair for item in linked for pair in item.uses}:
            for unit, name in [used] if used[0] else resolve(user, used[1], definitions):
                unit = declared.get(name, unit)
                if unit != user[0] and name not in LIBRARY and (user[0], unit) not in ACCEPTED:
                    graph[user[0]][unit].add((user[1], name))
    return graph


def reach(graph, start):
    """Units that are reached from a unit."""
    found, todo = set(), [start]
    while todo:
        for unit in graph.get(todo.pop(), ()):
            if unit not in found:
                found.add(unit)
                todo.append(unit)
    return found


def circles(graph):
    """Sorted lists of units that all reach each other."""
    reached = {unit: reach(graph, unit) for unit in graph}
    found = {tuple(sorted(other for other in reached[unit] if unit in reached.get(other, ())))
             for unit in graph if unit in reached[unit]}
    return sorted(found)


def pairs(names):
    shown = [f"{user} -> {used}" for user, used in sorted(names)]
    return ", ".join(shown[:SHOWN]) + (f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else "")


def circle_problems(graph):
    """The units of each circle, and who calls whom in it."""
    for circle in circles(graph):
        lines = [f"{unit} -> {other}: {pairs(graph[unit][other])}"
                 for unit in circle for other in circle if other in graph[unit]]
        yield f"{len(circle)} units call each other in a circle:\n    " + "\n    ".join(lines)


def may_call(folder, other):
    """Whether the line of a folder in EDGES allows a unit: named by a folder above it, or by its header."""
    return any(other == unit_of(allowed) or other.startswith(allowed + "/") for allowed in check_layers.EDGES[folder])


def room_problems(graph):
    for unit in sorted(graph):
        folder = check_layers.longest_prefix(unit, check_layers.EDGES)
        for other in sorted(graph[unit]):
            if folder and folder_of(unit) and folder_of(other) and not may_call(folder, other):
                yield (f"{unit} may not call {other}: {pairs(graph[unit][other])} "
                       f"({folder}: {', '.join(check_layers.EDGES[folder])} only)")


def unit_problems(graph):
    """In an ordered folder: a unit without a place, or that calls one which is not below it."""
    for folder, layers in ORDERED.items():
        places = {f"{folder}/{name}": i for i, layer in enumerate(layers) for name in layer.split()}
        used = {other for unit in graph for other in graph[unit]}
        for unit in sorted(u for u in {*graph, *used} if folder_of(u) == folder):
            if unit not in places:
                yield f"{unit} has no place in the order of {folder} in check_layers.py"
                continue
            for other in sorted(graph.get(unit, ())):
                if places.get(other, -1) >= places[unit]:
                    yield f"{unit} may not call {other}, which is not below it: {pairs(graph[unit][other])}"


def order_problems():
    """Circles in the lines of EDGES themselves."""
    allowed = {folder: {other for other in others if other != folder and other in check_layers.EDGES}
               for folder, others in check_layers.EDGES.items()}
    for circle in circles(allowed):
        yield f"check_layers.py allows a circle of folders: {', '.join(circle)}"


def read(root):
    """The graph of a repository, and what did not compile."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(lambda job: compile_one(root, job[1], folder, job[0]), enumerate(sources(root))))
    graph = edges([r for r in results if isinstance(r, Object)], declared_low(root))
    return graph, [r for r in results if not isinstance(r, Object)]


def problems_of(root):
    graph, problems = read(root)
    return [*problems, *circle_problems(graph), *room_problems(graph), *unit_problems(graph), *order_problems()]


if __name__ == "__main__":
    sys.exit(tree.check(__doc__, problems_of, "no circle of calls, and none upwards"))
