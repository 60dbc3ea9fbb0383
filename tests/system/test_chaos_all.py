# SPDX-License-Identifier: Apache-2.0
"""Everything that can go wrong, at once, among tasks of all kinds, for as long as one likes.

A round is a batch of tasks, and what disturbs it: SMs are reset or broken from outside, the control processor panics, a
host that shares the device is killed. Afterwards the statuses and what each task did are looked at, the SMs are brought back, and
the device must be as before.

GANGER_CHAOS_SECONDS=3600 goes on for so long at each number of SMs; `make soak` does that, on both boards. `make test-all`
shares the numbers of SMs out between them.
"""
import collections
import contextlib
import operator
import os
import signal
import subprocess
import sys
import time

import pytest

import ganger
from queue_support import items_of, minus
from support import ENVIRONMENT, LONG, Held, assert_at_rest, free_bytes, run_good_task, set_flag, until, words, zeros
from test_chaos import Chaos
from test_children import tmds_of
from test_hosts import free, up
from test_restart import await_resets, cp, resets, trap  # noqa: F401 - a fixture

SECONDS = float(os.environ.get("GANGER_CHAOS_SECONDS", "0"))
TASKS = int(os.environ.get("GANGER_CHAOS_TASKS", "40"))  # of a round
LEVELS = 5  # of queues that feed themselves
RETRIES = 15
PARK_MS, PARK_SMS = (0, 1, 20), 21  # of more SMs what is parked needs over a quarter of the heap
SPINS = (0, 1000, 50_000)  # of a CTA: none to some hundred microseconds
RESET, BREAK, PANIC, KILL = DISTURBANCES = ("reset", "break", "panic", "kill")
ROUNDS = ((), (RESET,), (RESET, BREAK), (PANIC,), (KILL,), DISTURBANCES)
BESIDE = """
import sys, ganger
dev = ganger.Device.attach(sys.argv[1])
work, queue = dev.load(sys.argv[2]), dev.load(sys.argv[3])
out = dev.buffer(bytes(256))
print("begun", flush=True)
dev.submit(work["forever"], args=[out, 0])
while True:
    try:
        tasks = [dev.submit(work["forever"], grid=2, args=[out, 1], time_limit_ms=5),
                 dev.submit(work["count"], grid=64, args=[out], mode="pull"),
                 dev.submit(work["count"], grid=16, args=[out], cluster=2, retry_limit=0, channel=1),
                 dev.submit(work["count"], grid=64, block=2, args=[out], retry_limit=15),
                 dev.queue(queue["tally"], capacity=8, item_bytes=8, items=3, args=[out])]
        tasks[-1].push(bytes(32))
        tasks[1].wait(60)
    except ganger.Error:
        pass
"""

# What a task is, and how often each of its parts may have run: exactly `want` when it ends well, at most `most` in any case.
# `each`: most of them in a CTA.
Running = collections.namedtuple("Running", "kind task out want most statuses after channel each", defaults=(1,))


