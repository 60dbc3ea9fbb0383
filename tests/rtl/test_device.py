# SPDX-License-Identifier: Apache-2.0
"""The firmware on the reference SoC with each of its cores, by the host library: tasks and their order."""
import random

import pytest
from device_support import LONG, numbers, numbers_of, words, zeros

ALIVE = 60.0  # s; it takes milliseconds
# What a part of BOARD_CP_PARTS is called in enum gg_feature.
PARTS = {"cga": "CLUSTERS", "pull": "PULL", "graph": "GRAPHS", "queue": "QUEUES", "trace": "TRACE",
         "reset": "RESETS", "watch": "WATCHDOG", "retry": "RETRIES",
         "park": "PARKS"}


def number(board, name):
    """A number of board.mk."""
    return int(numbers(board)[name], 0)


def test_boot(machine, board):
    """S3-R49: after the boot the capability block says what board.mk says, and what the core is."""
    dev, info, facts = machine.dev, machine.dev.info, numbers(board)
    assert dev.state == "READY" and dev.panic() is None and dev.alive(ALIVE)
    assert (info.xlen, info.timebase_hz) == (32, number(board, "BOARD_CLOCK_HZ"))
    assert (info.ram, info.ram_bytes) == (number(board, "BOARD_RAM_BASE"), number(board, "BOARD_RAM_MIN"))
    assert info.base == number(board, "BOARD_ABI_BASE")
    assert (info.sms, info.slots) == (number(board, "BOARD_SMS"), number(board, "BOARD_SLOTS"))
    assert (info.sm_ctas, info.sm_warps, info.sm_units) == tuple(
        number(board, f"BOARD_SM_{name}") for name in ("CTAS", "WARPS", "UNITS"))
    isa = facts["BOARD_MARCH"].removeprefix("rv32i")
    wanted = {"TIMER", "DOORBELL"} | {PARTS[part] for part in facts["BOARD_CP_PARTS"].split()}
    wanted |= {name for letter, name in (("m", "MULTIPLY"), ("c", "COMPRESSED"), ("a", "ATOMICS")) if letter in isa}
    if "pmp" in facts["BOARD_HAL"].split():
        wanted |= {"PROTECTION", "USER_MODE"}
    assert set(info.features) == wanted
    assert all(state.read()["free_ctas"] == info.sm_ctas for state in dev.regs.sm_state)
    assert "ganger: not the board" not in machine.sim.log()


def test_heartbeat(machine):
    """S3-R49: the heartbeat moves after each doorbell, also after one that comes while the control processor is busy."""
    for _look in range(30):
        nop = machine.dev.command("NOP")
        assert machine.dev.alive(ALIVE)
        machine.finish(nop)


def test_vecadd(machine):
    """Architecture §11, S0-R27: CTAs on both SMs, each element is right."""
    count = 300
    left, right = random.Random(8).choices(range(1 << 31), k=count), list(range(count))
    first, second, total = (machine.dev.buffer(numbers_of(values)) for values in (left, right, [0] * count))
    done = machine.run("vecadd", "vecadd", grid=19, block=16, args=[first, second, total, count])
    assert (done.status, done.ctas, done.sms) == ("OK", 19, 2)
    assert words(total.read()) == [a + b for a, b in zip(left, right)]


def test_barriers(machine):
    """S0-R27: threads that meet: sums by a tree in shared memory, and ids that survive barriers in calls."""
    data = random.Random(9).choices(range(1000), k=200)
    sums = zeros(machine.dev, 4)
    machine.run("reduce", "reduce", grid=4, block=50, args=[machine.dev.buffer(numbers_of(data)), sums, 200])
    assert words(sums.read()) == [sum(data[at:at + 50]) for at in range(0, 200, 50)]
    out = zeros(machine.dev, 4 * 2 * 24)
    machine.run("barrier_ids", "barrier_ids", grid=(1, 1, 2), block=(4, 3, 2), args=[out, 5])
    ids = [(x, y, z) for z in range(2) for y in range(3) for x in range(4)]
    assert words(out.read()) == [word for _cta in range(2) for thread, place in enumerate(ids)
                                 for word in ((thread + 5) % 24, *place)]


