# SPDX-License-Identifier: Apache-2.0
"""Plants faults into C files, one at a time, and runs the tests that should notice.

The faults come from tests/mutate/c.rules by universalmutator, and from pairs of statements whose order is swapped. A fault is

    equal      the compiler makes the same code of it, or tests/mutate/equal.txt says why it is equal
    twin       the compiler makes the same code of it as of another one, which is judged
    invalid    it does not compile
    caught     a test fails, crashes or hangs
    survivor   no test noticed

First run the unit programs that are linked with the file, those of its unit or room before others, then the scheduler's
comparison with its model (not with --quick). With --system BOARD what survives these, and files that no unit program is linked with, go on to the system tests
that name a number of the specifications which the file names, too. Faults are planted in copies of the tree below
BUILD/mutate, never in the tree itself.
"""
import argparse
import contextlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
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
ZEROED = re.compile(r"^\t\w+ = (0|NULL|false|\(struct \w+\)\{ 0 \});$")
QUICK = ["-w", "-O2", "-g0", "-S", "-std=c11", "-D_GNU_SOURCE", "-Itests/fake", "-I.", "-Ihost/include", "-o", "-"]
STATES = ("equal", "twin", "invalid", "caught", "survivor")
MUTANT = "build/mutant"  # the planted file's object and the program that is linked with it, in a copy
SLOWER_S = 30  # a program that takes ten times as long as without a fault, and this, hangs
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}


class Fault:
    """A line of a file, counted from 1, and what stands there instead: one line, or two that are swapped."""

    def __init__(self, path, line, old, new):
        self.path, self.line, self.old, self.new = path, line, old, new
        self.state, self.by = "", ""

    def key(self):
        """What names it in tests/mutate/equal.txt: no line number, which moves with each change."""
        return f"{self.path}: {squeeze(self.old)} => {squeeze(self.new)}"

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
    again = zeroed_again(source)
    faults = [Fault(path, line, source[line - 1], new) for line, new, *_ in found
              if line not in again or new.strip() != ";"]
    for at, (first, second) in enumerate(zip(source, source[1:])):
        here, there = STATEMENT.match(first.rstrip()), STATEMENT.match(second.rstrip())
        if here and there and here.group(1) == there.group(1) and "assert(" not in first + second and order_matters(first, second):
            faults.append(Fault(path, at + 1, first + second, second + first))
    return sorted(faults, key=lambda fault: (fault.line, fault.new))


class Copy:
    """A copy of the tree, with a build folder of its own."""

    def __init__(self, root, build, number):
        self.root, self.dirty = build / "mutate" / f"tree{number}", None
        self.origin = root
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

    def make(self, *arguments, **keywords):
        return subprocess.run(["make", "WARNINGS=-std=c11 -w", *arguments], cwd=self.root, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, **keywords)

    def gcc(self, *arguments):
        return subprocess.run(["gcc", *arguments], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)

    def plant(self, fault):
        self.mend()
        lines = tree.without_comments(tree.text(self.origin, fault.path)).splitlines(keepends=True)
        lines[fault.line - 1:fault.line - 1 + fault.old.count("\n")] = [fault.new]
        (self.root / fault.path).write_text("".join(lines))
        self.dirty = fault.path

    def mend(self):
        if self.dirty:
            shutil.copyfile(self.origin / self.dirty, self.root / self.dirty)
            self.dirty = None

    def code(self, path):
        """The compiler's output for a file; empty: it does not compile."""
        done = self.gcc(*QUICK, path)
        return b"" if done.returncode else done.stdout


def run_program(copy, program, limit):
    """Whether a unit program, a path below the copy, passes; the seconds that it took."""
    began = time.monotonic()
    try:
        done = subprocess.run([copy.root / program], cwd=copy.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=limit, env={**os.environ, **SANITIZERS}, check=False)
        return done.returncode == 0, time.monotonic() - began
    except subprocess.TimeoutExpired:
        return False, limit


def measure(copies, programs):
    """The seconds of each unit program without a fault. One that fails then can tell nothing and is left out."""
    copy = copies[0]
    copy.mend()
    built = copy.make("-k", f"-j{len(copies)}", *programs)
    if built.returncode:
        sys.exit(f"mutate: the unit programs do not build without a fault:\n{built.stdout.decode()[-2000:]}")
    times = {}
    with ThreadPoolExecutor(len(copies)) as pool:
        for program, (passed, seconds) in zip(programs, pool.map(lambda p: run_program(copy, p, 600), programs)):
            if passed:
                times[program] = seconds
            else:
                print(f"mutate: {program} fails without a fault and is left out", flush=True)
    return times


