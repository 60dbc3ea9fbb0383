# SPDX-License-Identifier: Apache-2.0
"""Tasks that wait for tasks: fan-in, fan-out, chains, failures, circles that cannot be built."""
import pytest

import ganger
from queue_support import ints, minus
from support import LONG, Held, expect, run_good_task, until, words, zeros


def count_of(dev, load):
    """Kernel that counts its CTAs, and its words."""
    return load(dev, "work")["count"], zeros(dev, 16)


@pytest.mark.parametrize("sms", [1, 8])
def test_after(device, load, sms):
    """S0-R02, S0-R15: a task that comes after another does not start before that one's end, and needs no host for it."""
    dev = device(sms)
    module = load(dev, "work")
    with Held(dev, module, 2) as held:
        second = dev.submit(module["blank"], grid=3, after=[held.task], priority=1)
        third = dev.submit(module["blank"], grid=3, after=[second, held.task], priority=1, channel=2)
        other = dev.submit(module["blank"], grid=3, priority=10)
        assert other.wait(LONG).ctas == 3
        assert second.poll() is None and third.poll() is None
    first, second, third = (task.wait(LONG) for task in (held.task, second, third))
    assert first.times.last <= second.times.ready <= second.times.first
    assert second.times.last <= third.times.ready <= third.times.first
    assert second.not_issued["dependence"] > 0 and first.not_issued["dependence"] == 0


@pytest.mark.parametrize("sms", [1, 8])
def test_fan_in(device, load, sms):
    """S0-R02: one task after 50 others, of several channels and priorities."""
    dev = device(sms)
    kernel, counts = count_of(dev, load)
    many = [dev.submit(kernel, grid=16, args=[counts], priority=1 + number % 10, channel=number % 4)
            for number in range(50)]
    last = dev.submit(load(dev, "work")["blank"], after=many, priority=1).wait(LONG)
    assert all(task.wait(LONG).times.last <= last.times.first for task in many)
    assert words(counts.read()) == [50] * 16


@pytest.mark.parametrize("sms", [1, 8])
def test_fan_in_by_decrement(device, load, sms):
    """S0-R02: a task that counts down 50 times; before the last one it does not start."""
    dev = device(sms)
    kernel, counts = count_of(dev, load)
    last = dev.submit(kernel, grid=16, args=[counts], dependence_count=50)
    for _number in range(49):
        dev.signal(dependents=[last]).wait(LONG)
    dev.nop()
    assert last.poll() is None and words(counts.read()) == [0] * 16
    dev.submit(load(dev, "work")["blank"], grid=2, dependents=[last]).wait(LONG)
    assert last.wait(LONG).ctas == 16 and words(counts.read()) == [1] * 16


@pytest.mark.parametrize("sms", [1, 8])
def test_fan_out(device, load, sms):
    """S0-R02: one task lets 50 go, which it names itself or which name it."""
    dev = device(sms)
    kernel, counts = count_of(dev, load)
    waiting = [dev.submit(kernel, grid=16, args=[counts], dependence_count=1) for _task in range(50)]
    with Held(dev, load(dev, "work"), 1, dependents=waiting) as held:
        held.await_started()
        following = [dev.submit(kernel, grid=16, args=[counts], after=[held.task])
                     for _task in range(50)]
        dev.nop()
        assert words(counts.read()) == [0] * 16
    assert all(task.wait(LONG).ctas == 16 for task in waiting + following)
    assert words(counts.read()) == [100] * 16


def test_64_at_once(device, load):
    """S0-R02: lists have 64 entries, and a task may be named several times; 65 are refused."""
    dev = device(8)
    kernel, counts = count_of(dev, load)
    last = dev.submit(kernel, grid=16, args=[counts], dependence_count=128)
    dev.signal(dependents=[last] * 64).wait(LONG)
    expect("ERR_ARGUMENT", dev.signal, dependents=[last] * 65)
    assert last.poll() is None
    dev.signal(dependents=[(last, "decrement")] * 64).wait(LONG)
    assert last.wait(LONG).ctas == 16
    assert dev.signal(after=[last] * 64).wait(LONG).status == "OK"
    expect("ERR_ARGUMENT", dev.signal, after=[last] * 65)