class Kinds:
    """Tasks of all kinds."""

    def __init__(self, dev, load, rng):
        self.dev, self.rng, self.load = dev, rng, load
        self.faults = Chaos(dev, load, rng)
        self.held = contextlib.ExitStack()  # what kernels read while they run
        self.go, self.gone = zeros(dev, 1), dev.buffer(b"\1\0\0\0")  # the word for which CTAs wait, and one that is there

    def begin(self):
        """A round begins."""
        self.go.write(bytes(4))

    def release(self):
        """Let CTAs end that wait for that."""
        set_flag(self.go, 0)

    def _place(self):
        return {"channel": self.rng.randrange(4), "priority": self.rng.randint(1, 10)}

    def _count(self, kind, most=1, ctas=None, **keywords):
        ctas = ctas or 4 * self.rng.randint(1, 30)
        out, keywords = zeros(self.dev, ctas), {**self._place(), **keywords}
        task = self.dev.submit(self.load(self.dev, "work")["count_long"], grid=ctas, block=self.rng.randint(1, 3),
                               args=[out, self.rng.choice(SPINS), self.rng.choice((self.go, self.gone))], **keywords)
        return Running(kind, task, out, [1] * ctas, most, ("OK",), None, keywords["channel"])

    def grid(self):
        """A grid whose CTAs may not run again."""
        return self._count("grid", sequential=self.rng.random() < 0.2, quota=self.rng.choice((0, 0, 3)))

    def retried(self):
        """A grid whose CTAs may."""
        return self._count("retried", 1 + RETRIES, retry_limit=RETRIES, mode=self.rng.choice(("balance", "round-robin")))

    def pulled(self):
        """A PULL grid: items may always run again."""
        limit = self.rng.choice((0, RETRIES))
        return self._count("pulled, again" if limit else "pulled", 1 + RETRIES, ctas=self.rng.randint(16, 2000), mode="pull",
                           chunk=self.rng.choice((1, 16)), retry_limit=limit)

    def cga(self):
        """CGAs, in a GPC or anywhere."""
        limit = self.rng.choice((0, RETRIES))
        return self._count("cga, again" if limit else "cga", 1 + limit, retry_limit=limit,
                           **self.rng.choice(({"cluster": 2}, {"cluster": 4, "cluster_in": "gpu"})))

    def queue(self):
        """A queue that is closed, with items in it."""
        count, each, limit = self.rng.randint(1, 60), self.rng.randint(1, 5), self.rng.choice((0, RETRIES))
        out = zeros(self.dev, count)
        task = self.dev.queue(self.load(self.dev, "queue")["tally"], capacity=64, item_bytes=8, items=each, args=[out],
                              initial=items_of(range(count)), closed=True, retry_limit=limit, **self._place())
        return Running("queue, again" if limit else "queue", task, out, [1] * count, 1 + limit, ("OK",), None, None, each)

    def grown(self):
        """A queue whose items make others."""
        out, at, status = zeros(self.dev, LEVELS), self.dev.buffer(nbytes=256, align=256), minus(self.dev, 1)
        tmd = self.dev.tmd(self.load(self.dev, "queue")["grow"], args=[at, out, LEVELS, status], queue=ganger.Queue(
            1024, 8, self.rng.randint(1, 4), closed=True, initial=items_of([1])))
        tmd.store(at.address)
        task = self.dev.submit_tmd(tmd, address=at.address, channel=self.rng.randrange(4))
        self.held.enter_context(tmd)
        return Running("grown", task, out, [1 << level for level in range(LEVELS)], 1 << LEVELS, ("OK",), None, None)

    def children(self):
        """CTAs that launch children of three CTAs each."""
        ctas, each = self.rng.randint(1, 3), self.rng.randint(1, 4)
        total, module = ctas * each, self.load(self.dev, "children")
        out, status = zeros(self.dev, total), minus(self.dev, total)
        pattern = self.held.enter_context(self.dev.template(module["child"], grid=3, args=[out, 0]))
        task = self.dev.submit(module["launch"], grid=ctas, args=[
            pattern, tmds_of(self.dev, total), self.dev.buffer(bytes(16 * total)), out, status, each], **self._place())
        return Running("children", task, out, [3] * total, 3, ("OK",), None, None)

    def graph(self):
        """Two passes, the second after the first."""
        out = zeros(self.dev, 32)
        limit = self.rng.choice((0, RETRIES))
        with ganger.Graph() as graph:
            whole = graph.argument("counts", 128)
            for ctas in (32, 8):
                graph.pass_(self.load(self.dev, "work")["count_long"], ctas, 1,
                            [graph.write(whole), self.rng.choice(SPINS), self.go], retry_limit=limit)
        task = graph.launch(self.dev, counts=out)
        return Running("graph, again" if limit else "graph", task, out, [2] * 8 + [1] * 24, 2 * (1 + limit), ("OK",), None, None)

    def bad(self):
        """A fault, a stray access, a flood of prints, threads that part, an invalid window, or an endless kernel."""
        faults = self.faults
        one = self.rng.choice((faults.fault, faults.fault, faults.stray, faults.diverge, faults.flood, faults.refused,
                               faults.endless))()
        return Running("bad", self.dev.submit_many([one.work])[0], None, None, 0, (one.status,), None, None)

    def some(self, count):
        """So many, in random order; of each kind one at least. Some grids wait for a task before them."""
        makers = [self.grid, self.retried, self.pulled, self.cga, self.queue, self.grown, self.children, self.graph, self.bad]
        makers += self.rng.choices(makers, k=max(0, count - len(makers)))
        self.rng.shuffle(makers)
        tasks = []
        for make in makers:
            tasks.append(make())
            before = self.rng.choice(tasks)
            if before.channel is not None and self.rng.random() < 0.4:
                follower = self._count("follower", after=[before.task], channel=before.channel)
                tasks.append(follower._replace(statuses=("OK", "ERR_DEPENDENCY"), after=before))
        return tasks


