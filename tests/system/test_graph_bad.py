# SPDX-License-Identifier: Apache-2.0
"""Bad graphs, sent as they are past the checks of the host: refused whole, with the place, and the device lives on."""
import random
import struct

import pytest

import ganger
from ganger import abi
from graph_kit import filled
from support import LONG, expect, run_good_task, words, zeros

N = 16
NEVER = 0xffffffff
HEAD = ".graph bad\n.argument out buffer\n.resource out argument argument=0 bytes=64\n" \
       ".variable r buffer\n.variable n int\n"
# Steps of a pass that must not run, in front of what is wrong.
FIRST = "\tresource r, out\n\tset n, 7\n\twrite r\n\tfill r, n, -, 64\n"


@pytest.fixture
def dev(device):
    """The device of these tests."""
    return device()


class Raw:
    """The graph of a text, in device memory and not posted: its words can be changed."""

    def __init__(self, dev, graph, tenant=None, **keywords):
        self.dev, self.tmd = dev, ganger.Tmd(graph.work(tenant or dev, **keywords))
        self.at = {"graph": self.tmd.queue}
        self.at["graph_program"] = self.get("graph", "program_lo")
        self.at["graph_step"] = self.at["graph_program"] + self.get("graph_program", "steps_offset")

    def _place(self, block, word):
        return self.at[block] + abi.BLOCKS[block][1][word][0]

    def get(self, block, word):
        """A word."""
        return int.from_bytes(self.dev.read(self._place(block, word), 4), "little")

    def set(self, block, word, value):
        """Changes a word."""
        self.dev.write(self._place(block, word), value.to_bytes(4, "little"))

    def post(self):
        """Its task."""
        return self.dev.submit_tmd(self.tmd)


def good(dev, load):
    """A graph that runs, and its output."""
    out = zeros(dev, N)
    with ganger.Graph(dev) as g:
        t = g.buffer(4 * N)
        g.pass_(load(dev, "graph")["graph_set"], 1, 4, [g.write(t), N, 1])
        g.copy(out, t)
    return g, out


GRAPH_WORDS = [  # Word of the descriptor, value or what makes it, status, field.
    ("mode", 2, "ERR_GRAPH_FORMAT", "graph.emphasis"), ("mode", 3, "ERR_GRAPH_FORMAT", "graph.emphasis"),
    ("mode", 8, "ERR_GRAPH_FORMAT", "graph.graph_reserved"), ("handle", 5, "ERR_GRAPH_FORMAT", "graph.program_bytes"),
    ("program_lo", 4, "ERR_GRAPH_FORMAT", "graph.program"), ("program_lo", 0, "ERR_GRAPH_FORMAT", "graph.program"),
    ("program_hi", 1, "ERR_GRAPH_FORMAT", "graph.program"), ("program_bytes", 0, "ERR_GRAPH_FORMAT", "graph.program_bytes"),
    ("program_bytes", NEVER - 7, "ERR_GRAPH_FORMAT", "graph.program"),
    ("program_bytes", 84, "ERR_GRAPH_FORMAT", "graph.program_bytes"),
    ("argument_count", 65, "ERR_GRAPH_FORMAT", "graph.argument_count"),
    ("argument_count", 1, "ERR_GRAPH_FORMAT", "graph.arguments"), ("space_lo", 64, "ERR_GRAPH_FORMAT", "graph.space"),
    ("space_bytes_lo", 16383, "ERR_GRAPH_FORMAT", "graph.space_bytes"),
    ("space_bytes_hi", 7, "ERR_GRAPH_FORMAT", "graph.space"), ("report_lo", 1, "ERR_GRAPH_FORMAT", "graph.report"),
    ("report_bytes", NEVER, "ERR_GRAPH_FORMAT", "graph.report"), ("report_bytes", 0, "ERR_GRAPH_FORMAT", "graph.report"),
    ("graph_reserved_4c", 1, "ERR_GRAPH_FORMAT", "graph.graph_reserved_4c"),
    ("step_budget", 1, "ERR_GRAPH_BUDGET", None),
]


@pytest.mark.parametrize("word, value, status, field", GRAPH_WORDS, ids=[f"{one[0]}={one[1]:#x}" for one in GRAPH_WORDS])
def test_descriptor(dev, load, word, value, status, field):
    """S2-Q2, S2-Q3, S2-Q22: each word of the descriptor: what is wrong is refused, with the field, and nothing runs."""
    graph, out = good(dev, load)
    raw = Raw(dev, graph)
    raw.set("graph", word, value)
    error = expect(status, raw.post().wait, LONG)
    assert field is None or error.field == field, error.field
    assert words(out.read()) == [0] * N
    graph.run(dev)
    assert words(out.read()) == filled(N, 1)


