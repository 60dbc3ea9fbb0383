# SPDX-License-Identifier: Apache-2.0
"""Graphs on the device: what their kernels (tests/kernels/graph.c) compute, and when they ran."""
import array

import ganger
from support import LONG, flag_at, set_flag, until, words, zeros

MASK = 0xffffffff


def step(value, word):
    """As in graph.c."""
    return ((value ^ word) * 16777619 + 0x9e3779b9) & MASK


def mixed(a, b, c, seed):
    """What graph_mix writes."""
    return [step(step(step(seed + i & MASK, x), y), z) for i, (x, y, z) in enumerate(zip(a, b, c))]


def updated(a, x, seed):
    """What graph_update makes of x."""
    return [step(step(seed + i & MASK, old), new) for i, (new, old) in enumerate(zip(a, x))]


def sliced(a, x, first, count, seed):
    """What graph_slice makes of x."""
    part = [step(seed + i & MASK, a[i]) for i in range(first, first + count)]
    return [*x[:first], *part, *x[first + count:]]


def filled(count, seed):
    """What graph_set writes."""
    return [step(seed, i) for i in range(count)]


def data_of(numbers):
    """Words as bytes."""
    return array.array("I", numbers)


class Marks:
    """When passes with the kernel graph_mark ran: add() makes one, order() returns the times of all."""

    def __init__(self, dev, module, passes):
        self.dev, self.kernel = dev, module["graph_mark"]
        self.counter, self.marks = zeros(dev, 1), zeros(dev, 2 * passes)

    def add(self, graph, number, spin=200, **keywords):
        """A pass that marks place `number`."""
        return graph.pass_(self.kernel, 1, 1, [graph.share(self.counter),
                                               graph.share(self.marks, 8 * number), spin], **keywords)

    def order(self):
        """[start, end] of each place, as counts."""
        found = words(self.marks.read())
        return list(zip(found[0::2], found[1::2]))


class Gate:
    """A pass that waits until open(): kernel graph_hold."""

    def __init__(self, dev, module):
        self.state, self.kernel = zeros(dev, 2), module["graph_hold"]

    def add(self, graph, ctas=1, **keywords):
        """The pass."""
        return graph.pass_(self.kernel, ctas, 1, [graph.share(self.state)], **keywords)

    def await_started(self, count=1):
        """Waits until so many CTAs are there."""
        until(lambda: flag_at(self.state, 0) >= count, f"{count} CTAs at the gate")

    def started(self):
        """CTAs that have come."""
        return flag_at(self.state, 0)

    def open(self):
        """Lets them end."""
        set_flag(self.state, 1)


def overlap(one, other):
    """Whether two of Marks.order() ran at the same time."""
    return one[0] < other[1] and other[0] < one[1]


def states(task):
    """State of each pass, as a string of first letters: D(one), F(ailed), S(kipped)."""
    return "".join(one.state[0] for one in task.report.passes)


def run(graph, dev, timeout=LONG, **keywords):
    """Runs a graph that must end well: its task."""
    task = graph.launch(dev, **keywords)
    done = task.wait(timeout)
    assert done.status == "OK"
    return task


def run_bad(graph, dev, **keywords):
    """Runs a graph that must fail: (error, task)."""
    task = graph.launch(dev, **keywords)
    try:
        task.wait(LONG)
    except ganger.Error as error:
        assert error.status != "ERR_TIMEOUT", error
        return error, task
    raise AssertionError("it ended well")
