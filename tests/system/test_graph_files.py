# SPDX-License-Identifier: Apache-2.0
"""Files of graph programs whose numbers are wrong: nothing is believed before it is checked. No device."""
import json
import struct
import tracemalloc

import pytest

import ganger
from graph_support import FIGURE_8, TABLE_1, chains
from support import expect

HEADER_WORDS = 18
WORDS = (0, 1, 7, 0xff, 0x1000, 0x10000, 0x10001, 1 << 20, 1 << 24, (1 << 27) - 1, 0x7fffffff, 0xffffffff)
MOST_BYTES = 4 << 20  # Of this process's memory, for a file of at most a few thousand bytes.


def peak_of(data):
    """Loads a file, or has it refused; the most memory that this took, in bytes."""
    tracemalloc.start()
    try:
        ganger.GraphProgram.load(data)
    except ganger.Error as error:
        assert error.status == "ERR_GRAPH_FORMAT" and len(str(error)) < 400, error
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("word", range(3, HEADER_WORDS))
def test_header_words(word):
    """S2-Q1: whatever a word of the header says, a small file takes little memory."""
    data = ganger.graph_of(FIGURE_8).program.save()
    for value in WORDS:
        spoiled = bytearray(data)
        struct.pack_into("<I", spoiled, 4 * word, value)
        assert peak_of(bytes(spoiled)) < MOST_BYTES, (word, value)


@pytest.mark.parametrize("table, most", [(0, 65536), (1, 256), (2, 256), (3, 16384)])
def test_too_many_entries(table, most):
    """S2-Q1: a table has at most as many entries as a device takes, and lies inside of its program."""
    data = bytearray(ganger.graph_of(TABLE_1).program.encode())
    struct.pack_into("<I", data, 4 * (5 + 2 * table), most + 1)
    assert f"{most} are the most" in str(expect("ERR_GRAPH_FORMAT", ganger.GraphProgram.load, bytes(data)))
    struct.pack_into("<I", data, 4 * (5 + 2 * table), most)
    assert "outside" in str(expect("ERR_GRAPH_FORMAT", ganger.GraphProgram.load, bytes(data)))


def named(change):
    """A file whose names were changed."""
    program = ganger.graph_of(FIGURE_8).program
    code = program.encode()
    names = json.loads(program.save()[len(code):])
    change(names)
    return code + json.dumps(names).encode()


@pytest.mark.parametrize("change", [
    lambda names: names["states"].append(names["states"][0]),
    lambda names: names["resources"].append("r"),
    lambda names: names["definitions"].append("p"),
    lambda names: names["variables"].clear(),
    lambda names: names.update(name=5),
    lambda names: names.update(places=[]),
    lambda names: names.update(places={"0": [1, 2]}),
    lambda names: names.update(arguments=[["x", 1]]),
    lambda names: names.update(arguments=[["x", "float"]]),
    lambda names: names["states"][0].__setitem__(1, ["1"]),
    lambda names: names["states"][0].__setitem__(4, [["kernel", 1]]),
    lambda names: names["states"][0].__setitem__(4, [["chunk", {}]]),
    lambda names: names["states"][0].__setitem__(4, [["a"]]),
    lambda names: names.update(pass_names=[[]]),
    lambda names: names.update(moves_much="yes"),
])
def test_names(change):
    """S2-Q1: names of the wrong type, or of what the program does not have, are refused."""
    assert ganger.GraphProgram.load(named(lambda names: None)).resources[0].name == "R1"
    expect("ERR_GRAPH_FORMAT", ganger.GraphProgram.load, named(change))


def test_names_in_names():
    """S2-Q1: names that are nested without end are refused."""
    code = ganger.graph_of(FIGURE_8).program.encode()
    expect("ERR_GRAPH_FORMAT", ganger.GraphProgram.load, code + b"[" * 200_000)


def test_same_after_the_checks():
    """S2-Q1: the checks refuse no program that the package writes."""
    for text in (TABLE_1, FIGURE_8, "graph g()\ntransient t[99](4)\nwrite t[0] fill(t[0], 1, 4)\n" + chains(98)):
        program = ganger.graph_of(text).program
        assert ganger.GraphProgram.load(program.save()).save() == program.save()
