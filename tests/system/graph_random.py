# SPDX-License-Identifier: Apache-2.0
"""Random task graphs, and what must come of them: a model in plain Python that runs pass by pass."""
import ganger
from graph_kit import data_of, filled, mixed, sliced, updated

N = 24  # Words of a buffer; divisible by 2, 3 and 4.
KINDS = ("set", "mix", "mix", "mix", "update", "slices", "copy", "fill", "two", "wide")


class Job:
    """A pass: kind, what it reads, what it writes, a seed; of a slice: which of how many."""

    def __init__(self, kind, reads, out, seed, part=(0, 1)):
        self.kind, self.reads, self.out, self.seed, self.part = kind, reads, out, seed, part
        self.fails, self.after, self.needs, self.number = False, [], {}, None

    @property
    def uses_out(self):
        """Whether it needs what was in its output before."""
        return self.kind == "update"


class Dag:
    """A random graph. jobs in an order in which they could run; their numbers are their places in the
    program, which are others only in unordered programs."""

    def __init__(self, rng):
        self.rng = rng
        self.unordered = rng.random() < 0.2
        self.fixed = [filled(N, rng.getrandbits(32)) for _one in range(rng.randint(2, 6))]
        self.places = len(self.fixed) + (0 if self.unordered else rng.randint(1, 12))
        self.inputs = len(self.fixed)  # Numbers below are fixed buffers, the others transients.
        self.has = set(range(self.inputs))
        self.jobs, self._group = [], []
        for _pass in range(rng.choice((3, 8, 15, 30))):
            self._add()
        self.jobs += self._group
        self._number()
        self._fail()
        self._order()

    def _target(self, reads):
        if self.unordered:
            self.places += 1
            return self.places - 1
        busy = {job.out for job in self._group}
        free = [one for one in range(self.places) if one not in reads and one not in busy]
        return self.rng.choice(free) if free else None

    def _sources(self, count):
        busy = {job.out for job in self._group}
        usable = sorted(self.has - busy)
        return [self.rng.choice(usable) for _one in range(count)] if usable else None

    def _add(self):
        rng = self.rng
        if self._group and rng.random() < 0.5:
            self.jobs.append(self._group.pop())
            return
        kind = rng.choice(KINDS)
        reads = self._sources({"set": 0, "fill": 0, "mix": 3, "wide": 3}.get(kind, 1)) \
            if kind not in ("set", "fill") else []
        out = None if reads is None else self._target(reads)
        if out is None or (kind == "update" and (self.unordered or out not in self.has)) or \
                (kind == "slices" and (self._group or self._is_shared(out))):
            return
        if kind == "slices":
            self._slices(out)
        else:
            self.jobs.append(Job(kind, reads, out, rng.getrandbits(32)))
        self.has.add(out)

    def _is_shared(self, out):
        """Whether more passes that share it would join those that wrote it last: nobody has read it."""
        for job in reversed(self.jobs):
            if out in job.reads or job.out == out:
                return job.out == out and job.kind == "slice"
        return False

    def _slices(self, out):
        """Passes that share a buffer, among others that do not use it."""
        parts = self.rng.choice((2, 3, 4))
        usable = sorted(self.has - {out})
        self._group = [Job("slice", [self.rng.choice(usable)], out, self.rng.getrandbits(32), (at, parts))
                       for at in range(parts)] if usable else []
        if self._group:
            self.jobs.append(self._group.pop())

    def _number(self):
        numbers = list(range(len(self.jobs)))
        if self.unordered:
            self.rng.shuffle(numbers)
        for job, number in zip(self.jobs, numbers):
            job.number = number
        self.program = sorted(self.jobs, key=lambda job: job.number)

    def _fail(self):
        if self.rng.random() < 0.4:
            for job in self.rng.sample(self.jobs, min(len(self.jobs), self.rng.randint(1, 2))):
                job.fails = job.kind not in ("copy", "fill")

    def _order(self):
        """Some explicit orders, and needs. One may name a later pass that does not depend on this one."""
        rng = self.rng
        for at, job in enumerate(self.jobs):
            if at and rng.random() < 0.1:
                job.after.append(self.jobs[rng.randrange(at)].number)
            if rng.random() < 0.2:
                job.needs = {rng.choice(("memory", "bandwidth", "user")): rng.randint(1, 10)}

    # ---- what must come ----

    def orders(self):
        """Pairs (before, after) of pass numbers, by data."""
        pairs, writers, readers = set(), {}, {}
        for job in self.jobs:
            for one in [*job.reads, *([job.out] if job.uses_out else [])]:
                pairs |= {(number, job.number) for number, _part in writers.get(one, [])}
                readers.setdefault(one, []).append(job.number)
            same = job.kind == "slice" and any(part == job.part[1] for _number, part in writers.get(job.out, []))
            if not same or readers.get(job.out):
                pairs |= {(number, job.number) for number, _part in writers.get(job.out, [])}
                pairs |= {(number, job.number) for number in readers.get(job.out, [])}
                writers[job.out], readers[job.out] = [], []
            writers[job.out].append((job.number, job.part[1] if job.kind == "slice" else None))
            pairs |= {(number, job.number) for number in job.after}
        return {(one, other) for one, other in pairs if one != other}

    def model(self):
        """(contents of the fixed buffers, state letter of each pass, its cause)."""
        content = {at: list(words) for at, words in enumerate(self.fixed)}
        failed, states, causes = {}, {}, {}
        fresh = {}  # Of slices: their output's failure so far.
        for job in self.jobs:
            needed = [failed.get(one) for one in [*job.reads, *([job.out] if job.uses_out else [])]]
            needed = [one for one in needed if one is not None]
            bad = min(needed) if needed else None
            states[job.number] = "S" if needed else "F" if job.fails else "D"
            causes[job.number] = bad
            bad = job.number if not needed and job.fails else bad
            if job.kind == "slice" and job.out in fresh and fresh[job.out] == job.part[1]:
                known = [one for one in (bad, failed.get(job.out)) if one is not None]
                bad = min(known) if known else None
            failed[job.out] = bad
            fresh[job.out] = job.part[1] if job.kind == "slice" else None
            for one in job.reads:
                fresh.pop(one, None)
            if states[job.number] == "D":
                content[job.out] = self._result(job, content)
        count = len(self.jobs)
        return [content[at] for at in range(self.inputs)], "".join(states[at] for at in range(count)), \
            [causes[at] for at in range(count)]

    @staticmethod
    def _result(job, content):
        source = [content[one] for one in job.reads]
        old = content.get(job.out, [0] * N)
        if job.kind in ("mix", "wide"):
            return mixed(*source, job.seed)
        if job.kind == "update":
            return updated(source[0], old, job.seed)
        if job.kind == "slice":
            size = N // job.part[1]
            return sliced(source[0], old, job.part[0] * size, size, job.seed)
        if job.kind == "copy":
            return list(source[0])
        if job.kind == "two":
            return updated(source[0], filled(N, job.seed), job.seed)
        return filled(N, job.seed) if job.kind == "set" else [job.seed] * N

    # ---- the graph ----

    def build(self, dev, module):
        """(graph, buffers)."""
        g = ganger.Graph(dev, unordered=self.unordered)
        buffers = [dev.buffer(data_of(words)) for words in self.fixed]
        held = buffers + [g.buffer(4 * N) for _one in range(self.places - self.inputs)]
        for job in self.program:
            with g.pass_(f"{job.kind}{job.number}", after=job.after, needs=job.needs) as made:
                self._fill(g, made, job, held, module)
        return g, buffers

    def _fill(self, g, made, job, held, module):
        out, source = held[job.out], [g.read(held[one]) for one in job.reads]
        if job.fails:
            made.read(*(held[one] for one in job.reads))
            (made.share if job.kind == "slice" else made.update if job.uses_out else made.write)(out)
            made.dispatch(module["graph_fail"], self.rng.choice((1, 9)), 2)
        elif job.kind in ("mix", "wide"):
            grid = 7 if job.kind == "wide" else 1
            made.dispatch(module["graph_mix"], grid, 3, [*source, g.write(out), N, ganger.u32(job.seed)])
        elif job.kind == "update":
            made.dispatch(module["graph_update"], 1, 4, [*source, g.update(out), N, ganger.u32(job.seed)])
        elif job.kind == "slice":
            size = N // job.part[1]
            made.dispatch(module["graph_slice"], 2, 2, [*source, g.share(out), job.part[0] * size, size,
                                                        ganger.u32(job.seed)])
        elif job.kind == "copy":
            made.copy(out, held[job.reads[0]], 4 * N)
        elif job.kind == "fill":
            made.fill(out, job.seed, 4 * N)
        else:
            made.dispatch(module["graph_set"], 2, 2, [g.write(out), N, ganger.u32(job.seed)])
            if job.kind == "two":
                made.dispatch(module["graph_update"], 1, 2, [*source, g.write(out), N, ganger.u32(job.seed)])
