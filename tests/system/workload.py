# SPDX-License-Identifier: Apache-2.0
"""What the tests of the scheduler have in common: traces, what they say about tasks, random
workloads."""
import array
import contextlib
import math
from types import SimpleNamespace

import ganger


@contextlib.contextmanager
def tracing(dev):
    """Traces a block: `result` of what it yields is the trace afterwards. The trace must be
    whole."""
    traced = SimpleNamespace(result=None)
    dev.trace_on()
    try:
        yield traced
    finally:
        dev.trace_off()
    traced.result = dev.trace()
    assert traced.result.lost == 0, "the trace does not hold it all: make the test smaller"


def ctas_of(trace, tag):
    """CTAs of a task as they ran, by start."""
    return [event for event in trace.of_type("CTA") if event.tag == tag]


def launches_of(trace, tag):
    """Packets of a task, in the order of launch."""
    return [event for event in trace.of_type("LAUNCH") if event.tag == tag]


def launch_order(trace):
    """(tag, CTA) of all CTAs in the order in which the control processor launched them."""
    return [(event.tag, event.cta + place) for event in trace.of_type("LAUNCH")
            for place in range(event.extra)]


def overlaps(bars):
    """Whether two CTAs of these were there at once; their times are counted in ticks, so one may
    begin in the tick in which another ends."""
    ordered = sorted(bars, key=lambda bar: (bar.start, bar.end))
    return any(later.start < earlier.end for earlier, later in zip(ordered, ordered[1:]))


def meet(some, others):
    """Whether a CTA of one set was there at the same time as one of the other."""
    both = sorted([(bar.start, bar.end, 0) for bar in some] +
                  [(bar.start, bar.end, 1) for bar in others])
    latest = [0, 0]  # end of the CTAs of each set until here
    for start, end, which in both:
        if start < latest[1 - which]:
            return True
        latest[which] = max(latest[which], end)
    return False


GRIDS = ((1,), (2,), (3,), (9,), (30,), (1, 4), (3, 4), (2, 2, 5))


class Job:
    """A task of a random workload, and what is known of it. `options` are those of its
    submission."""

    def __init__(self, task, out, expected, options):
        self.task, self.out, self.expected, self.options = task, out, expected, options
        self.after = options.get("after_jobs", ())
        self.disturbed = False  # cancelled, or after one that was

    @property
    def tag(self):
        """Of its task."""
        return self.task.tag

    def may_fail(self):
        """Whether its failure is expected."""
        return self.disturbed or any(job.may_fail() for job in self.after)


class Workload:
    """Some tasks of all kinds, at random, each of which counts its CTAs or its items; grids of at
    most `largest` CTAs."""

    def __init__(self, dev, modules, rng, largest):
        self.dev, self.rng, self.largest = dev, rng, largest
        self.work, self.queue = modules
        self.jobs = []

    def _options(self):
        """What any kind of task may have."""
        rng, sms = self.rng, self.dev.info.sms
        options = {"priority": rng.randint(1, 10), "head": rng.random() < 0.2,
                   "mode": rng.choice(("balance", "round-robin", "device")),
                   "channel": rng.randrange(3), "block": rng.choice((1, 1, 3, 64, 500)),
                   "sequential": rng.random() < 0.15, "throttle": rng.random() < 0.15,
                   "quota": rng.choice((None, None, 1, 3))}
        if rng.random() < 0.3 and not options["throttle"]:
            options["affinity"] = sorted(rng.sample(range(sms), rng.randint(1, sms)))
        if rng.random() < 0.3:
            options["stack_bytes"] = rng.choice((256, 4096))
        if self.jobs and rng.random() < 0.3:
            options["after_jobs"] = rng.sample(self.jobs, min(len(self.jobs), rng.randint(1, 3)))
        return options

    def _submit(self, call, kernel, options, **more):
        """The task; None if one that it waits for has failed and is known to the library."""
        after = options.get("after_jobs", ())
        given = {name: value for name, value in options.items() if name != "after_jobs"}
        try:
            return call(kernel, after=[job.task for job in after], **given, **more)
        except ganger.Error as error:
            assert error.status == "ERR_DEPENDENCY" and any(job.may_fail() for job in after), error
            return None

    def grid(self):
        """A grid of up to three dimensions."""
        sizes = self.rng.choice([sizes for sizes in GRIDS if math.prod(sizes) <= self.largest])
        ctas = math.prod(sizes)
        out, options = self.dev.buffer(bytes(4 * ctas)), self._options()
        task = self._submit(self.dev.submit, self.work["count"], options, grid=sizes, args=[out])
        if task is not None:
            self.jobs.append(Job(task, out, [1] * ctas, {**options, "ctas": ctas}))

    def items(self):
        """A queue: some items at the start, some pushed, then closed."""
        rng = self.rng
        items, first = rng.randint(1, 1 + self.largest), rng.randint(0, 16)
        numbers = list(range(items))
        rng.shuffle(numbers)
        data = [number.to_bytes(4, "little") + bytes(4) for number in numbers]
        out, options = self.dev.buffer(bytes(4 * items)), self._options()
        options["block"] = 1
        task = self._submit(self.dev.queue, self.queue["tally"], options, args=[out], capacity=64,
                            item_bytes=8, items=rng.choice((1, 4, 7)),
                            coalesce_us=rng.choice((0, 200, None)), initial=b"".join(data[:first]))
        if task is not None:
            self.jobs.append(Job(task, out, [1] * items, {**options, "ctas": None}))
            self._feed(self.jobs[-1], data[first:])

    @staticmethod
    def _feed(job, data):
        """Pushes items, closes; the task may have failed meanwhile with one that it waits for."""
        try:
            if data:
                job.task.push(b"".join(data))
            job.task.close()
        except ganger.Error as error:
            assert error.status == "ERR_TASK" and job.may_fail(), error

    def disturb(self):
        """Cancels a task, or suspends it for a while; it may be over already."""
        job, cancels = self.rng.choice(self.jobs), self.rng.random() < 0.5
        try:
            if cancels:
                job.disturbed = True
                job.task.cancel()
            else:
                job.task.suspend()
                self.dev.nop()
                job.task.resume()
        except ganger.Error as error:
            assert error.status == "ERR_TASK", error

    def post(self, tasks):
        """Posts so many tasks."""
        steps = [self.grid] * 7 + [self.items] * 2
        for _task in range(tasks):
            self.rng.choice(steps)()
            if self.rng.random() < 0.1:
                self.disturb()

    def wait(self, timeout):
        """{tag: status} of all of them."""
        return {job.tag: _status(job.task, timeout) for job in self.jobs}

    def check(self, statuses):
        """Each CTA or item once, unless something was cancelled: then at most once."""
        for job in self.jobs:
            counts = array.array("I", bytes(job.out.read())).tolist()
            if statuses[job.tag] == "OK":
                assert counts == job.expected, job.options
            else:
                assert job.may_fail(), (statuses[job.tag], job.options)
                assert statuses[job.tag] in ("ERR_CANCELLED", "ERR_DEPENDENCY")
                assert max(counts) <= 1


def _status(task, timeout):
    try:
        return task.wait(timeout).status
    except ganger.Error as error:
        assert error.status != "ERR_TIMEOUT", error
        return error.status
