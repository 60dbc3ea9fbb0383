# SPDX-License-Identifier: Apache-2.0
"""Random calls of the Python package from several threads at once, with releases and closes in between, on two devices.

GANGER_STEPS is how many steps it takes (10,000); GANGER_DEVICES about how many of each 10,000 close a device and boot
another one. After each 10,000 it says how many were taken; GANGER_SEED, which it says before, repeats them. A step is a call in one of three threads, or a wait until all of them are
idle. The model knows of each object whether its release was begun and whether it has ended, and so which calls must
be refused, which must not be, and which may end in either way because they came at the same time.

A failure may be shown as one of Hypothesis, "inconsistent data generation": the repetition of a run with threads did not
fail at the same step.
"""
import ctypes
import functools
import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

import ganger
from handle_support import THREADS, Thing, World, status_of
from seeds import seed_of
from support import LONG, assert_at_rest

STEPS = int(os.environ.get("GANGER_STEPS", "10000"))
BOOTS = int(os.environ.get("GANGER_DEVICES", "8"))
PART = 10000  # Steps of one search of Hypothesis, which remembers all of them.
RUN = 200  # Steps before all objects are given up; devices stay.
MOST = 40  # Objects of a kind.
HEAP = 256 << 10
GONE = {"ERR_HANDLE", "ERR_DEVICE_LOST"}
# What a good handle may still answer: the device is full of work, or the object is in another state.
FAIR = {"OK", "ERR_BUSY", "ERR_TASK", "ERR_CANCELLED", "ERR_TIMEOUT", "ERR_DEPENDENCY", "ERR_NO_MEMORY", "ERR_QUEUE_FULL",
        "ERR_QUEUE_CLOSED", "ERR_ARGUMENT"}


