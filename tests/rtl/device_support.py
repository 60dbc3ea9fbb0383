# SPDX-License-Identifier: Apache-2.0
"""The firmware on the reference SoC, simulated: RAM and doorbells of a running simulator are a file, which the
host library connects to.

Waits are bounded by the simulator's cycles, not by time, wherever they can be.
"""
import array
import contextlib
import os
import struct
import subprocess
import time
from pathlib import Path

import ganger

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("GANGER_BUILD", ROOT / "build")).resolve()
BOARDS = sorted(path.parent.name for path in (ROOT / "boards").glob("*/core.f"))
LIFE = 2_000_000_000  # cycles; a bound: all tests of a board together take a fortieth
MOST = 20_000_000     # cycles of one wait; a bound: the longest takes a tenth
LONG = 600.0          # s, for calls that only end by themselves; the slowest machine takes a hundredth
LOOKS = 2048          # cycles; the simulator tells how far it is every 1024
PAGE = 4096
CYCLES_AT = 16        # byte of the doorbell page; stall cycles of fetches and of data come behind


def numbers(board):
    """NAME = value of board.mk, as text."""
    lines = (ROOT / "boards" / board / "board.mk").read_text().splitlines()
    return dict(line.split(" = ", 1) for line in lines if " = " in line and not line.startswith("#"))


def kernel_path(board, name):
    """A kernel of tests/rtl/rtl.mk, built for the core of a board."""
    return BUILD / "rtl" / "kernels" / numbers(board)["BOARD_MARCH"] / f"{name}.elf"


class Simulation:
    """A running simulator. Its console goes to the file `log`, unless the serial line is something else."""

    def __init__(self, board, folder, image=None, uart="stdio", cycles=LIFE, sim=None):
        self.board, self.ram = board, Path(folder) / "ram"
        self.image = Path(image or BUILD / board / "flash.bin")
        self._log = Path(folder) / "log"
        with self._log.open("wb") as log:
            self._process = self.start(
                [BUILD / "rtl" / (sim or board) / "sim", "--image", self.image, "--ram-file", self.ram,
                 "--cycles", str(cycles), "--uart", uart], log)
        try:
            deadline = time.monotonic() + LONG
            while not self._is_ready(ended=self.ended() is not None):
                assert time.monotonic() < deadline, self.report()
                time.sleep(0.01)
        except BaseException:
            self.end()
            raise

    @staticmethod
    def start(command, log):
        """Starts the simulator; its output goes to a file."""
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _is_ready(self, ended):
        """`ended` was looked at first: a board that refuses to start may have ended by now."""
        ready = "sim: ready\n" in self.log()
        assert ready or not ended, self.report()
        return ready

    def log(self):
        """What the simulator and the console have said."""
        return self._log.read_text(errors="replace")

    def counters(self):
        """Cycles so far, and stall cycles of all harts in fetches and with data; as of the last thousand cycles or so."""
        with self.ram.open("rb") as file:
            file.seek(-PAGE + CYCLES_AT, os.SEEK_END)
            return struct.unpack("<3Q", file.read(24))

    def cycle(self):
        """Cycles so far."""
        return self.counters()[0]

    def late(self):
        """A cycle until which all is known that was before this call; what follows comes after it."""
        begin = self.cycle()
        self.until(lambda: self.cycle() >= begin + LOOKS, "the next look")
        return self.cycle()

    def ended(self):
        """Exit status of the simulator, or None."""
        return self._process.poll()

    def report(self):
        """For failures: the last lines of the log, and how far it came."""
        return f"{self.board}: exit status {self.ended()}, cycle {self.cycle() if self.ram.exists() else 0}\n" \
            + "\n".join(self.log().splitlines()[-30:])

    def end(self):
        """Ends it; the log has its last line then."""
        self._process.terminate()
        self._process.wait(LONG)

    def until(self, condition, what, cycles=MOST):
        """Polls until condition() is true, which is returned; at most so many cycles."""
        last = self.cycle() + cycles
        while True:
            ended = self.ended() is not None  # looked at first, so that the condition sees all that was before the end
            found = condition()
            if found:
                return found
            assert not ended, f"{what}: the simulator ended\n{self.report()}"
            assert self.cycle() < last, f"not within {cycles} cycles: {what}\n{self.report()}"
            time.sleep(0.002)

    def finish(self, task):
        """The completion of a task; raises its error."""
        self.until(lambda: task.done, f"the end of {task}")
        return task.wait(LONG)

    def connect(self, uri=None):
        """The device, once its firmware runs."""
        def look():
            try:
                return ganger.Device.connect(uri or f"mmap:{self.ram}")
            except ganger.Error as error:
                assert error.status in ("ERR_ABI_MAGIC", "ERR_NO_DEVICE"), error
                return None

        return self.until(look, "the firmware starts")


