# SPDX-License-Identifier: Apache-2.0
"""gg_completions_wait(): one thread looks after tasks that come while it waits."""
import ctypes
import threading

import pytest

import ganger
from support import LONG

TASKS = 50


class Watcher(threading.Thread):
    """Waits until so many more commands have completed."""

    def __init__(self, dev, first, count):
        super().__init__()
        self.dev, self.seen, self.until, self.wakes = dev, ctypes.c_uint64(first), first + count, 0

    def run(self):
        while self.seen.value < self.until:
            self.dev.handle.device_call("gg_completions_wait", int(LONG * 1000), ctypes.byref(self.seen))
            self.wakes += 1


def test_a_thread_sees_all(device):
    """Each completion ends a wait that began before it, also when another thread takes it."""
    dev = device(8)
    watcher = Watcher(dev, dev.traffic()["completed"], TASKS)
    watcher.start()
    for _number in range(TASKS):
        dev.command("NOP", timeout=LONG).wait(timeout=LONG)
    watcher.join(LONG)
    assert not watcher.is_alive() and 1 <= watcher.wakes <= TASKS
    assert watcher.seen.value == dev.traffic()["completed"]


def test_nothing_completes(device):
    """A count that is no longer right is answered at once; one that stays right ends at the deadline."""
    dev = device(8)
    seen = ctypes.c_uint64(dev.traffic()["completed"] + 1)
    dev.handle.device_call("gg_completions_wait", 0, ctypes.byref(seen))
    assert seen.value == dev.traffic()["completed"]
    with pytest.raises(ganger.Error) as caught:
        dev.handle.device_call("gg_completions_wait", 10, ctypes.byref(seen))
    assert caught.value.status == "ERR_TIMEOUT" and seen.value == dev.traffic()["completed"]
