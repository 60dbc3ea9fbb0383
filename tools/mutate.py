# SPDX-License-Identifier: Apache-2.0
"""Plants faults into C files, one at a time, and runs the tests that should notice.

The faults come from tests/mutate/c.rules by universalmutator, and from pairs of statements whose order is swapped. A fault is

    equal      the compiler makes the same code of it, or tests/mutate/equal.txt says why it is equal
    twin       the compiler makes the same code of it as of another one, which is judged
    invalid    it does not compile
    caught     a test fails, crashes or hangs
    survivor   no test noticed

First run the unit programs that are linked with the file, until one fails: each is linked again, of the objects that it was
built of and that of the planted file. Then comes the scheduler's comparison with its model (not with --quick). With --system
BOARD what survives these, and files that no unit program is linked with, go on to the system tests that name a number of the
specifications which the file names, too; make runs these two in copies of the tree below BUILD/mutate. No fault is ever
planted in the tree itself.

Which faults are drawn hangs on the seed and on their own text alone, so a change elsewhere leaves the draw as it is.
"""
import argparse
import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

import coverage
import tree
import unit_sources

RULES, EQUAL = "tests/mutate/c.rules", "tests/mutate/equal.txt"
FOLDERS = ("firmware/cp", "firmware/sm", "firmware/graph", "firmware/pull", "firmware/link", "host/lib")
STATEMENT = re.compile(r"^(\t+)(?!return|break|continue|goto|case|static|const|struct|u?int\w+ |bool |char |for|if|while|else)"
                       r"[a-z*][^{}]*;$")
ASSIGNS = re.compile(r"(\w+)(?:\[[^=]*\])?(?: [-+|&^]?= |\+\+|--)")  # a name that a statement assigns
CALL = re.compile(r"^\t+(?!gg_split|\w+_init)\w+\((.*)\);$")
SHARED = re.compile(r"\b(fence|mmio|atomic|doorbell|ipi|hart)_\w+\(")  # others may see in which order it happens
INIT = re.compile(r"^\w.*\b\w+_init\(")  # begins a function that runs once, when static memory is all zero
ATTRIBUTE = re.compile(r"__attribute__\(\(.*?\)\) ")
FUNCTION = re.compile(r"^(?!typedef|_Static)(?:[a-z_][\w *]*?\b)?([a-z_]\w*)\((?!.*\);$)")  # begins a function; attributes are left out
ZEROED = re.compile(r"^\t\w+ = (0|NULL|false|\(struct \w+\)\{ 0 \});$")
QUICK = ["-w", "-O2", "-g0", "-S", "-std=c11", "-D_GNU_SOURCE", "-Itests/fake", "-I.", "-Ihost/include", "-o", "-"]
LINKER = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []  # three times as fast as the usual one
LINK_S = 0.2  # about as long as it takes to link and start a program
STATES = ("equal", "twin", "invalid", "caught", "survivor")
SLOWER_S = 5  # a program that takes ten times as long as without a fault, and this, hangs
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}


class Fault:
    """A line of a file, counted from 1, and what stands there instead: one line, or two that are swapped."""

    def __init__(self, path, line, function, old, new):
        self.path, self.line, self.function, self.old, self.new = path, line, function, old, new
        self.state, self.by = "", ""

    def key(self):
        """What names it in tests/mutate/equal.txt: no line number, which moves with each change."""
        return f"{self.path}: {self.function}: {squeeze(self.old)} => {squeeze(self.new)}"

    def __str__(self):
        return f"{self.path}:{self.line}: {squeeze(self.old)} => {squeeze(self.new)}"


def squeeze(text):
    return " ".join(text.split())


def zeroed_again(source):
    """The lines of *_init() that set a static variable to what it is."""
    inside, lines = False, set()
    for number, line in enumerate(source, 1):
        inside = bool(INIT.match(line)) or (inside and not line.startswith("}"))
        if inside and ZEROED.match(line.rstrip()):
            lines.add(number)
    return lines


def functions_of(source):
    """The name of the function that each line is in, or that came last."""
    name, names = "", []
    for line in source:
        begins = FUNCTION.match(ATTRIBUTE.sub("", line))
        name = begins.group(1) if begins else name
        names.append(name)
    return names