class Device:
    """The device, what disturbs it, and what must be so after a round."""

    def __init__(self, dev, load, cp, path, kernels, rng):
        self.dev, self.load, self.cp, self.path, self.kernels, self.rng = dev, load, cp, path, kernels, rng
        self.resets = 0
        self.ended = collections.Counter()

    def any(self):
        """Number of an SM, of those with CTAs if there are any."""
        busy = [number for number, sm in enumerate(self.dev.regs.sm_state) if sm.resident.read()]
        return self.rng.choice(busy or range(self.dev.info.sms))

    def reset(self, sm):
        """RESET_SM; the control processor may restart meanwhile."""
        try:
            self.dev.sm_reset(sm)
        except ganger.Error as error:
            assert error.status == "ERR_DEVICE_RESET", error

    def break_one(self):
        """An SM finds packets that nobody wrote, unless it gets one before it looks."""
        for channel in range(4):  # tasks are accepted before: a CGA that needs the SM is refused until that is reset
            self.dev.nop(channel, LONG)
        put = self.dev.regs.launch[self.any()].launch_put
        put.write(put.read() + 1000)

    def panic(self):
        """The control processor takes an exception, and boots again."""
        trap(self.dev, self.cp)
        self.resets += 1
        await_resets(self.dev, self.resets)

    def stopped(self):
        """SMs that have stopped."""
        return [number for number, sm in enumerate(self.dev.regs.sm_state) if sm.hart_state.name() == "STOPPED"]

    def disturb(self, what, beside):
        """Something happens."""
        one = self.rng.choice(what)
        if one == RESET:
            self.reset(self.any())
        elif one == BREAK:
            self.break_one()
        elif one == PANIC:
            self.panic()
        elif beside.poll() is None:
            beside.send_signal(signal.SIGKILL)

    def over(self, tasks):
        """Whether all tasks are; SMs that have stopped come back, since some can run nowhere else."""
        for sm in self.stopped():
            self.reset(sm)
        return all(one.task.done for one in tasks)

    def round(self, kinds, what):
        """Tasks, and disturbances in between."""
        beside = None
        if KILL in what:
            beside = subprocess.Popen([sys.executable, "-c", BESIDE, self.path, *self.kernels], env=ENVIRONMENT,
                                      stdout=subprocess.PIPE, text=True)
            assert beside.stdout.readline() == "begun\n"
        try:
            kinds.begin()
            if "PARKS" in self.dev.info.features and self.dev.info.sms <= PARK_SMS:
                self.dev.config(LONG, park_ms=self.rng.choice(PARK_MS))
            tasks = kinds.some(TASKS)
            for _time in range(self.rng.randrange(6) if what else 0):  # while many CTAs wait
                self.over(tasks)
                self.disturb(what, beside)
            kinds.release()
            for most in sorted(self.rng.randrange(len(tasks)) for _time in range(self.rng.randrange(6) if what else 0)):
                until(lambda: self.over(tasks) or sum(one.task.done for one in tasks) >= most,  # pylint: disable=cell-var-from-loop
                      "some have ended")
                self.disturb(what, beside)
        finally:
            kinds.release()
            if beside:
                beside.kill()
                beside.wait(LONG)
                beside.stdout.close()
        until(lambda: self.over(tasks), "all have ended")
        for one in tasks:
            self.check(one, what)
        self.whole(beside)

    def check(self, one, what):
        """A task has ended once, as it may, and has done what it says."""
        first, second = one.task.poll(), one.task.poll()
        status = first.status
        assert first == second
        allowed = set(one.statuses)
        if PANIC in what:
            allowed |= {"ERR_DEVICE_RESET"}
        if BREAK in what or RESET in what and one.kind != "retried" and not one.kind.endswith(", again"):
            allowed |= {"ERR_SM_LOST"}
        if BREAK in what:
            allowed |= {"ERR_QUARANTINE"}
        assert status in allowed, (one, first, what)
        self.ended[one.kind, status] += 1
        if one.after:
            before = one.after.task.poll().status
            if before == "OK":
                assert status != "ERR_DEPENDENCY", (one, before)
            else:
                # Whether a task that ended with ERR_DEVICE_RESET was done is not known: its completion may have been lost. What follows
                # it has begun only if all of it was.
                begun, done = max(words(one.out.read())) != 0, words(one.after.out.read())
                assert status != "OK", (one, before)
                assert not begun or before == "ERR_DEVICE_RESET" and all(map(operator.ge, done, one.after.want)), (one, before, done)
        if one.out is None:
            return
        found = words(one.out.read())
        again = one.each * first.retried if one.kind not in ("grown", "children") else 0
        assert max(found) <= one.most, (one, found)
        if status == "OK" and one.most == 1 or one.kind in ("grown", "children") and status == "OK":
            assert found == one.want, (one, found)
        elif status == "OK":
            assert all(value >= want for value, want in zip(found, one.want)), (one, found)
            assert sum(found) - sum(one.want) <= again, (one, found)

    def whole(self, beside):
        """The device is as before the round: no quarantine, all SMs, no tasks."""
        until(lambda: beside is None or free(self.path) == [1], "the dead host's share is free")
        for sm in range(self.dev.info.sms):
            self.reset(sm)  # one that was broken may not have noticed
        for channel in range(4):
            self.dev.channel_reset(channel, LONG)
        assert self.stopped() == []
        run_good_task(self.dev, self.load(self.dev, "work"))
        with Held(self.dev, self.load(self.dev, "work"), self.dev.info.sms * self.dev.info.sm_ctas) as held:
            held.await_started()
            assert held.per_sm() == [self.dev.info.sm_ctas] * self.dev.info.sms
        assert_at_rest(self.dev)
        assert self.dev.orphans() == [] and resets(self.dev) == self.resets


