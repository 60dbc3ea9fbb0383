# SPDX-License-Identifier: Apache-2.0
"""PULL grids: SMs take the CTAs themselves, in chunks."""
import struct

import pytest

import ganger
from support import LONG, Held, configured, expect, run_good_task, until, words, zeros

ROW = 72  # struct nd_row of nd_fill.c
GRIDS = [(1,), (5,), (1000,), (7, 11, 13), (1, 1, 67), (20_000,)]
RANGES = [ganger.Range(1000), ganger.Range((7, 5), order=(1, 0)),
          ganger.Range((3, 4, 5), offset=(9, 1 << 40, 0)),
          ganger.Range((2, 3, 1, 5, 2, 1, 3, 2), order=(7, 0, 6, 1, 5, 2, 4, 3)),
          ganger.Range((11, 13), descending=True), ganger.Range((9, 5), rows=(9, 0, 4, 0, 7)),
          ganger.Range((9, 5), order=(1, 0), rows=(5, 0, 4, 0, 0, 3, 1, 2, 5), descending=True,
                       offset=(3, 8))]


@pytest.fixture
def sample(sample_path):
    """sample(dev, "nd_fill"): a sample kernel, loaded once."""

    def get(dev, name):
        modules = vars(dev).setdefault("pull_samples", {})
        if name not in modules:
            modules[name] = dev.load(str(sample_path(name)))
        return modules[name][name]

    return get


def fill(dev, kernel, items, **keywords):
    """Rows that nd_fill left, in dispatch order, and the completion."""
    rows = dev.buffer(bytes(ROW * items))
    done = dev.submit(kernel, args=[rows, items], mode="pull", **keywords).wait(LONG)
    found = list(struct.iter_unpack("<8Q2I", rows.read()))
    assert [row[8] for row in found] == [1] * items, "not every item once"
    assert done.ctas == items
    return found, done