def order_matters(first, second):
    """Whether one of two statements has a name that the other one assigns, both are calls with a name in common, or one is
    seen from outside."""
    if any(re.search(rf"\b{name}\b", there) for here, there in ((first, second), (second, first)) for name in ASSIGNS.findall(here)):
        return True
    calls = [CALL.match(statement.rstrip()) for statement in (first, second)]
    if all(calls) and set.intersection(*(set(re.findall(r"[a-z_]\w*", call.group(1))) for call in calls)):
        return True
    return bool(SHARED.search(first + second))


def faults_of(root, path):
    """All faults of a file, in the order of its lines."""
    from universalmutator import mutator  # only where mutants are made, so that --help needs nothing
    source = tree.without_comments(tree.text(root, path)).splitlines(keepends=True)
    source = [line.rstrip() + "\n" for line in source]
    with contextlib.redirect_stdout(io.StringIO()):  # it tells what it reads
        found = mutator.mutants_regexp(source, [str(root / RULES)], ignorePatterns=[])
    again, inside = zeroed_again(source), functions_of(source)
    faults = [Fault(path, line, inside[line - 1], source[line - 1], new) for line, new, *_ in found
              if line not in again or new.strip() != ";"]
    for at, (first, second) in enumerate(zip(source, source[1:])):
        here, there = STATEMENT.match(first.rstrip()), STATEMENT.match(second.rstrip())
        if here and there and here.group(1) == there.group(1) and "assert(" not in first + second and order_matters(first, second):
            faults.append(Fault(path, at + 1, inside[at], first + second, second + first))
    return sorted(faults, key=lambda fault: (fault.line, fault.new))


def planted(root, fault):
    """The text of a file with a fault, without its comments."""
    lines = tree.without_comments(tree.text(root, fault.path)).splitlines(keepends=True)
    lines[fault.line - 1:fault.line - 1 + fault.old.count("\n")] = [fault.new]
    return "".join(lines)


def gcc(*arguments, text=""):
    return subprocess.run(["gcc", *arguments], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)


def code_of(text):
    """The compiler's output for the text of a file; empty: it does not compile."""
    done = gcc(*QUICK, "-xc", "-", text=text)
    return b"" if done.returncode else done.stdout


def draw(faults, most, seed):
    """So many of the faults, all if 0, that hang on the seed and on each fault's own text."""
    if not most:
        return faults
    return sorted(faults, key=lambda fault: hashlib.sha256(f"{seed} {fault.key()}".encode()).digest())[:most]


class Copy:
    """A copy of the tree, with a build folder of its own, for what make runs."""

    def __init__(self, root, folder, build):
        self.root, self.origin = folder, root
        files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                               capture_output=True, check=True).stdout.decode().split("\0")
        wanted = {name for name in files if name and (root / name).is_file()}
        for name in wanted:
            there, here = root / name, self.root / name
            if not here.exists() or here.read_bytes() != there.read_bytes():
                here.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(there, here)
                shutil.copymode(there, here)
        for path in tree.files(self.root, {".c", ".h", ".S", ".py", ".mk"}):
            if path.as_posix() not in wanted:
                (self.root / path).unlink()
        (self.root / "build").mkdir(exist_ok=True)
        if not (self.root / "build/venv").exists():
            (self.root / "build/venv").symlink_to((build / "venv").resolve())
        (self.root / "build/deps.stamp").touch()

    def make(self, fault, text, *arguments, **keywords):
        """Whether make fails there with the fault planted."""
        (self.root / fault.path).write_text(text)
        try:
            return subprocess.run(["make", "WARNINGS=-std=c11 -w", *arguments], cwd=self.root, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, check=False, **keywords).returncode != 0
        finally:
            shutil.copyfile(self.origin / fault.path, self.root / fault.path)


class Place:
    """Where one fault at a time is judged: a folder for the object and the program, and a copy of the tree once make is needed."""

    def __init__(self, root, build, number):
        self.root, self.build, self.folder, self.tree = root, build, build / "mutate" / f"{os.getpid()}-{number}", None
        self.folder.mkdir(parents=True, exist_ok=True)
        self.object, self.program = str(self.folder / "planted.o"), str(self.folder / "program")

    def make(self, *arguments, **keywords):
        self.tree = self.tree or Copy(self.root, self.folder / "tree", self.build)
        return self.tree.make(*arguments, **keywords)