class Storm(RuleBasedStateMachine):
    """One run: objects are made, used and released in all threads."""
    world = None

    def __init__(self):
        super().__init__()
        self.things = {}

    def pick(self, kind, number):
        """One of the objects of a kind, released ones included, or None."""
        found = self.world.devices if kind == "device" else self.things.get(kind)
        return found[number % len(found)] if found else None

    def keep(self, thing):
        """Keeps a new object; of too many, the oldest are forgotten."""
        found = self.things.setdefault(thing.kind, [])
        found.append(thing)
        del found[:-MOST]

    def post(self, number, name, call, *used, then=None):
        """Does a call in a thread, and compares its status with what is known of the objects that it uses."""
        def job():
            must = any(one.is_gone() for one in used)
            made, status = status_of(call)
            may = any(one.may_be_gone() for one in used)
            self.world.counts[name, status] += 1
            assert not must or status in GONE, f"{name} of a released object: {status}"
            assert may or status in FAIR, f"{name} of a good object: {status}"
            assert status in FAIR | GONE, f"{name}: {status}"
            if status == "OK" and then:
                then(made)

        self.world.workers[number % THREADS].post(job)

    def release(self, number, name, call, thing, *, twice_is_fine=True):
        """Does a release. A method of the package may be called twice; the library's function may not."""
        def job():
            must = thing.is_gone()
            thing.begun = True
            _made, status = status_of(call)
            self.world.counts[name, status] += 1
            assert status in FAIR | GONE, f"{name}: {status}"
            assert twice_is_fine or not must or status in GONE, f"{name}, a second time: {status}"
            if status == "OK":
                thing.ended = True

        self.world.workers[number % THREADS].post(job)

    @initialize()
    def begin(self):
        """Each run has a context."""
        self.make_context(0, 0)

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99))
    def make_context(self, thread, which):
        """A context with a module."""
        dev = self.pick("device", which)
        if sum(not one.is_gone() for one in self.things.get("context", [])) >= 8:
            return

        def loaded(module, context):
            thing = Thing("module", module, context)
            thing.kernel = module["blank"]
            self.keep(thing)

        def made(context):
            thing = Thing("context", context, dev)
            self.keep(thing)
            self.post(thread, "load", lambda: context.load(self.world.elf), thing,
                      then=functools.partial(loaded, context=thing))

        self.post(thread, "context", lambda: dev.it.context(HEAP), dev, then=made)

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99))
    def close_context(self, thread, which):
        """Context.close()."""
        thing = self.pick("context", which)
        if thing:
            self.release(thread, "close", thing.it.close, thing)

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99))
    def unload(self, thread, which):
        """Module.unload()."""
        thing = self.pick("module", which)
        if thing:
            self.release(thread, "unload", thing.it.unload, thing)

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99), after=st.lists(st.integers(0, 99), max_size=3),
          own=st.booleans())
    def submit(self, thread, which, after, own):
        """A blank task, of a module of a context or of the device's own, after some others."""
        owner = self.pick("module" if own else "device", which)
        if not owner:
            return
        dev = owner.owners[0].owners[0] if own else owner
        before = [one for one in (self.pick("task", number) for number in after) if one and one.owners[0] is dev]

        def call():
            return dev.it.submit(owner.kernel, after=[one.it for one in before], timeout=LONG)

        # A task outlives its module and its context, which cannot be released before it has ended.
        self.post(thread, "submit", call, owner, dev, *before, then=lambda task: self.keep(Thing("task", task, dev)))

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99),
          what=st.sampled_from(["wait", "poll", "cancel", "suspend", "resume", "output", "address", "any"]))
    def use_task(self, thread, which, what):
        """A call about a task."""
        thing = self.pick("task", which)
        if not thing:
            return
        task = thing.it
        calls = {"wait": lambda: task.wait(0.01), "poll": task.poll, "cancel": lambda: task.cancel(LONG),
                 "suspend": lambda: (task.suspend(LONG), task.resume(LONG)), "resume": lambda: task.resume(LONG),
                 "output": lambda: task.output, "address": lambda: task.address,
                 "any": lambda: ganger.wait_any([task], 0.01)}

        def call():
            if what in ("wait", "poll") and task._raw is not None:
                return None  # The package itself knows, so a released one answers, too.
            return calls[what]()

        if what in ("wait", "poll"):
            self.post_known(thread, what, call, thing)
        else:
            self.post(thread, what, call, thing)

    def post_known(self, number, name, call, thing):
        """A call that may succeed after a release."""
        def job():
            _made, status = status_of(call)
            self.world.counts[name, status] += 1
            assert status in FAIR | GONE and (thing.may_be_gone() or status in FAIR), f"{name}: {status}"

        self.world.workers[number % THREADS].post(job)

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99), early=st.booleans())
    def release_task(self, thread, which, early):
        """Task.release(), or the library's, which also releases one that is on its way."""
        thing = self.pick("task", which)
        if not thing:
            return
        if early:
            self.release(thread, "forget", lambda: thing.it._handle.call("gg_task_release", thing.it._pointer), thing,
                         twice_is_fine=False)
        else:
            self.release(thread, "release", lambda: self.release_ended(thing.it), thing)

    @staticmethod
    def release_ended(task):
        """Releases a task that has ended."""
        if not task.release():
            raise ganger.Error("ERR_BUSY")

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99), own=st.booleans())
    def make_queue(self, thread, which, own):
        """A QUEUE task."""
        owner = self.pick("module" if own else "device", which)
        if not owner:
            return
        dev = owner.owners[0].owners[0] if own else owner
        self.post(thread, "queue", lambda: dev.it.queue(owner.kernel, capacity=4, item_bytes=8, items=1), owner, dev,
                  then=lambda task: self.keep(Thing("queue", task, dev)))

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99), what=st.sampled_from(["push", "shut", "forget queue"]))
    def use_queue(self, thread, which, what):
        """Pushes to a queue, closes it, or releases it."""
        thing = self.pick("queue", which)
        if not thing:
            return
        if what == "push":
            self.post(thread, what, lambda: thing.it.push(bytes(16), timeout=0.01), thing)
        elif what == "shut":
            self.post(thread, what, lambda: thing.it.close(LONG), thing)
        else:  # Nobody could close it any more.
            def call():
                thing.it.cancel(LONG)
                self.release_ended(thing.it)

            self.release(thread, what, call, thing)

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99))
    def allocate(self, thread, which):
        """Memory of a context."""
        owner = self.pick("context", which)
        if owner:
            self.post(thread, "buffer", lambda: owner.it.buffer(bytes(64)), owner,
                      then=lambda buffer: self.keep(Thing("buffer", buffer, owner)))

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99))
    def make_template(self, thread, which):
        """A template."""
        owner = self.pick("module", which)
        if owner:
            self.post(thread, "template", lambda: owner.owners[0].it.template(owner.kernel), owner,
                      then=lambda made: self.keep(Thing("buffer", made, owner.owners[0])))

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99), what=st.sampled_from(["read", "write", "free"]))
    def use_buffer(self, thread, which, what):
        """Reads, writes or frees memory."""
        thing = self.pick("buffer", which)
        if not thing:
            return
        if what == "free":
            self.release(thread, what, thing.it.free, thing)
        else:
            at = 8 * thread  # Bytes that several threads write at once are theirs to guard, not the library's.
            self.post(thread, what, lambda: thing.it.read(8, at) if what == "read" else thing.it.write(bytes(8), at), thing)

    @rule(thread=st.integers(0, 2), which=st.integers(0, 99), what=st.sampled_from(["make", "end", "program", "destroy"]))
    def use_graph(self, thread, which, what):
        """Graphs of C, which one call at a time may use."""
        owner, thing = self.pick("context", which), self.pick("graph", which)
        if what == "make" and owner:
            def call():
                graph = ctypes.c_void_p()
                owner.it.handle.call("gg_graph_create", ctypes.c_void_p(owner.it.pointer), ctypes.byref(graph))
                return graph

            self.post(thread, "graph", call, owner, then=lambda graph: self.keep(Thing("graph", graph, owner)))
        elif what != "make" and thing:
            handle = thing.owners[0].it.handle
            if what == "destroy":
                self.release(thread, "destroy", lambda: handle.call("gg_graph_destroy", thing.it), thing,
                             twice_is_fine=False)
            elif what == "end":
                number = ctypes.c_uint32()
                self.post(thread, "transient", lambda: handle.call("gg_graph_transient", thing.it, ctypes.c_uint64(64),
                                                                   ctypes.byref(number)), thing)
            else:
                program, nbytes = ctypes.c_void_p(), ctypes.c_uint64()
                self.post(thread, "program", lambda: handle.call("gg_graph_program", thing.it, ctypes.byref(program),
                                                                 ctypes.byref(nbytes)), thing)

    @rule(number=st.integers(0, STEPS // 3))
    def replace_device(self, number):
        """Closes a device in the middle of everything, and boots another."""
        world = self.world
        if number >= world.boots:
            return
        place = number % 2
        thing = world.devices[place]
        self.release(number, "close device", thing.it.close, thing)
        self.release(number + 1, "close device", thing.it.close, thing)
        world.settle()
        assert thing.it.closed
        world.devices[place] = world.boot()

    @invariant()
    def count(self):
        """Hypothesis calls it after each step."""
        self.world.steps += 1

    @rule()
    def settle(self):
        """All threads meet."""
        self.world.settle()

    def teardown(self):
        """What is left ends, and the devices have nothing any more."""
        self.world.settle()
        self.things.clear()
        for thing in self.world.devices:
            # Also tasks that were released while they were suspended, and queues that nobody has closed.
            thing.it.channels[0].cancel(LONG)
            thing.it.fence(timeout=LONG)


@pytest.mark.timeout(86400)
def test_storm(board, sample_path, kernel_path):
    """S3-R22, S3-R24, S3-R6: no call from any thread crashes, hangs, or ends otherwise than the model says; at the end
    both devices are idle."""
    number = seed_of("handle storm")
    world = Storm.world = World(board, kernel_path("work"), max(1, BOOTS * STEPS // 10000))
    try:
        for begin in range(0, STEPS, PART):
            print(f"GANGER_SEED={number + begin // PART}, {STEPS:,} steps", flush=True)
            run = settings(max_examples=max(1, min(PART, STEPS - begin) // RUN), stateful_step_count=RUN, deadline=None,
                           database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
            run_state_machine_as_test(with_seed(number + begin // PART)(Storm), settings=run)
            for thing in world.devices:
                assert_at_rest(thing.it)
            print(f"{world.steps:,} steps taken, {sum(world.counts.values()):,} calls", flush=True)
    finally:
        Storm.world = None
        world.close()
    for (name, status), count in sorted(world.counts.items()):
        print(f"{name:14} {status:18} {count:8,}")