@pytest.mark.shared
@pytest.mark.parametrize("sms", [1, 8, 64])
def test_chaos(board, tmp_path, load, kernel_path, cp, seed, sms):  # noqa: F811
    """S0-R20, S1-R100, S3-R22, S3-R121, S3-T10: grids, queues, children, dependences, CGAs, PULL grids and graphs among
    kernels that fail and kernels that never end, while SMs are reset and broken, the control processor panics and a host is
    killed: each task ends once, with a status that it may have; what ended well is done, and nothing is done twice that may not be; in the
    end all SMs are there, and all memory is free."""
    kernels = [str(kernel_path(name)) for name in ("work", "queue")]
    with up(tmp_path / "g.sock", board, sms=sms, hosts=2) as path, ganger.Device.attach(path) as dev:
        dev.config(LONG, restarts=1000, answer_ms=60_000)
        for name in ("work", "queue", "children"):
            load(dev, name)
        kinds = Kinds(dev, load, seed)
        device, end, count = Device(dev, load, cp, str(path), kernels, seed), time.monotonic() + SECONDS, 0
        free = free_bytes(dev)
        while count < len(ROUNDS) or time.monotonic() < end:
            device.round(kinds, ROUNDS[count % len(ROUNDS)])
            kinds.held.close()
            assert free_bytes(dev) == free
            count += 1
        print(f"{sms} SMs: {count} rounds, {sum(device.ended.values())} tasks, {device.resets} restarts;",
              ", ".join(f"{kind} {status}: {number}" for (kind, status), number in sorted(device.ended.items())))
