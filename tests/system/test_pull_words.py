# SPDX-License-Identifier: Apache-2.0
"""PULL grids from the host's side: keywords and the words they become, refusals before anything is sent, configuration."""
import struct

import pytest

import ganger
from support import configured, expect, free_bytes, run_ganger, run_good_task, until

PULL = ganger.abi.ENUMS["task_mode"]["PULL"]


def range_at(dev, address):
    """The words of an nd_range descriptor, by name."""
    nbytes, layouts = ganger.abi.BLOCKS["nd_range"]
    words = struct.unpack(f"<{nbytes // 4}I", dev.read(address, nbytes))
    return {name: words[layout[0] // 4] if layout[1] == 1 else words[layout[0] // 4:layout[0] // 4 + layout[1]]
            for name, layout in layouts.items()}


def pairs(words):
    """64-bit numbers from low and high words."""
    return [low | high << 32 for low, high in zip(words[0::2], words[1::2])]


def test_words(device, load):
    """S4-R35, S4-R57, S4-R95, S4-C2, S4-C3: what submit() takes, in the TMD and its descriptor in the context's heap."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    shape = ganger.Range((8, 3, 1 << 32), (1, 0, 2), (5, 6, 1 << 40), True)
    tmd = dev.tmd(kernel, mode="pull", chunk=77, range=shape)
    assert (tmd.mode, tmd.chunk, tmd.grid_x, tmd.grid_y, tmd.grid_z) == (PULL, 77, 1, 1, 1)
    heap = dev.default_context.info
    assert heap.heap < tmd.queue < heap.heap + heap.nbytes and tmd.queue % 8 == 0
    found = range_at(dev, tmd.queue)
    assert found["shape"] == 3 | 1 << 4 and found["order"] == 0x201 and found["rows_lo"] == found["rows_hi"] == 0
    assert pairs(found["sizes"]) == [8, 3, 1 << 32, 0, 0, 0, 0, 0]
    assert pairs(found["offsets"]) == [5, 6, 1 << 40, 0, 0, 0, 0, 0]


def test_no_grid(device, load):
    """S4-R95: a caller of the library with a range leaves the grid's words zero; the TMD has one CTA of three dimensions."""
    dev = device(8)
    work = dev.work(load(dev, "work")["blank"], mode="pull", range=ganger.Range((4, 4)))
    work.raw.grid = (0, 0, 0)
    tmd = ganger.Tmd(work)
    assert (tmd.grid_x, tmd.grid_y, tmd.grid_z) == (1, 1, 1)


def test_rows(device, load):
    """S4-R98: the starts of the rows lie in the heap, too, behind other lists of the task."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    lengths = [(row * 7) % 5 for row in range(4096)]
    signal = dev.template(None)
    tmd = dev.tmd(kernel, mode="pull", range=ganger.Range((4, 4096), rows=lengths), dependents=[signal], chunk=3)
    found = range_at(dev, tmd.queue)
    rows = found["rows_lo"] | found["rows_hi"] << 32
    starts = struct.unpack("<4097Q", dev.read(rows, 8 * 4097))
    assert rows % 8 == 0 and list(starts) == [sum(lengths[:row]) for row in range(4097)]
    assert tmd.dependent_count == 1 and tmd.dependents + 16 <= tmd.queue


def test_a_grid_of_three_dimensions(device, load):
    """S4-R95: without a range the TMD names no descriptor, and without mode, chunk and range nothing is changed."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    tmd = dev.tmd(kernel, grid=(7, 3, 2), mode="pull", chunk=42)
    assert (tmd.mode, tmd.chunk, tmd.queue, tmd.grid_x) == (PULL, 42, 0, 7)
    plain = dev.tmd(kernel)
    assert (plain.chunk, plain.queue, plain.grid_x, plain.grid_y) == (0, 0, 1, 1)


def test_memory_comes_back(device, load):
    """S4-R35: the descriptor and its rows live as long as the TMD, no longer."""
    dev = device(8)
    kernel, shape = load(dev, "work")["blank"], ganger.Range((4, 4096), rows=[4] * 4096)
    free = free_bytes(dev)
    tmd = dev.tmd(kernel, mode="pull", range=shape)
    assert free - free_bytes(dev) >= 8 * 4097
    tmd.free()
    assert free_bytes(dev) == free


def test_memory_of_a_task(device, load):
    """S4-R35: a task with a range lies in its context's heap, where its kernels can read the set, until it has ended."""
    dev = device(8)
    kernel, heap = load(dev, "work")["blank"], dev.default_context
    dev.channels[2].suspend()
    try:
        free = free_bytes(dev)
        task = dev.submit(kernel, mode="pull", range=ganger.Range((4, 300), rows=[3] * 300), channel=2)
        assert heap.info.heap <= task.address < heap.info.heap + heap.info.nbytes
        assert free - free_bytes(dev) >= 8 * 301
    finally:
        dev.channels[2].resume()
    until(lambda: task.done, "the task has ended")
    until(lambda: free_bytes(dev) == free, "its memory has come back")


BOX = ganger.Range((4, 4, 2))
MANY_ROWS = ganger.Range((1, 1 << 20 | 1), rows=[1] * (1 << 20 | 1))
# What is refused before a device is asked: (keywords, status, field, value)
HOST = [
    ({"mode": "pull", "range": BOX, "grid": 32}, "ERR_ARGUMENT", "grid", 32),
    ({"mode": "pull", "range": BOX, "chunk": 33}, "ERR_CHUNK", "tmd.chunk", 33),
    ({"mode": "pull", "grid": (4, 2), "chunk": 9}, "ERR_CHUNK", "tmd.chunk", 9),
    ({"mode": "pull", "grid": 4, "chunk": -1}, "ERR_ARGUMENT", "tmd.chunk", -1),
    ({"mode": "pull", "grid": 4, "chunk": 1 << 32}, "ERR_ARGUMENT", "tmd.chunk", 1 << 32),
    ({"mode": "balance", "range": BOX}, "ERR_MODE", "tmd.mode", 0),
    ({"range": BOX}, "ERR_MODE", "tmd.mode", 15),
    ({"grid": 4, "chunk": 2}, "ERR_CHUNK", "tmd.chunk", 2),
    ({"mode": "pull", "range": BOX, "cluster": 2}, "ERR_CLUSTER", "tmd.cluster_x", 2),
    ({"mode": "pull", "range": MANY_ROWS}, "ERR_RANGE", "nd_range.rows", 1 << 20 | 1),
    ({"mode": "pull", "range": BOX, "queue": ganger.Queue(4, 4, 1)}, "ERR_TMD_TYPE", "tmd.type",
     ganger.abi.ENUMS["task_type"]["QUEUE"]),
]


@pytest.mark.parametrize("keywords, status, field, value", HOST, ids=str)
def test_refused_by_the_host(device, load, keywords, status, field, value):
    """S4-R57, S4-R95: chunks and sets that cannot be are refused with field and value; nothing is sent, no memory is lost."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    posted, free = dev.traffic()["posted"], free_bytes(dev)
    for call in (dev.submit, dev.template, dev.tmd):
        error = expect(status, call, kernel, **keywords)
        assert (error.field, error.value) == (field, value), error
    assert dev.traffic()["posted"] == posted and free_bytes(dev) == free
    run_good_task(dev, load(dev, "work"))


def test_configuration(device):
    """S4-R58, S4-R62, S4-R76, S4-R79: far GPCs, time of a chunk and thresholds as at boot, and changed; other parts stay."""
    dev = device(8)
    before = dev.config()
    changed = {"far_ticks": 100, "chunk_us": 77, "local_low": 300}
    with configured(dev, **changed, latency=[5, 200]):
        assert dev.config() == {**before, **changed, "latency": [5, 200] + [0] * 30}
        dev.config.latency = [0] * 31 + [0x7fffffff]
        assert dev.config.latency[31] == 0x7fffffff and dev.config.local_low == 300
    assert dev.config() == before


@pytest.mark.parametrize("parts, status, field, value", [
    ({"local_low": 1001}, "ERR_CONFIG", "config.local_low", 1001),
    ({"latency": [0, 1 << 31]}, "ERR_CONFIG", "config.latency", 1 << 31),
    ({"local_low": -1}, "ERR_ARGUMENT", "local_low", -1),
    ({"chunk_us": 1 << 32}, "ERR_ARGUMENT", "chunk_us", 1 << 32),
    ({"far_ticks": -1}, "ERR_ARGUMENT", "far_ticks", -1),
    ({"latency": [1 << 32]}, "ERR_ARGUMENT", "latency", 1 << 32),
    ({"latency": [0] * 33}, "ERR_ARGUMENT", "latency", 33)], ids=str)
def test_bad_configuration(device, parts, status, field, value):
    """S4-R79, S4-R83: what no word holds is not sent; what the device refuses changes nothing."""
    dev = device(8)
    before = dev.config()
    error = expect(status, dev.config, **parts)
    assert (error.field, error.value) == (field, value)
    assert dev.config() == before


def test_registers(device):
    """S4-R18, S4-R30, S4-R38: an entry for each slot, a local queue for each GPC and slot, a hand for each SM and slot."""
    dev = device(8)
    slots = dev.info.slots
    assert (len(dev.regs.work), len(dev.regs.local)) == (slots, 32 * slots)
    assert (len(dev.regs.pull), len(dev.regs.hand)) == (8, 8 * slots)
    assert dev.regs.hand[3 * slots + 2].id.offset == dev.regs.pull[3].hands[2 * 16].offset
    assert dev.regs.hand[8 * slots - 1].portions.offset == dev.regs.pull[7].hands[slots * 16 - 1].offset
    cap = dev.regs.cap.read()
    assert dev.regs.work[slots - 1].approved[15].offset < cap["local_offset"]
    assert dev.regs.local[32 * slots - 1].seen[15].offset < cap["pull_offset"]
    assert dev.regs.work[1].names()[:3] == ["remaining", "state", "id"]


class Memory:
    """Register blocks without a device: a CAP block, and what set() writes."""

    def __init__(self, sms, slots):
        self.words = [0] * 0x10000
        self.regs = ganger.registers.Registers(lambda at, count: self.words[at // 4:at // 4 + count], None)
        self.set(0, "cap", sms=sms, slots=slots, work_offset=0x1000, local_offset=0x4000, pull_offset=0x30000)

    def set(self, offset, kind, **values):
        """Words of a block at an offset."""
        for name, value in values.items():
            self.words[(offset + ganger.abi.BLOCKS[kind][1][name][0]) // 4] = value


def test_history():
    """S4-R38: chunks, items, ticks an item and the last chunk of each SM and slot; granules are turned into items."""
    memory = Memory(sms=3, slots=4)
    work, pull, hand = (ganger.abi.BLOCKS[name][0] for name in ("work_entry", "pull", "hand"))
    first = memory.regs.pull[0].hands[0].offset - 0x30000
    memory.set(0x1000 + 2 * work, "work_entry", id=0x70002, shift=3)
    memory.set(0x1000 + 3 * work, "work_entry", id=0x50003)
    memory.set(0x30000 + first + 3 * hand, "hand", chunks=9, granules=40, ticks_per_granule=384, last_granules=4,
               last_ticks=6)
    memory.set(0x30000 + 2 * pull + first + 2 * hand, "hand", id=0x70002, left=11, chunks=5, granules=100,
               ticks_per_granule=4096, last_granules=7, last_ticks=113, portions=2)
    memory.set(0x30000 + pull + first + 2 * hand, "hand", id=0x70002)  # Came back with nothing.
    memory.set(0x30000 + pull + first + 3 * hand, "hand", id=0x40003, chunks=7)  # Of an earlier task.
    one, other = ganger.pulls.pull_history(memory.regs)
    assert one == ganger.PullHistory(sm=0, slot=3, id=0x50003, chunks=9, items=40, ticks_per_item=1.5, last_items=4,
                                     last_ticks=6, left=0, portions=0)
    assert other == ganger.PullHistory(sm=2, slot=2, id=0x70002, chunks=5, items=800, ticks_per_item=2.0,
                                       last_items=56, last_ticks=113, left=11, portions=2)


def test_run_command(kernel_path, board):
    """S4-R57: `ganger run` takes mode and chunk, and says what is wrong with them."""
    done = run_ganger("run", kernel_path("work"), "--kernel", "blank", "--board", board, "--sms", 2, "--grid", 4,
                      "--mode", "pull", "--chunk", 5)
    assert done.returncode != 0 and "ERR_CHUNK" in done.stderr and "tmd.chunk = 5" in done.stderr