def test_priorities(machine):
    """S0-R10, S0-C6: tasks that wait start in the order of their priorities; the urgent one was posted last."""
    dev, kernel = machine.dev, machine.kernel("blank")
    full = dev.info.sms * dev.info.sm_ctas
    with machine.held(full):
        tasks = [(level, dev.submit(kernel, grid=full, priority=level)) for level in (5, 9, 2, 7, 1)]
        machine.sim.until(lambda: dev.query("TASKS", LONG) == 6, "all are accepted")
    order = sorted(tasks, key=lambda one: machine.finish(one[1]).times.first)
    assert [level for level, _task in order] == [1, 2, 5, 7, 9]


def test_urgent_overtakes(machine):
    """S0-R13, S0-C7: an urgent task overtakes a full table: one leaves its slot for it, and nothing is lost."""
    dev, kernel = machine.dev, machine.kernel("count")
    counts = [zeros(dev, 3) for _task in range(dev.info.slots + 4)]
    with machine.held(dev.info.sms * dev.info.sm_ctas, priority=1):
        low = [dev.submit(kernel, grid=3, priority=9, args=[out], channel=at % 2) for at, out in enumerate(counts)]
        machine.sim.until(lambda: dev.query("TASKS", LONG) == len(low) + 1, "all are accepted")
        urgent = dev.submit(machine.kernel("blank"), grid=8, priority=1, channel=2)
        machine.sim.until(lambda: dev.query("TASKS", LONG) == len(low) + 2, "the urgent one is accepted")
    first = machine.finish(urgent).times.first
    assert all(first <= machine.finish(task).times.first for task in low)
    assert all(words(out.read()) == [1] * 3 for out in counts)


def test_200_small_tasks(machine):
    """S0-R26, S0-R34: 200 tasks on all channels and priorities: each completes once, each CTA ran once."""
    dev, chance = machine.dev, random.Random(10)
    counts = zeros(dev, 200 * 3)
    kernel = machine.kernel("count")
    before = dev.stat()
    works = [dev.work(kernel, grid=1 + at % 3, block=1 + at % 5, args=[counts.address + 12 * at],
                      priority=chance.randint(1, 10), channel=chance.randrange(dev.info.channels))
             for at in range(200)]
    tasks = dev.submit_many(works, timeout=LONG)
    assert [machine.finish(task).ctas for task in tasks] == [1 + at % 3 for at in range(200)]
    assert words(counts.read()) == [int(place <= at % 3) for at in range(200) for place in range(3)]
    machine.at_rest()  # A completion is there a little before it is counted.
    after = dev.stat()
    assert after["tasks_accepted"] - before["tasks_accepted"] == 200
    assert after["tasks_completed"] - before["tasks_completed"] == 200


def test_after(machine):
    """S0-R02, S0-R15: tasks that come after others start once those have ended."""
    dev, kernel = machine.dev, machine.kernel("blank")
    with machine.held(2) as held:
        second = dev.submit(kernel, grid=3, after=[held])
        third = dev.submit(kernel, grid=3, after=[second, held], priority=1)
        assert machine.run("blank", grid=2, priority=10).ctas == 2
        assert second.poll() is None and third.poll() is None
    first, second, third = (machine.finish(task).times for task in (held, second, third))
    assert first.last <= second.first <= second.last <= third.first


@pytest.mark.parametrize("state", ["waiting", "running"])
def test_cancel(machine, state):
    """S0-R34: a task is cancelled before it starts, and one that would never end; others go on."""
    dev, counts = machine.dev, zeros(machine.dev, 4)
    with machine.held(dev.info.sms * dev.info.sm_ctas if state == "waiting" else 2):
        task = dev.submit(machine.kernel("forever"), grid=4, args=[counts, 0])
        if state == "running":
            machine.sim.until(lambda: words(counts.read()) == [0, 1, 1, 1], "all but one")
        else:
            machine.sim.until(lambda: dev.query("TASKS", LONG) == 2, "it is accepted")
        task.cancel(LONG)
        with pytest.raises(Exception) as error:
            machine.finish(task)
        assert error.value.status == "ERR_CANCELLED" and error.value.record is None
    assert sum(words(counts.read())) == (3 if state == "running" else 0)
    machine.works()
