# SPDX-License-Identifier: Apache-2.0
"""What the random test of handles does its calls with: threads, devices, and what is known of each object."""
import queue
import threading
from collections import Counter

import ganger
from support import LONG

THREADS = 3


class Thing:
    """An object, what it belongs to, and what is known of its release."""

    def __init__(self, kind, it, *owners):
        self.kind, self.it, self.owners = kind, it, owners
        self.begun = False  # Its release was begun: it may be gone.
        self.ended = False  # Its release has succeeded: it is gone.

    def may_be_gone(self):
        """Whether a call may find it, or what it belongs to, released."""
        return self.begun or any(one.may_be_gone() for one in self.owners)

    def is_gone(self):
        """Whether a call that begins now must be refused."""
        return self.ended or any(one.is_gone() for one in self.owners)


class Worker:
    """A thread that does calls one after the other."""

    def __init__(self):
        self.jobs = queue.Queue()
        self.idle = threading.Event()
        self.idle.set()
        self.failures = []
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while True:
            job = self.jobs.get()
            if job is None:
                return
            try:
                job()
            except BaseException as error:  # pylint: disable=broad-except
                self.failures.append(error)
            if self.jobs.empty():
                self.idle.set()

    def post(self, job):
        """Does a call as soon as those before have ended."""
        self.idle.clear()
        self.jobs.put(job)

    def wait(self):
        """Waits until it is idle; raises what a call found wrong."""
        assert self.idle.wait(LONG), "a call does not come back"
        if self.failures:
            raise self.failures[0]


class World:
    """Devices and threads, which outlive the runs."""

    def __init__(self, board, elf, boots):
        """boots: devices that may be closed and replaced."""
        self.board, self.elf, self.boots = board, elf, boots
        self.workers = [Worker() for _thread in range(THREADS)]
        self.devices = [self.boot() for _device in range(2)]
        self.counts = Counter()
        self.steps = 0

    def boot(self):
        """A device, with a module in its default context."""
        dev = ganger.Device.boot(self.board, sms=1)
        thing = Thing("device", dev)
        thing.kernel = dev.load(self.elf)["blank"]
        return thing

    def settle(self):
        """Waits until all threads are idle."""
        for worker in self.workers:
            worker.wait()

    def close(self):
        """Ends threads and devices."""
        for worker in self.workers:
            worker.jobs.put(None)
            worker.thread.join(LONG)
        for thing in self.devices:
            thing.it.close()


def status_of(call):
    """What a call gives, and its status."""
    try:
        return call(), "OK"
    except ganger.Error as error:
        return None, error.status
