# SPDX-License-Identifier: Apache-2.0
"""Words of memory that a task changes when it ends well."""
import array

import pytest

import ganger
from support import LONG, expect, flag_at, run_good_task, until, words, zeros

OLD, VALUE = 0xf0f01234, 0x80ff0101
RESULTS = {
    "release": VALUE, "add": (OLD + VALUE) & 0xffffffff, "minimum": VALUE, "maximum": OLD,
    "and": OLD & VALUE, "or": OLD | VALUE, "xor": OLD ^ VALUE,
}


def word(dev, value=OLD):
    """Three words, the second of which is the semaphore."""
    return dev.buffer(array.array("I", [77, value, 88]))


def value_of(buffer):
    """The semaphore; its neighbours must be what they were."""
    before, value, after = words(buffer.read())
    assert (before, after) == (77, 88)
    return value


@pytest.mark.parametrize("operation", RESULTS)
@pytest.mark.parametrize("kind", ["grid", "signal", "queue"])
def test_operations(device, load, operation, kind):
    """S0-R02: each operation, at the end of a task of each type."""
    dev = device(8)
    place = word(dev)
    keywords = {"semaphores": [(place.address + 4, VALUE, operation)]}
    if kind == "signal":
        task = dev.signal(**keywords)
    elif kind == "grid":
        task = dev.submit(load(dev, "work")["blank"], grid=20, **keywords)
    else:
        task = dev.queue(load(dev, "work")["blank"], capacity=4, item_bytes=4, items=1, closed=True,
                         initial=bytes(16), **keywords)
    assert task.wait(LONG).ctas == {"grid": 20, "signal": 0, "queue": 4}[kind]
    assert value_of(place) == RESULTS[operation]


@pytest.mark.parametrize("old, value, least, most", [(5, 9, 5, 9), (0, 0xffffffff, 0, 0xffffffff),
                                                     (0x80000000, 1, 1, 0x80000000), (3, 3, 3, 3)])
def test_least_and_most(device, old, value, least, most):
    """S0-R02: minimum and maximum take the words as unsigned."""
    dev = device(8)
    first, second = word(dev, old), word(dev, old)
    dev.signal(semaphores=[(first.address + 4, value, "minimum"),
                           (second.address + 4, value, "maximum")]).wait(LONG)
    assert (value_of(first), value_of(second)) == (least, most)


def test_two_on_one_word(device):
    """S0-R02: two semaphores take effect in their order, on the same word, too; a Buffer names its first word."""
    dev = device(8)
    place = dev.buffer(bytes(8))
    dev.signal(semaphores=[(place, 6), (place, 3, "add")]).wait(LONG)
    assert words(place.read()) == [9, 0]
    dev.signal(semaphores=[(place, 3, "add"), (place, 6, "release")]).wait(LONG)
    assert words(place.read()) == [6, 0]


@pytest.mark.parametrize("sms", [1, 8])
def test_after_the_data(device, load, sms):
    """S0-R02, S0-R15: whoever sees the semaphore sees what all CTAs wrote; the host need not ask the device."""
    dev = device(sms)
    kernel = load(dev, "work")["count"]
    for _round in range(10):
        counts, place = zeros(dev, 300), zeros(dev, 1)
        task = dev.submit(kernel, grid=300, args=[counts], semaphores=[(place, 1)])
        until(lambda: flag_at(place, 0) == 1, "the semaphore")
        assert words(counts.read()) == [1] * 300
        task.wait(LONG)


def test_many_add(device, load):
    """S0-R02, S0-R15: 500 tasks of all priorities add to one word: none is lost."""
    dev = device(8)
    kernel, place = load(dev, "work")["blank"], zeros(dev, 2)
    works = [dev.work(kernel, grid=1 + number % 3, priority=1 + number % 10, channel=number % 4,
                      semaphores=[(place, number, "add"), (place.address + 4, 1, "add")])
             for number in range(500)]
    for task in dev.submit_many(works, timeout=LONG):
        task.wait(LONG)
    assert words(place.read()) == [sum(range(500)), 500]