class Judge:
    """Plants faults and says what became of them."""

    def __init__(self, root, arguments):
        self.root, self.arguments = root, arguments
        words = [unit_sources.sources_of(root, test) for test in unit_sources.tests_of(root)]
        self.programs = {f"build/unit/{Path(word[0]).stem}": word for word in words}
        self.model = {f for f in unit_sources.files_of(root, ["scheduler"]) if f.startswith("firmware/")}
        self.equal = [line.rsplit("  # ", 1) for line in tree.text(root, EQUAL).splitlines()
                      if line.strip() and not line.startswith("#")]
        self.copies, self.times, self.seen, self.codes, self.flags = Queue(), {}, set(), {}, []
        self.end = time.monotonic() + 60 * arguments.minutes if arguments.minutes else float("inf")

    def prepare(self, paths):
        copies = [Copy(self.root, self.arguments.build, number) for number in range(self.arguments.jobs)]
        linked = sorted(program for program, files in self.programs.items() if set(files) & set(paths))
        self.times = measure(copies, linked) if linked else {}
        self.objects = copies[0].root / "build/unit/obj"
        self.flags = copies[0].make("--eval", "flags:; @echo $(UNIT_CFLAGS)", "flags").stdout.decode().split()
        self.codes = {path: copies[0].code(path) for path in paths}
        for copy in copies:
            self.copies.put(copy)

    def link(self, copy, program, path):
        """Link a unit program with the planted file's object; everything else is as it was built without a fault."""
        objects = [str(self.objects / Path(name).with_suffix(".o")) if name != path else MUTANT + ".o"
                   for name in self.programs[program]]
        return copy.gcc("-fsanitize=address,undefined", "-o", MUTANT, *objects, "-lcmocka", "-pthread", "-lm").returncode == 0

    def judge(self, fault):
        if time.monotonic() > self.end:
            return fault
        copy = self.copies.get()
        try:
            fault.state, fault.by = self.verdict(copy, fault)
        finally:
            copy.mend()
            self.copies.put(copy)
        print(f"{fault.state:9}{fault}{'  by ' + fault.by if fault.by else ''}", flush=True)
        return fault

    def verdict(self, copy, fault):
        if any(squeeze(key) == squeeze(fault.key()) for key, _ in self.equal):
            return "equal", EQUAL
        copy.plant(fault)
        after = copy.code(fault.path)
        if not after:
            return "invalid", ""
        if after == self.codes[fault.path]:
            return "equal", "the compiler"
        if (fault.path, after) in self.seen:
            return "twin", ""
        self.seen.add((fault.path, after))
        copy.gcc(*self.flags, "-c", "-o", MUTANT + ".o", fault.path)
        for program in self.order(fault.path):
            if not self.link(copy, program, fault.path):
                return "caught", f"{program}, which does not link"
            if not run_program(copy, MUTANT, 10 * self.times[program] + SLOWER_S)[0]:
                return "caught", program
        if fault.path in self.model and not self.arguments.quick and copy.make(
                "test-model", "MODEL_LIBRARIES=build/model/libscheduler.so", timeout=1800,
                env={**os.environ, "PYTEST_ADDOPTS": "-x"}).returncode:
            return "caught", "make test-model"
        board = self.arguments.system
        if board and (files := self.system_files(fault.path)):
            if copy.make(f"test-system-{board}", "SYSTEM_ARGS=-x", "SYSTEM_TESTS=" + " ".join(files), timeout=3600).returncode:
                return "caught", f"system tests of {board}"
        return "survivor", ""

    def order(self, path):
        """The unit programs that are linked with a file: those of its unit or room first, then the quick ones."""
        words = set(Path(path).stem.split("_")) | {Path(path).parent.name}

        def rank(program):
            return -len(words & set(Path(program).name.split("_"))), self.times[program]
        most = self.arguments.quick or float("inf")
        return sorted((program for program, seconds in self.times.items()
                       if path in self.programs[program] and seconds <= most), key=rank)

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
    parser.add_argument("--seed", type=int, default=1)
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
    paths = [path.as_posix() for name in names
             for path in ([name] if name.suffix == ".c" else tree.files(root, {".c"}, (name.as_posix(),)))
             if path.name != "absent.c"]
    judge = Judge(root, arguments)
    unlinked = [path for path in paths if not any(path in files for files in judge.programs.values())]
    if not arguments.system:
        for path in unlinked:
            print(f"mutate: no unit program is linked with {path}: only --system can judge it")
        paths = [path for path in paths if path not in unlinked]
    faults = [fault for path in paths for fault in faults_of(root, path)]
    if arguments.sample and arguments.sample < len(faults):
        faults = random.Random(arguments.seed).sample(faults, arguments.sample)
    if not faults:
        parser.error("nothing to plant a fault in")
    judge.prepare(sorted({fault.path for fault in faults}))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        faults = [fault for fault in pool.map(judge.judge, faults) if fault.state]
    faults.sort(key=lambda fault: (fault.path, fault.line))
    report(faults)
    (arguments.build / "mutate/faults.json").write_text(json.dumps([vars(fault) for fault in faults], indent=1))
    caught, left = (sum(fault.state == state for fault in faults) for state in ("caught", "survivor"))
    print(f"seed {arguments.seed}, {len(faults)} faults")
    return int(100 * caught < arguments.least * (caught + left))


if __name__ == "__main__":
    sys.exit(main())