@contextlib.contextmanager
def simulation(board, folder, **options):
    """A simulator for the length of a block; a failure shows what it said."""
    running = Simulation(board, folder, **options)
    try:
        yield running
    except BaseException:
        print(running.report())
        raise
    finally:
        running.end()


def words(data):
    """Bytes of the device as a list of 32-bit words."""
    return array.array("I", bytes(data)).tolist()


def numbers_of(values):
    """The same the other way."""
    return array.array("I", values)


def zeros(dev, count):
    """A buffer of `count` words of zero."""
    return dev.buffer(bytes(4 * count))


def expect(status, call, *args, **keywords):
    """Checks the status of the error that a call raises, and returns the error."""
    try:
        result = call(*args, **keywords)
    except ganger.Error as error:
        assert error.status == status, f"{error.status} instead of {status}: {error}"
        return error
    raise AssertionError(f"no error, but {result!r}")


class Machine:
    """A device that runs, its simulation, and its kernels."""

    def __init__(self, sim, dev):
        self.sim, self.dev = sim, dev
        self._modules = {}

    def has(self, feature):
        """Whether the device has a feature, by its name in enum gg_feature."""
        return feature in self.dev.info.features

    def kernel(self, name, file="device"):
        """A kernel, loaded once."""
        if file not in self._modules:
            self._modules[file] = self.dev.load(kernel_path(self.sim.board, file))
        return self._modules[file][name]

    def finish(self, task):
        """Simulation.finish()."""
        return self.sim.finish(task)

    def run(self, name, file="device", **keywords):
        """Runs a task to its end."""
        return self.finish(self.dev.submit(self.kernel(name, file), **keywords))

    def works(self):
        """A task that must run and be right, on both SMs."""
        counts = zeros(self.dev, 12)
        done = self.run("count", grid=12, block=4, args=[counts])
        assert (done.status, done.ctas) == ("OK", 12)
        assert words(counts.read()) == [1] * 12

    @contextlib.contextmanager
    def held(self, ctas, **keywords):
        """CTAs that have started and wait until the block ends."""
        state = zeros(self.dev, ctas + 1)
        task = self.dev.submit(self.kernel("hold"), grid=ctas, args=[state, state.address + 4 * ctas], **keywords)
        try:
            self.sim.until(lambda: sum(words(state.read(4 * ctas))) == ctas, f"{ctas} CTAs started")
            yield task
        finally:
            state.write(numbers_of([1]), offset=4 * ctas)
            self.finish(task)

    def at_rest(self):
        """The device is alive, holds nothing any more, and has lost or matched nothing wrongly."""
        assert self.dev.state == "READY", self.dev.panic()
        self.dev.nop(timeout=LONG)
        self.sim.until(lambda: self.dev.query("TASKS", LONG) == 0 == self.dev.query("DEVICE", LONG), "all at rest")
        stat = self.dev.stat()
        assert stat["unmatched"] == 0 and stat["tasks_accepted"] == stat["tasks_completed"]
        traffic = self.dev.traffic()
        assert traffic["posted"] == traffic["completed"] and traffic["unknown"] == 0, traffic
        assert all(state.resident.read() == 0 for state in self.dev.regs.sm_state)