@pytest.mark.parametrize("sms", [1, 8])
def test_diamonds(device, load, sms):
    """S0-R02, S0-R15: a chain of 100 diamonds, posted while the first waits: each step after the one before."""
    dev = device(sms)
    kernel, counts = count_of(dev, load)
    with Held(dev, load(dev, "work"), 1) as held:
        tops, before = [], held.task
        for _step in range(100):
            top = dev.submit(kernel, grid=2, args=[counts], after=[before])
            sides = [dev.submit(kernel, grid=3, args=[counts], after=[top]) for _side in range(2)]
            before = dev.signal(after=sides)
            tops.append((top, sides, before))
        assert words(counts.read()) == [0] * 16
    end = 0.0
    for top, sides, bottom in tops:
        top, bottom = top.wait(LONG), bottom.wait(LONG)
        sides = [side.wait(LONG) for side in sides]
        assert end <= top.times.first
        assert all(top.times.last <= side.times.first for side in sides)
        assert all(side.times.last <= bottom.times.done for side in sides)
        end = max(side.times.last for side in sides)
    assert words(counts.read())[:4] == [300, 300, 200, 0]


def test_failure_goes_on(device, load):
    """S0-R02: what waits for a task that fails fails, too, without running, and what waits for that; others do not."""
    dev = device(8)
    kernel, counts = count_of(dev, load)
    by_count = dev.submit(kernel, args=[counts], dependence_count=2)
    after_that = dev.submit(kernel, args=[counts], after=[by_count])
    with Held(dev, load(dev, "work"), 1) as held:
        # The first CTA waits, so that the others are posted before the failure.
        bad = dev.submit(load(dev, "faults")["fault"], args=[zeros(dev, 1), 8, 0, 0, 0],
                         dependence_count=1, dependents=[by_count])
        after = dev.submit(kernel, args=[counts], after=[bad, held.task])
        chain = [after]
        for _step in range(200):
            chain.append(dev.submit(kernel, args=[counts], after=[chain[-1]]))
        good = dev.submit(kernel, args=[counts], after=[held.task])
        dev.signal(dependents=[bad]).wait(LONG)
        expect("ERR_ABORTED", bad.wait, LONG)
        for task, cause in ((by_count, bad), (after_that, by_count), (after, bad),
                            *zip(chain[1:], chain)):
            error = expect("ERR_DEPENDENCY", task.wait, LONG)
            assert (error.field, error.value) == ("task", cause.tag) and error.done.ctas == 0
        assert good.poll() is None
    assert good.wait(LONG).ctas == 1 and words(counts.read())[0] == 1
    run_good_task(dev, load(dev, "work"))


def test_after_the_end(device, load):
    """S0-R02: after a task that is long complete a task runs at once, or is refused if that one failed, whether the host
    knows it or not."""
    dev = device(8)
    kernel, counts = count_of(dev, load)
    good = dev.submit(kernel, args=[counts])
    bad = dev.submit(load(dev, "faults")["fault"], args=[zeros(dev, 1), 8, 0, 0, 0])
    expect("ERR_ABORTED", bad.wait, LONG)
    good.wait(LONG)
    assert dev.submit(kernel, args=[counts], after=[good]).wait(LONG).ctas == 1
    error = expect("ERR_DEPENDENCY", dev.submit, kernel, args=[counts], after=[good, bad])
    assert (error.field, error.value) == ("after", bad.tag)
    for _round in range(5):  # The host does not look at the failure before it posts the second.
        bad = dev.submit(load(dev, "faults")["fault"], args=[zeros(dev, 1), 8, 0, 0, 0])
        error = expect("ERR_DEPENDENCY",
                       lambda: dev.submit(kernel, args=[counts], after=[bad]).wait(LONG))
        assert error.value == bad.tag
        expect("ERR_ABORTED", bad.wait, LONG)
    assert words(counts.read())[0] == 2


def test_circles(device, load):
    """S0-R02, S0-R15: a circle of tasks cannot be posted: the one that would close it is refused, the others go on."""
    dev = device(8)
    kernel, counts = count_of(dev, load)
    tmds = [dev.tmd(kernel, args=[counts], dependence_count=1,
                    dependents=[((256, 1), "decrement")]) for _tmd in range(3)]
    for one, other in zip(tmds, tmds[1:] + tmds[:1]):
        one.store()
        dev.write(one.dependents, other.address.to_bytes(8, "little") +
                  other.generation.to_bytes(4, "little"))
    for tmd in tmds:  # Whichever is posted first, the one that it names is not there.
        error = expect("ERR_DEPENDENT", dev.submit_tmd(tmd).wait, LONG)
        assert error.field == "dependent.tmd"
    held = dev.submit(kernel, args=[counts], dependence_count=1)
    last = dev.submit(kernel, args=[counts], after=[held])
    error = expect("ERR_DEPENDENT", dev.signal(after=[last], dependents=[held]).wait, LONG)
    assert (error.field, error.value) == ("dependent.tmd", held.address)
    dev.signal(dependents=[held]).wait(LONG)
    assert last.wait(LONG).ctas == 1 and words(counts.read())[0] == 2