def run_program(program, limit):
    """Whether a unit program passes; the seconds that it took."""
    began = time.monotonic()
    try:
        done = subprocess.run([program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit,
                              env={**os.environ, **SANITIZERS}, check=False)
        return done.returncode == 0, time.monotonic() - began
    except subprocess.TimeoutExpired:
        return False, limit


def measure(programs, jobs, limit):
    """The seconds of each unit program without a fault. One that fails then can tell nothing, and is left out as one that
    takes longer than the limit is."""
    times = {}
    with ThreadPoolExecutor(jobs) as pool:
        for program, (passed, seconds) in zip(programs, pool.map(lambda p: run_program(p, limit), programs)):
            if passed:
                times[program] = seconds
            elif seconds < limit:
                print(f"mutate: {program} fails without a fault and is left out", flush=True)
    return times


class Judge:
    """Plants faults and says what became of them."""

    def __init__(self, root, arguments):
        self.root, self.arguments = root, arguments
        words = [unit_sources.sources_of(root, test) for test in unit_sources.tests_of(root)]
        self.unit = arguments.build / "unit"
        self.programs = {str(self.unit / Path(word[0]).stem): word for word in words}
        self.model = {f for f in unit_sources.files_of(root, ["scheduler"]) if f.startswith("firmware/")}
        self.equal = {squeeze(line.rsplit("  # ", 1)[0]) for line in tree.text(root, EQUAL).splitlines()
                      if line.strip() and not line.startswith("#")}
        self.places, self.times, self.seen, self.codes, self.caught = Queue(), {}, set(), {}, Counter()
        self.flags = arguments.flags.split()
        self.end = time.monotonic() + 60 * arguments.minutes if arguments.minutes else float("inf")

    def close(self):
        while not self.places.empty():
            shutil.rmtree(self.places.get().folder)

    def paths_of(self, name):
        """The files of a folder, or the file, that can be judged."""
        paths = [path.as_posix() for path in ([name] if name.suffix == ".c" else tree.files(self.root, {".c"}, (name.as_posix(),)))
                 if path.name != "absent.c"]
        linked = {file for files in self.programs.values() for file in files}
        if self.arguments.system:
            return paths
        for path in paths:
            if path not in linked:
                print(f"mutate: no unit program is linked with {path}: only --system can judge it")
        return [path for path in paths if path in linked]

    def tell_stale(self, faults):
        """Lines of tests/mutate/equal.txt that no fault of these files is any more."""
        paths, keys = {fault.path for fault in faults}, {fault.key() for fault in faults}
        for key in sorted(self.equal - keys):
            if key.partition(":")[0] in paths:
                print(f"mutate: {EQUAL} names what is no fault: {key}")

    def prepare(self, paths):
        linked = sorted(program for program, files in self.programs.items() if set(files) & set(paths))
        self.times = measure(linked, self.arguments.jobs, self.arguments.quick or 600)
        self.codes = {path: code_of(tree.without_comments(tree.text(self.root, path))) for path in paths}
        for number in range(self.arguments.jobs):
            self.places.put(Place(self.root, self.arguments.build, number))

    def link(self, place, program, path):
        """Link a unit program with the planted file's object; everything else is as it was built without a fault."""
        objects = [str(self.unit / "obj" / Path(name).with_suffix(".o")) if name != path else place.object
                   for name in self.programs[program]]
        return gcc(*LINKER, "-fsanitize=address,undefined", "-o", place.program, *objects, "-lcmocka", "-pthread", "-lm").returncode == 0

    def judge(self, fault):
        if time.monotonic() > self.end:
            return fault
        place = self.places.get()
        try:
            fault.state, fault.by = self.verdict(place, fault)
        finally:
            self.places.put(place)
        print(f"{fault.state:9}{fault}{'  by ' + fault.by if fault.by else ''}", flush=True)
        return fault

    def verdict(self, place, fault):
        if fault.key() in self.equal:
            return "equal", EQUAL
        text = planted(self.root, fault)
        after = code_of(text)
        if not after:
            return "invalid", ""
        if after == self.codes[fault.path]:
            return "equal", "the compiler"
        if (fault.path, after) in self.seen:
            return "twin", ""
        self.seen.add((fault.path, after))
        gcc(*self.flags, "-c", "-o", place.object, "-xc", "-", text=text)
        for program in self.order(fault.path):
            linked = self.link(place, program, fault.path)
            if not linked or not run_program(place.program, 10 * self.times[program] + SLOWER_S)[0]:
                self.caught[Path(fault.path).parent, program] += 1
                return "caught", Path(program).name + ("" if linked else ", which does not link")
        if fault.path in self.model and not self.arguments.quick and place.make(
                fault, text, "test-model", "MODEL_LIBRARIES=build/model/libscheduler.so", timeout=1800,
                env={**os.environ, "PYTEST_ADDOPTS": "-x"}):
            return "caught", "make test-model"
        board = self.arguments.system
        if board and (files := self.system_files(fault.path)):
            if place.make(fault, text, f"test-system-{board}", "SYSTEM_ARGS=-x", "SYSTEM_TESTS=" + " ".join(files), timeout=3600):
                return "caught", f"system tests of {board}"
        return "survivor", ""

    def order(self, path):
        """The unit programs that are linked with a file: quick ones, those of its unit or room, and those that have caught
        something there first."""
        words = set(Path(path).stem.split("_")) | {Path(path).parent.name}

        def rank(program):
            return (self.times[program] + LINK_S) / (1 + 2 * len(words & set(Path(program).name.split("_"))) +
                                                     self.caught[Path(path).parent, program])
        return sorted((program for program in self.times if path in self.programs[program]), key=rank)

    def system_files(self, path):
        """The files of system tests that name a number of the specifications which the file names."""
        numbers = set(coverage.CITED.findall(tree.text(self.root, path)))
        return [test.as_posix() for test in tree.files(self.root, {".py"}, ("tests/system",))
                if test.name.startswith("test_") and numbers & set(coverage.CITED.findall(tree.text(self.root, test)))]


def report(faults):
    """A line for each folder, and the survivors."""
    folders = {}
    for fault in faults:
        folders.setdefault(str(Path(fault.path).parent), []).append(fault)
    rows = sorted(folders.items()) + [("all", faults)]
    print(f"\n{'folder':28}{'faults':>8}{'equal':>8}{'caught':>8}{'survivors':>10}{'caught of those that are not equal':>38}")
    for folder, some in rows:
        count = {state: sum(fault.state == state for fault in some) for state in STATES}
        real = count["caught"] + count["survivor"]
        share = f"{100 * count['caught'] / real:.1f} %" if real else "none"
        print(f"{folder:28}{len(some) - count['invalid'] - count['twin']:8}{count['equal']:8}{count['caught']:8}{count['survivor']:10}{share:>38}")
    for fault in faults:
        if fault.state == "survivor":
            print(f"survivor: {fault}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--sample", type=int, default=0, help="so many faults, drawn by the seed; 0: all")
    parser.add_argument("--each", type=int, default=0, help="so many faults of each of FILES")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", type=Path, metavar="JSON", help="only what survived in a run that wrote this, such as BUILD/mutate/faults.json")
    parser.add_argument("--flags", default="", help="what the Makefile gives the compiler for unit programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--system", metavar="BOARD", help="what survives goes on to the system tests of this board")
    parser.add_argument("--least", type=float, default=0, help="fail when fewer percent are caught")
    parser.add_argument("--quick", type=float, metavar="SECONDS", default=0,
                        help="without the model and the unit programs that take longer: fewer are caught, in less time")
    parser.add_argument("--minutes", type=float, default=0, help="plant no more after so many; 0: all")
    parser.add_argument("files", nargs="*", help="C files or folders (default: firmware and host/lib)")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    root = Path(".").resolve()
    names = [Path(name) for name in arguments.files or FOLDERS]
    if wrong := [str(name) for name in names if not (root / name).exists()]:
        parser.error("no such file or folder: " + ", ".join(wrong))
    judge = Judge(root, arguments)
    groups = [[fault for path in judge.paths_of(name) for fault in faults_of(root, path)] for name in names]
    judge.tell_stale([fault for group in groups for fault in group])
    faults = draw([fault for group in groups for fault in draw(group, arguments.each, arguments.seed)],
                  arguments.sample, arguments.seed)
    if arguments.again:
        left = {(fault["path"], fault["old"], fault["new"]) for fault in json.loads(arguments.again.read_text()) if fault["state"] == "survivor"}
        faults = [fault for fault in faults if (fault.path, fault.old, fault.new) in left]
    if not faults:
        parser.error("nothing to plant a fault in")
    judge.prepare(sorted({fault.path for fault in faults}))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        faults = [fault for fault in pool.map(judge.judge, faults) if fault.state]
    judge.close()
    faults.sort(key=lambda fault: (fault.path, fault.line))
    report(faults)
    (arguments.build / "mutate/faults.json").write_text(json.dumps([vars(fault) for fault in faults], indent=1))
    caught, left = (sum(fault.state == state for fault in faults) for state in ("caught", "survivor"))
    print(f"seed {arguments.seed}, {len(faults)} faults")
    return int(100 * caught < arguments.least * (caught + left))


if __name__ == "__main__":
    sys.exit(main())