PROGRAM_WORDS = [  # Word of the header, value.
    ("magic", 0), ("magic", 0x50474746), ("version", 0), ("version", 2), ("all_bytes", 0), ("all_bytes", 80),
    ("rules", 0), ("rules", 17), ("rules", 0x201), ("steps_offset", 0x7fffffff), ("steps_offset", 4),
    ("steps", 0), ("steps", 65537), ("steps", NEVER), ("definitions_offset", NEVER & ~7), ("definitions", 257),
    ("definitions", NEVER), ("states_offset", 12), ("states", 257), ("states", NEVER), ("resources_offset", 1 << 31),
    ("resources", 16385), ("resources", NEVER), ("variables", 65), ("variables", NEVER), ("copy_state", 1000),
    ("fill_state", 0xfffffffe), ("program_reserved_3c", 1), ("types", NEVER),
]


@pytest.mark.parametrize("word, value", PROGRAM_WORDS, ids=[f"{word}={value:#x}" for word, value in PROGRAM_WORDS])
def test_header(dev, load, word, value):
    """S2-Q1, S2-Q3, S2-Q22: each word of a program's header."""
    graph, out = good(dev, load)
    raw = Raw(dev, graph)
    raw.set("graph_program", word, value)
    error = expect("ERR_GRAPH_FORMAT", raw.post().wait, LONG)
    assert error.field.startswith("graph_"), error
    assert words(out.read()) == [0] * N
    run_good_task(dev, load(dev, "work"))


STEPS = [  # Steps behind the first pass, status, number of the step that is named; None: a pass.
    ("\t.step 63 0 0 0 0\n\tend", "ERR_GRAPH_STEP", 4), ("\t.step 255 0 0 0 0\n\tend", "ERR_GRAPH_STEP", 4),
    ("\t.step 0 1 0 0 0\n\tend", "ERR_GRAPH_STEP", 4), ("\t.step 1 9 0 0 0\n\tend", "ERR_GRAPH_STEP", 4),
    ("\t.step 1 0 0 0 0\n\tend", "ERR_GRAPH_TYPE", 4), ("\t.step 32 1 0 0 0\n\tend", "ERR_GRAPH_TYPE", 4),
    ("\t.step 2 0 1 0 0\n\tend", "ERR_GRAPH_TYPE", 4), ("\t.step 24 0 0 0 9999\n\tend", "ERR_GRAPH_JUMP", 4),
    ("\t.step 24 0 0 0 4294967295\n\tend", "ERR_GRAPH_JUMP", 4), ("\t.step 18 0 0 0 1\n\tend", "ERR_GRAPH_STEP", 4),
    ("\t.step 29 0 0 0 0\n\tend", "ERR_GRAPH_STEP", 4), ("\t.step 40 0 0 0 0\n\tend", "ERR_GRAPH_STEP", 4),
    ("\tset n, 0", "ERR_GRAPH_JUMP", 4), ("L:\n\tjump L\n\tend", "ERR_GRAPH_BUDGET", 4),
    ("\tset n, 0\n\tdiv n, n, n\n\tend", "ERR_GRAPH_DATA", 5), ("\tload n, r, -, 64\n\tend", "ERR_GRAPH_DATA", 4),
    ("\tload n, r, -, 2\n\tend", "ERR_GRAPH_DATA", 4), ("\tset n, 1\n\tindex r, n, out\n\tend", "ERR_GRAPH_RESOURCE", 5),
    ("\tfill r, n, -, 4\n\tend", "ERR_GRAPH_RESOURCE", 4), ("\twrite r\n\tfill r, n, -, 65\n\tend", "ERR_GRAPH_DATA", 5),
    ("\twrite r\n\tsignal r, n, 64\n\tend", "ERR_GRAPH_DATA", 5), ("\tdispatch\n\tend", "ERR_GRAPH_STEP", 4),
    ("\tafteri 9\n\tfence\n\tend", "ERR_GRAPH_RESOURCE", 5), ("\tafteri 1\n\tfence\n\tend", "ERR_GRAPH_CYCLE", None),
    ("\tafteri 2\n\tfence\n\tafteri 3\n\tfence\n\tafteri 1\n\tfence\n\tend", "ERR_GRAPH_CYCLE", None),
    ("\tset n, 70000\n\tafter n\n\tfence\n\tend", "ERR_GRAPH_RESOURCE", None),
    ("\tconst 4, 1\n\tfence\n\tend", "ERR_GRAPH_STEP", 5), ("\tset n, 1\nL:\n\tfence\n\tjump L\n\tend", None, None),
]


