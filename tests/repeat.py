# SPDX-License-Identifier: Apache-2.0
"""The system tests of all boards again and again, side by side, on a machine that has too much to do: `make repeat`.

Each time in another way, in turns (WAYS= names some of them): `busy`, with four spinning processes for each processor; `one`, on one processor
alone; `stopped`, while random emulators are stopped for up to a quarter of a second and continued; `quiet`, as in
`make test`. A line is printed for each, and added to `repeats.txt`; what a failed one printed is kept beside it. The
status is bad when a test failed, or none ran. Which moments are hit hangs on the machine, so no two are the same.
"""
import argparse
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import junit

SPINNERS = 4
STOP, BETWEEN = (0.01, 0.25), (0.05, 0.5)  # seconds
# Tests that stop an emulator themselves, and want it to stay so.
STOPPERS = ("test_ring_full", "test_host_that_dies", "test_host_that_is_killed")
MARK = "GANGER_REPEAT"


@contextmanager
def busy():
    """Processes that spin."""
    found = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _one in range(SPINNERS * len(os.sched_getaffinity(0)))]
    try:
        yield
    finally:
        for one in found:
            one.kill()
            one.wait()


@contextmanager
def one():
    """What is started has one processor."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def emulators():
    """Process numbers of the emulators that belong to this run, also of those whose parents have ended."""
    mark = f"{MARK}={os.getpid()}\0".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text().startswith("qemu-system") and mark in (folder / "environ").read_bytes():
                yield int(folder.name)
        except OSError:
            pass  # it has ended


def hold_up(ended):
    """Stops one after the other for a moment."""
    while not ended.wait(random.uniform(*BETWEEN)):
        found = list(emulators())
        if found:
            pid = random.choice(found)
            try:
                os.kill(pid, signal.SIGSTOP)
                time.sleep(random.uniform(*STOP))
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass


@contextmanager
def stopped():
    """Emulators are stopped and continued."""
    ended = threading.Event()
    thread = threading.Thread(target=hold_up, args=(ended,))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def quiet():
    """Nothing besides."""
    yield


WAYS = {way.__name__: way for way in (busy, one, stopped, quiet)}


def start(arguments, board, way, folder):
    """Starts the system tests of a board; what they print goes to a file."""
    words = "--timeout 3600" + (f' -k "not {" and not ".join(STOPPERS)}"' if way is stopped else "")
    with (folder / f"{board}.txt").open("w", encoding="utf-8") as out:
        return subprocess.Popen([*arguments.make.split(), f"test-system-{board}", f"BUILD={arguments.build}", f"RESULTS={folder}",
                                 f"SYSTEM_ARGS={words}"], stdout=out, stderr=subprocess.STDOUT, env={**os.environ, MARK: str(os.getpid())})


def cases(folder, board):
    """The cases of a board; a failed one when there are no results."""
    try:
        return junit.read(folder / f"test-system-{board}.xml")
    except ValueError as error:
        return [junit.Case(board, f"no results ({error})", "failed")]


def repeat(arguments, number, way):
    """One time; whether all was well."""
    folder = Path(arguments.build) / "repeat" / f"{time.strftime('%m%d-%H%M%S')}-{way.__name__}"
    folder.mkdir(parents=True)
    began = time.monotonic()
    with way():
        started = [start(arguments, board, way, folder) for board in arguments.boards]
        good = sum(process.wait() != 0 for process in started) == 0
    found = [case for board in arguments.boards for case in cases(folder, board)]
    failed = [f"{case.suite}::{case.name}" for case in found if case.state == "failed"]
    passed = sum(case.state == "passed" for case in found)
    line = f"{number:3} {way.__name__:8} {passed} passed, {len(failed)} failed, {time.monotonic() - began:.0f} s {' '.join(failed)}".rstrip()
    print(line, flush=True)
    with (folder.parent / "repeats.txt").open("a", encoding="utf-8") as out:
        out.write(f"{time.strftime('%F %T')} {line}\n")
    return good and passed > 0 and not failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="relative to the root")
    parser.add_argument("--make", default="make")
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--ways", type=str.split, default=list(WAYS), help="names, with blanks between them")
    parser.add_argument("boards", nargs="+")
    arguments = parser.parse_args()
    if not arguments.ways or set(arguments.ways) - set(WAYS):
        parser.error(f"WAYS is '{' '.join(arguments.ways)}': it has to name some of {', '.join(WAYS)}")
    ways = itertools.cycle(WAYS[name] for name in arguments.ways)
    results = [repeat(arguments, number, way) for number, way in zip(range(1, arguments.times + 1), ways)]
    print(f"{sum(results)} of {len(results)} times everything passed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
