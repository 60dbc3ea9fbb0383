# SPDX-License-Identifier: Apache-2.0
"""What several system tests need: waits with deadlines, words of device memory, who is where."""
import array
import contextlib
import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import ganger

# Deadline of waits that take well under a second: only a hang gets there.
LONG = float(os.environ.get("GANGER_DEADLINE", "60"))
# Of a host that a test starts: it finds the package, and what stands here.
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{Path(ganger.__file__).parents[1]}:{Path(__file__).parent}"}


def until(condition, what, timeout=LONG):
    """Polls until condition() is true; fails with `what` after the deadline."""
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, f"not within {timeout} s: {what}"
        time.sleep(0.002)


def _still(pid):
    """Whether each thread of the process is stopped."""
    try:
        return all((thread / "stat").read_text().rpartition(")")[2].split()[0] == "T"
                   for thread in Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return False  # a thread that has just ended


def stop(pid):
    """Stops a process and waits until all of it stands still: kill() returns before its threads do."""
    os.kill(pid, signal.SIGSTOP)
    until(lambda: _still(pid), f"process {pid} stands still")


def words(data):
    """Bytes of the device as a list of 32-bit words."""
    return array.array("I", bytes(data)).tolist()


def free_bytes(dev):
    """Bytes left in the default context, when nothing of earlier tests waits for Python's collector."""
    gc.collect()
    return dev.default_context.info.free_bytes


def zeros(dev, count):
    """A buffer of `count` words of zero."""
    return dev.buffer(bytes(4 * count))


def flag_at(buffer, index):
    """A word of a buffer."""
    return words(buffer.read(4, offset=4 * index))[0]


def set_flag(buffer, index, value=1):
    """Writes a word of a buffer."""
    buffer.write(array.array("I", [value]), offset=4 * index)


def error_of(call, *args, **keywords):
    """The ganger.Error that a call raises; it must raise one."""
    try:
        result = call(*args, **keywords)
    except ganger.Error as error:
        return error
    raise AssertionError(f"no error, but {result!r}")


def expect(status, call, *args, **keywords):
    """Checks the status of the error that a call raises, and returns the error."""
    error = error_of(call, *args, **keywords)
    assert error.status == status, f"{error.status} instead of {status}: {error}"
    return error


def expect_status(statuses, call, *args, **keywords):
    """The same where more than one status is right."""
    error = error_of(call, *args, **keywords)
    assert error.status in statuses, f"{error.status} is none of {statuses}: {error}"
    return error


def run_ganger(*arguments, timeout=300, folder=None, **environment):
    """Runs the command `ganger` in a folder; its exit code, output and errors, as subprocess has them."""
    path = str(Path(ganger.__file__).parents[1])
    return subprocess.run([sys.executable, "-m", "ganger.cli", *map(str, arguments)], cwd=folder,
                          env={**os.environ, "PYTHONPATH": path, **environment},
                          capture_output=True, text=True, timeout=timeout, check=False)


def told(dev):
    """What a device has counted, on one line, and what it hangs on: for the reader of a failed test."""
    try:
        return f"counted: {({name: count for name, count in dev.stat().items() if count})}\n{dev.hang()}"
    except ganger.Error as error:
        return f"counted: {error}"


def assert_at_rest(dev):
    """The device is alive, holds nothing any more, and has lost or matched nothing wrongly.

    An "idle" that is reported while work sits somewhere (defect 6) shows here, and a completion
    that matched nothing (defect 8).
    """
    assert dev.state == "READY", dev.panic()
    assert dev.alive(timeout=LONG)
    dev.nop(timeout=LONG)
    until(lambda: dev.query("TASKS") == 0 and dev.query("DEVICE") == 0, "tasks or CTAs are left")
    stat = dev.stat()
    assert stat["unmatched"] == 0
    assert stat["tasks_accepted"] == stat["tasks_completed"]
    traffic = dev.traffic()
    assert traffic["posted"] == traffic["completed"] and traffic["unknown"] == 0, traffic
    assert all(slot.state.name() == "FREE" for slot in dev.regs.slot)
    cap = dev.regs.cap.read()
    for sm in dev.regs.sm_state:
        state = sm.read()
        assert state["resident"] == 0
        assert state["free_ctas"] == cap["sm_ctas"] and state["free_warps"] == cap["sm_warps"]
        assert state["free_units"] == (1 << cap["sm_units"]) - 1


def sm_of(dev, address):
    """Which SM's memory an address lies in."""
    first = dev.regs.sm_state[0]
    runtimes, units = first.area.read(), first.share.read()
    runtime = (units - runtimes) // dev.info.sms
    if address < units:
        place = (address - runtimes) // runtime
    else:
        place = (address - units) // (dev.info.sm_area_bytes - runtime)
    assert address >= runtimes and place < dev.info.sms
    return place


class Held:
    """CTAs that have started and wait for release(): kernel `where` of work.c.

    Leaving the `with` block releases and waits, also after a failure.
    """

    def __init__(self, dev, module, ctas, **keywords):
        self.dev, self.ctas = dev, ctas
        self.place, self.state = zeros(dev, 2 * ctas), zeros(dev, 2)
        keywords.setdefault("block", 1)
        self.task = dev.submit(module["where"], grid=(ctas,), args=[self.place, self.state],
                               **keywords)

    def started(self):
        """CTAs that have started until now."""
        return flag_at(self.state, 0)

    def await_started(self, count=None):
        """Waits until `count`, or all, have started."""
        want = self.ctas if count is None else count
        until(lambda: self.started() >= want, f"{want} CTAs started")

    def sms(self):
        """SM of each CTA, in linear order."""
        return [sm_of(self.dev, address) for address in words(self.place.read())[0::2]]

    def per_sm(self):
        """CTAs on each SM."""
        found = self.sms()
        return [found.count(sm) for sm in range(self.dev.info.sms)]

    def order(self):
        """Number in the order of starting, of each CTA."""
        return words(self.place.read())[1::2]

    def release(self):
        """Lets them end."""
        set_flag(self.state, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        self.release()
        self.task.wait(LONG)


@contextlib.contextmanager
def configured(dev, **parts):
    """A configuration for the length of a block; what was in force comes back."""
    before = dev.config()
    dev.config(**parts)
    try:
        yield
    finally:
        dev.config(**{name: before[name] for name in parts})


def hash_value(seed, item, spin):
    """What kernel `hash` of work.c adds to word `item`."""
    value = seed
    for step in range(spin + 1):
        value = ((value ^ item) * 16777619 + step) & 0xffffffff
    return value


def run_good_task(dev, module):
    """A task that must run and be right: what the next user of the device needs."""
    counts = zeros(dev, 20)
    done = dev.submit(module["count"], grid=(20,), block=(4,), args=[counts]).wait(LONG)
    assert (done.status, done.ctas) == ("OK", 20)
    assert words(counts.read()) == [1] * 20


def copies_and_fills(dev):
    """Copies and fills in a device's memory, of any size and place; what is wrong is refused."""
    count = 16384
    with dev.buffer(bytes(range(256)) * 64) as source, dev.buffer(b"\xff" * count) as target:
        for to, start, part in ((0, 0, count), (3, 5, 8191), (8, 4096, 8192), (count - 1, 0, 1), (7, 7, 0)):
            target.write(b"\xff" * count)
            target.copy(source, part, to, start)
            assert target.read() == b"\xff" * to + source.read(part, start) + b"\xff" * (count - to - part)
        for to, part in ((0, count), (4, 4099), (5, 6)):
            target.write(b"\xff" * count)
            target.fill(0x04030201, part, to)
            assert target.read() == b"\xff" * to + (bytes([1, 2, 3, 4]) * 4096)[:part] + b"\xff" * (count - to - part)
        source.copy(source, 100, 200, 0)
        for wrong, field in ((lambda: source.copy(source, 100, 99, 0), "from"), (lambda: target.copy(source, count, 1), "buffer"),
                             (lambda: target.fill(0, 1, count), "buffer"), (lambda: target.fill(1 << 32), "word")):
            assert expect("ERR_ARGUMENT", wrong).field == field
        with dev.context(1 << 16) as other, other.buffer(nbytes=64) as apart:
            assert expect("ERR_ARGUMENT", apart.copy, source, 64).field == "from"
            assert expect("ERR_ARGUMENT", target.copy, apart).field == "from"