@pytest.mark.parametrize("steps, status, place", STEPS, ids=range(len(STEPS)))
def test_steps(dev, load, steps, status, place):
    """S2-Q1 to S2-Q4, S2-Q22, S2-R33: bad steps: unknown, of the wrong type, jumps outside, endless loops, divisions by zero,
    loads outside, cycles, too many passes: the completion has the status and the step, or a pass of the cycle; the pass
    before them has not run."""
    out = zeros(dev, N)
    task = ganger.assemble(HEAD + FIRST + steps + "\n").launch(dev, out=out)
    if status is None:
        error = None
        try:
            task.wait(LONG)
        except ganger.Error as caught:
            error = caught
        assert error.status in ("ERR_GRAPH_TOO_LARGE", "ERR_GRAPH_BUDGET"), error
    else:
        error = expect(status, task.wait, LONG)
    assert place is None or error.done.value == place, error
    if status == "ERR_GRAPH_CYCLE":
        assert error.done.value >= 1 and "pass" in str(error)
    assert words(out.read()) == [0] * N and not task.report.total
    run_good_task(dev, load(dev, "work"))


def test_context_of_another(dev, load):
    """S2-Q20, S3-R121: a graph reaches no memory of another tenant, and launches no graph of it."""
    other = dev.context(1 << 20)
    try:
        foreign = other.buffer(bytes(64))
        out = zeros(dev, N)
        text = ganger.graph_of("graph g(x: buffer(64))\nwrite x\nfill(x, 1, 64)")
        raw = text.work(dev, x=foreign.address)
        task = dev.default_context.submit_many([raw])[0]
        assert expect("ERR_GRAPH_RESOURCE", task.wait, LONG).field == "graph_resource.address"
        assert foreign.read() == bytes(64)
        with text.keep(other, x=foreign) as kept:
            raw = Raw(dev, text, x=out)
            raw.set("graph", "handle", kept.handle)
            for word in ("program_lo", "program_hi", "program_bytes"):
                raw.set("graph", word, 0)
            expect("ERR_CONTEXT", raw.post().wait, LONG)
            kept.launch(x=foreign).wait(LONG)
        assert struct.unpack("<16I", foreign.read()) == (1,) * 16 and words(out.read()) == [0] * N
        run_good_task(dev, load(dev, "work"))
        foreign.free()
    finally:
        other.close()


def spoil(dev, raw, rng):
    """Changes some words of a program."""
    size = raw.get("graph", "program_bytes")
    for _word in range(rng.randint(1, 3)):
        place = raw.at["graph_program"] + 4 * rng.randrange(size // 4)
        value = rng.choice((0, 1, 2, 8, 255, 0x80000000, NEVER, rng.getrandbits(32)))
        if rng.random() < 0.5:
            value = int.from_bytes(dev.read(place, 4), "little") ^ 1 << rng.randrange(32)
        dev.write(place, value.to_bytes(4, "little"))


def test_random_bytes(dev, load, kernel_path, seed):
    """S2-Q1, S2-Q22, S3-R121: 300 good programs of a tenant with some words changed: each ends with a status, large grids by
    their time limit; what they spoil, if anything, is the tenant's own: the good one of another runs all the time."""
    graph, out = good(dev, load)
    tenant = dev.context(1 << 20)
    try:
        kernel, own = tenant.load(kernel_path("graph"))["graph_set"], tenant.buffer(bytes(4 * N))
        with ganger.Graph(tenant) as g:
            t = g.buffer(4 * N)
            g.pass_(kernel, 1, 4, [g.write(t), N, 1])
            g.copy(own, t)
        for number in range(300):
            one = seed.getrandbits(32)
            raw = Raw(dev, g, tenant, step_budget=5000, time_limit_ms=300)
            spoil(dev, raw, random.Random(one))
            try:
                raw.post().wait(LONG)
            except ganger.Error as error:
                assert error.done is not None, (one, error)
            if number % 50 == 0:
                out.write(bytes(4 * N))
                graph.run(dev)
                assert words(out.read()) == filled(N, 1)
    finally:
        tenant.close()