@pytest.mark.parametrize("sms", [1, 3, 8])
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_every_item_once(device, sample, sms, grid):
    """S4-R16, S4-R43…R48, S4-R97, S0-R34: every CTA once, x, y and z right; few packets."""
    dev = device(sms)
    x, y, z = (grid + (1, 1, 1))[:3]
    before = dev.stat()["pull_packets"]
    found, _done = fill(dev, sample(dev, "nd_fill"), x * y * z, grid=grid)
    for item, row in enumerate(found):
        assert row[:3] == (item % x, item // x % y, item // (x * y))
    assert dev.stat()["pull_packets"] - before <= 4 * sms


def test_large_passes(device, load):
    """S4-R16: passes that do not fit into the device are pulled, one after the other; the graph has all of their SMs."""
    dev, items = device(8), 5000
    counts, before = zeros(dev, items), dev.stat()["pull_packets"]
    with ganger.Graph() as graph:
        whole = graph.argument("counts", 4 * items)
        for _pass in range(3):
            graph.pass_(load(dev, "work")["count"], items, 1, [graph.write(whole)])
    done = graph.launch(dev, counts=counts).wait(LONG)
    assert words(counts.read()) == [3] * items
    assert (done.ctas, done.sms) == (3 * items, 8)
    assert dev.stat()["pull_packets"] - before >= 3 * 8


def test_large_children(device, load):
    """S4-R16: a grid that a kernel launches is pulled if it does not fit into the device."""
    dev, items = device(8), 5000
    counts, status, before = zeros(dev, items), zeros(dev, 1), dev.stat()["pull_packets"]
    with dev.template(load(dev, "work")["count"], grid=items, args=[counts]) as child:
        dev.submit(load(dev, "tasks")["launch_it"], args=[child, status]).wait(LONG)
    assert (words(counts.read()), words(status.read())) == ([1] * items, [0])
    assert dev.stat()["pull_packets"] > before


@pytest.mark.parametrize("block", [(1,), (33,), (8, 8)], ids=str)
def test_ids_of_threads(device, load, block):
    """S0-R42: kernels that know nothing of it see a grid like any other."""
    dev = device(3)
    plain, pulled = zeros(dev, 1001 * 64), zeros(dev, 1001 * 64)
    for out, mode in ((plain, None), (pulled, "pull")):
        dev.submit(load(dev, "work")["hash"], grid=(7, 11, 13), block=block, args=[out, 5, 3],
                   mode=mode).wait(LONG)
    assert plain.read() == pulled.read()


@pytest.mark.parametrize("sms", [1, 8])
@pytest.mark.parametrize("number", range(len(RANGES)))
def test_indices_of_ranges(device, sample, sms, number):
    """S4-R35, S4-R95…R100, S4-R105, S4-R107: every item of a set of 1 to 8 dimensions once, with its index."""
    dev, work = device(sms), RANGES[number]
    found, _done = fill(dev, sample(dev, "nd_fill"), work.items, range=work)
    for item, row in enumerate(found):
        index = work.index(item)
        assert row[:8] == index + (0,) * (8 - len(index))
        assert row[9] == len(index)


def test_results_in_dispatch_order(device, sample):
    """S4-R37, S4-R109: items with five results each; the host puts them where they belong."""
    dev, work = device(8), ganger.Range((6, 4, 5), order=(2, 0, 1), offset=(1, 2, 3))
    out = dev.buffer(bytes(8 * 5 * work.items))
    dev.submit(sample(dev, "nd_result"), range=work, args=[out, 5], mode="pull").wait(LONG)
    placed = struct.iter_unpack("<5Q", work.recompose(out.read(), 40))
    for place, results in enumerate(placed):
        total = place % 6 + place // 6 % 4 + place // 24
        assert results == tuple(total * (at + 1) for at in range(5))


@pytest.mark.parametrize("chunk", [1, 7, 999, None])
def test_chunks(device, load, chunk):
    """S4-R57, S4-R58: preset sizes, and sizes that the device chooses; S4-R38: the SMs' history."""
    dev = device(8)
    counts = zeros(dev, 1000)
    dev.submit(load(dev, "work")["count"], grid=1000, args=[counts], mode="pull", chunk=chunk).wait(LONG)
    assert words(counts.read()) == [1] * 1000


def busy(dev, load, ctas, **keywords):
    """A long PULL grid, and its words."""
    out = zeros(dev, ctas)
    task = dev.submit(load(dev, "work")["hash"], grid=ctas, args=[out, 1, 20_000], mode="pull", **keywords)
    until(lambda: any(words(out.read(400))), "it has begun")
    return task, out


@pytest.mark.parametrize("sms", [1, 8])
def test_priorities(device, load, sms):
    """S0-R03, S0-R20: a task of a higher priority gets the SMs; what they took goes to others."""
    dev = device(sms)
    task, out = busy(dev, load, 400_000, priority=9)
    for _round in range(5):
        run_good_task(dev, load(dev, "work"))
        with Held(dev, load(dev, "work"), sms * dev.info.sm_ctas, priority=1) as held:
            held.await_started()
            assert task.poll() is None
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    assert dev.stat()["pull_recalls"] > 0

    task, out = busy(dev, load, 2000, priority=9)
    with Held(dev, load(dev, "work"), sms * dev.info.sm_ctas, priority=1) as held:
        held.await_started()
    assert task.wait(LONG).ctas == 2000
    single = zeros(dev, 2000)
    dev.submit(load(dev, "work")["hash"], grid=2000, args=[single, 1, 20_000]).wait(LONG)
    assert out.read() == single.read(), "an item did not run once"


@pytest.mark.parametrize("sms", [1, 8])
def test_cancel(device, load, sms):
    """No CTA runs after the completion of a PULL grid that was cancelled."""
    dev = device(sms)
    task, out = busy(dev, load, 100_000)
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    ran = out.read()
    assert 0 in words(ran)
    run_good_task(dev, load(dev, "work"))
    assert out.read() == ran


def test_suspend_and_resume(device, load):
    """S0-R13: streams end, and the rest runs later."""
    dev = device(8)
    counts = zeros(dev, 1 << 17)
    task = dev.submit(load(dev, "work")["count"], grid=1 << 17, args=[counts], mode="pull")
    for _round in range(10):
        try:
            task.suspend()
            task.resume()
        except ganger.Error:
            break  # it was over
    assert task.wait(LONG).ctas == 1 << 17
    assert words(counts.read()) == [1] * (1 << 17)


def test_failures(device, load):
    """S0-R34: a CTA that fails ends the task, with its place in the record; time limits are those of a CTA."""
    dev = device(8)
    counts = zeros(dev, 1000)
    task = dev.submit(load(dev, "work")["forever"], grid=1000, args=[counts, 700], mode="pull",
                      time_limit_ms=2000)
    error = expect("ERR_TIME_LIMIT", task.wait, LONG)
    assert error.record.cta == 700
    ran = words(counts.read())
    assert ran[700] == 0 and max(ran) == 1
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("chunk", [1, None])
def test_far_gpcs(fresh, load, sample, chunk):
    """S4-R62…R66, S4-R71, S4-R76, S4-V5, S4-V9: SMs of a far GPC share portions; near ones use the queue."""
    dev = fresh(8, icount=True)  # Each hart gets its share of a processor, however busy the machine is.
    groups = {sm: (sm // 3, 0, 0) for sm in range(8)}
    with configured(dev, group=groups, far_ticks=50, latency=[0, 100, 200], local_low=100):
        for items in (1, 10, 5000):
            fill(dev, sample(dev, "nd_fill"), items, grid=items, chunk=chunk if items > 1 else None)
        history = [one for one in dev.pull_history() if one.chunks]
        assert sum(one.portions for one in history if one.sm < 3) == 0
        assert sum(one.portions for one in history if one.sm >= 3) > 0
        run_good_task(dev, load(dev, "work"))


def test_two_at_once(device, load):
    """S4-R101: PULL grids and others side by side."""
    dev = device(8)
    outs = [zeros(dev, 3000) for _ in range(6)]
    tasks = [dev.submit(load(dev, "work")["count"], grid=3000, args=[out], priority=5 - number % 2,
                        mode="pull" if number % 3 else None) for number, out in enumerate(outs)]
    for task, out in zip(tasks, outs):
        assert task.wait(LONG).ctas == 3000
        assert words(out.read()) == [1] * 3000


def test_none_waits_in_hand(device, load):
    """S4-R61: of CTAs none of which ends, as many start as there is room for: no SM has one in hand while another one has room."""
    dev = device(8)
    most = 8 * dev.info.sm_ctas
    with Held(dev, load(dev, "work"), most + 1, mode="pull") as held:
        held.await_started(most)
    assert held.task.wait(LONG).ctas == most + 1


@pytest.mark.parametrize("board_mode", ["device", "balance"])
def test_grids_that_leave_it_to_the_device(device, load, board_mode):
    """S0-R33, S4-R16: of grids that leave their mode to the device those that do not fit are pulled, and the completion says so, unless
    CONFIG has another mode, or the grid."""
    dev = device(8)
    kernel, fit = load(dev, "work")["count"], 8 * dev.info.sm_ctas
    with configured(dev, mode=board_mode):
        for ctas in (1, fit, fit + 1, 3000):
            for mode in (None, "balance", "pull"):
                out = zeros(dev, ctas)
                done = dev.submit(kernel, grid=ctas, args=[out], mode=mode).wait(LONG)
                pulled = mode is None and board_mode == "device" and ctas > fit
                assert done.mode == ("pull" if pulled else mode or "device")
                assert done.ctas == ctas and words(out.read()) == [1] * ctas
