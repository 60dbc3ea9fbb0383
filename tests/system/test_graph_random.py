# SPDX-License-Identifier: Apache-2.0
"""Random task graphs on the device against a model."""
import random

import pytest

import ganger
from graph_random import Dag
from support import LONG, words

# SMs: graphs of each number.
GRAPHS = {1: 60, 3: 60, 8: 120}
BATCH = 4  # Graphs that are on their way at the same time.


def options_of(rng):
    """How a graph is run: (of the graph, of a launch)."""
    graph = {"emphasis": rng.choice(("speed", "resource")), "at_once": rng.choice((0, 0, 1, 2, 5)),
             "budgets": rng.choice((None, None, {"memory": 10, "user": 12}, {"bandwidth": 10, "units": 3}))}
    return graph, {"split": rng.choice((0, 0, 1, 3)), "priority": rng.randint(1, 10), "channel": rng.randrange(2)}


def least_memory(graph, dev, options):
    """What the device says is enough for its transients."""
    try:
        graph.run(dev, memory=1, **options)
    except ganger.Error as error:
        if error.status == "ERR_GRAPH_MEMORY" and error.field != "graph.budgets":
            return error.done.value
    return None


class Case:
    """A graph, its buffers, what must come of it, and its task."""

    def __init__(self, dev, module, rng):
        self.dag = Dag(rng)
        self.graph, self.buffers = self.dag.build(dev, module)
        options, launch = options_of(rng)
        self.at_once = options["at_once"]
        if rng.random() < 0.5:
            least = least_memory(self.graph, dev, options)
            options["memory"] = least or None
            for buffer, content in zip(self.buffers, self.dag.fixed):  # It ran if there was nothing to place.
                buffer.write(b"".join(word.to_bytes(4, "little") for word in content))
        self.kept = None
        if rng.random() < 0.3:
            self.kept = self.graph.keep(dev, **options)
            self.task = self.kept.launch(**launch)
        else:
            self.task = self.graph.launch(dev, **options, **launch)

    def check(self):
        """All of it."""
        contents, states, causes = self.dag.model()
        try:
            done = self.task.wait(LONG)
        except ganger.Error as error:
            done = error.done
            assert done is not None, error
            assert error.status == "ERR_ABORTED", error
            assert states[done.value] == "F"
        assert ("F" in states) == (done.status != "OK"), (states, done)
        report = self.task.report
        assert "".join(one.state[0] for one in report.passes) == states
        assert [one.cause for one in report.passes] == causes
        assert [words(buffer.read()) for buffer in self.buffers] == contents
        assert (report.failed, report.skipped) == (states.count("F"), states.count("S"))
        assert self.at_once == 0 or report.at_once <= self.at_once
        for before, after in self.dag.orders():
            one, other = report.passes[before], report.passes[after]
            assert not (one.ended and other.started) or one.ended <= other.started, (before, after)
        if self.kept is not None:
            self.kept.free()


@pytest.mark.parametrize("sms", GRAPHS)
def test_random_graphs(device, load, seed, sms):
    """S2-R59 to S2-R64, S2-R39, S2-R67, S2-R82, S2-Q4 to S2-Q6, S2-Q14, S2-Q17 to S2-Q20, S2-Q22: random graphs, several at
    once, with transients in little memory, shared writers, explicit orders, needs, parts, failures, kept or not, in
    program order or unordered: data, states and causes are those of the model, and nothing starts too early."""
    dev = device(sms)
    module = load(dev, "graph")
    for _batch in range(GRAPHS[sms] // BATCH):
        seeds = [seed.getrandbits(32) for _one in range(BATCH)]
        cases = [Case(dev, module, random.Random(one)) for one in seeds]
        for one, case in zip(seeds, cases):
            try:
                case.check()
            except BaseException:
                print(f"graph seed {one}, unordered {case.dag.unordered}")
                for job in case.dag.program:
                    print(job.number, job.kind, job.reads, "->", job.out, job.part, "fails" * job.fails, job.after)
                raise