def test_decrement_of_the_wrong(device, load):
    """S0-R02: only a task that is held and not counted down yet can be decremented; a refused list does nothing."""
    dev = device(8)
    kernel, counts = count_of(dev, load)
    held = dev.submit(kernel, args=[counts], dependence_count=2)
    with Held(dev, load(dev, "work"), 1) as busy:
        after = dev.submit(kernel, args=[counts], after=[busy.task])
        for wrong in ([busy.task], [after], [held, held, held], [held, busy.task],
                      [(held, "increment-put", 1)], [((held.address, held.generation + 1))],
                      [(held, "decrement", 1)], [(busy.task, "increment-put", 0)]):
            expect("ERR_DEPENDENT", dev.signal(dependents=wrong).wait, LONG)
        assert held.poll() is None and after.poll() is None
    assert dev.signal(dependents=[held, held]).wait(LONG).status == "OK"
    assert held.wait(LONG).ctas == 1 and after.wait(LONG).ctas == 1
    expect("ERR_DEPENDENT", dev.signal(dependents=[held]).wait, LONG)


@pytest.mark.parametrize("sms", [1, 8])
def test_schedule(device, load, sms):
    """S0-R02, S0-R07: templates that a task schedules when it ends are its children, and run in turn after it."""
    dev = device(sms)
    kernel, counts = count_of(dev, load)
    templates = [dev.template(kernel, grid=number + 1, args=[counts]) for number in range(5)]
    done = dev.submit(kernel, grid=16, args=[counts],
                      dependents=[(one, "schedule") for one in templates]).wait(LONG)
    assert done.ctas == 16 and words(counts.read()) == [6, 5, 4, 3, 2, *[1] * 11]
    bad = dev.template(load(dev, "faults")["fault"], args=[zeros(dev, 1), 8, 0, 0, 0])
    task = dev.submit(kernel, args=[counts], dependents=[(bad, "schedule")])
    error = expect("ERR_DEPENDENCY",  # The library's error or the device's, whichever knows first.
                   lambda: dev.submit(kernel, args=[counts], after=[task]).wait(LONG))
    assert error.value == task.tag
    expect("ERR_ABORTED", task.wait, LONG)


def test_lists_of_children(device, load):
    """S0-R07, S0-R08: siblings wait for siblings; a child that waits for its own parent is refused."""
    dev = device(8)
    kernel, counts = count_of(dev, load)
    status = minus(dev, 2)
    room = dev.buffer(bytes(512), align=256)
    name = (room.address, 1)
    first = dev.tmd(kernel, grid=2, args=[counts], dependence_count=1)
    second = dev.tmd(kernel, grid=3, args=[counts], dependents=[name])
    for place, tmd in enumerate((first, second)):
        tmd.generation = 1
        tmd.store(room.address + 256 * place)
    done = dev.submit(load(dev, "children")["launch_all"], args=[room, 2, status]).wait(LONG)
    assert done.ctas == 1 and ints(status) == [0, 0]
    assert words(counts.read())[:4] == [2, 2, 1, 0]
    child = dev.tmd(kernel, args=[counts], dependents=[name])
    at = dev.buffer(nbytes=256, align=256)
    child.after, child.after_count = child.dependents, 1
    child.dependents, child.dependent_count = 0, 0
    child.store(at.address)
    parent = dev.tmd(load(dev, "tasks")["launch_it"], args=[at, status])
    parent.generation = 1
    parent.store(room.address)
    until(lambda: dev.query("TASKS") == 0, "rest")
    assert dev.submit_tmd(parent, generation=1, address=room.address).wait(LONG).ctas == 1
    assert ints(status)[0] == ganger.abi.ENUMS["status"]["ERR_DEPENDENT"]
    assert words(counts.read())[:4] == [2, 2, 1, 0]