def test_not_after_a_failure(device, load):
    """S0-R02: a task that fails, that is cancelled, or whose predecessor failed, releases nothing."""
    dev = device(8)
    work, place = load(dev, "work"), zeros(dev, 1)
    semaphores = [(place, 1)]
    endless = dev.submit(work["forever"], grid=4, args=[zeros(dev, 4), 0], semaphores=semaphores)
    after = dev.submit(work["blank"], after=[endless], semaphores=semaphores)
    held = dev.signal(dependence_count=1, semaphores=semaphores)
    trapped = dev.submit(load(dev, "faults")["fault"], args=[zeros(dev, 1), 8, 0, 0, 0],
                         semaphores=semaphores)
    expect("ERR_ABORTED", trapped.wait, LONG)
    for task in (endless, held):
        task.cancel()
        expect("ERR_CANCELLED", task.wait, LONG)
    assert expect("ERR_DEPENDENCY", after.wait, LONG).value == endless.tag
    assert words(place.read()) == [0]
    run_good_task(dev, work)


def test_of_a_child(device, load):
    """S0-R02, S0-R07: a child releases its semaphores, in its context's heap, before its parent is complete."""
    dev = device(8)
    place, status = zeros(dev, 2), zeros(dev, 1)
    with dev.template(load(dev, "work")["blank"], grid=7,
                      semaphores=[(place, 5, "add"), (place.address + 4, 6, "or")]) as child:
        for _round in range(3):
            dev.submit(load(dev, "tasks")["launch_it"], args=[child, status],
                       semaphores=[(place, 2, "xor")]).wait(LONG)
    value = 0
    for _round in range(3):
        value = (value + 5) ^ 2
    assert words(place.read()) == [value, 6] and words(status.read()) == [0]


@pytest.mark.parametrize("which", ["semaphore0", "semaphore1"])
@pytest.mark.parametrize("fields, field", [
    ({"": 2, "_op": 1}, ""), ({"": 0, "_op": 1}, ""), ({"": 0x80000000, "_op": 2}, ""),
    ({"": (1 << 64) - 4, "_op": 3}, ""), ({"_op": 8}, "_op"), ({"_op": 0xffffffff}, "_op")], ids=str)
def test_wrong_fields(device, load, which, fields, field):
    """S0-R02: addresses that are misaligned or outside device memory, and unknown operations, are refused."""
    dev = device(8)
    counts, place = zeros(dev, 4), zeros(dev, 1)
    tmd = dev.tmd(load(dev, "work")["count"], grid=4, args=[counts])
    setattr(tmd, which, place.address)
    for name, value in fields.items():
        setattr(tmd, which + name, value)
    error = expect("ERR_SEMAPHORE", dev.submit_tmd(tmd).wait, LONG)
    assert (error.field, error.value) == (f"tmd.{which}{field}", fields[field])
    assert words(counts.read()) == [0] * 4 and words(place.read()) == [0]
    run_good_task(dev, load(dev, "work"))


def test_wrong_arguments(device, load):
    """S0-R02: what the library refuses: three, an unknown operation, numbers that do not fit."""
    dev = device(8)
    place = zeros(dev, 1)
    for semaphores, status in (([(place, 1)] * 3, "ERR_SEMAPHORE"),
                               ([(place, 1, "nand")], "ERR_ARGUMENT"),
                               ([(place, 1 << 32)], "ERR_ARGUMENT"),
                               ([(place, -1)], "ERR_ARGUMENT"),
                               ([(1 << 64, 1)], "ERR_ARGUMENT")):
        assert expect(status, dev.signal, semaphores=semaphores).field
    assert len(ganger.abi.ENUMS["semaphore_op"]) == len(RESULTS) + 1
    run_good_task(dev, load(dev, "work"))
