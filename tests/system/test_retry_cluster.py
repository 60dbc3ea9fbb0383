# SPDX-License-Identifier: Apache-2.0
"""CGAs run again as a whole when SMs of theirs are lost: `retry_limit`."""
import pytest

from support import LONG, Held, expect, run_good_task, until, words, zeros
from test_retry import broken

SMS = 8
VICTIM = 3


@pytest.fixture
def dev(device):
    """The device that most tests share."""
    return device(SMS)


def victims(held, size):
    """The CTAs of CGAs of `size` CTAs that have one on the victim."""
    groups = {cta // size for cta, sm in enumerate(held.sms()) if sm == VICTIM}
    return [cta for cta in range(held.ctas) if cta // size in groups]


@pytest.mark.parametrize("ctas, size, keywords", [(24, 4, {}), (24, 4, {"cluster_in": "gpu"}), (12, 3, {"mode": "multicast"}), (8, 8, {})],
                         ids=str)
def test_elsewhere(dev, load, ctas, size, keywords):
    """S1-R100, S1-R133, S1-R134: of each CGA that had a CTA on the SM all CTAs are started again, together and elsewhere; those of
    other CGAs go on."""
    held = Held(dev, load(dev, "work"), ctas, cluster=size, retry_limit=1, **{"cluster_in": "gpc", **keywords})
    held.await_started()
    gone, before = victims(held, size), held.order()
    dev.sm_reset(VICTIM)
    held.await_started(ctas + len(gone))
    after = held.order()
    held.release()
    done = held.task.wait(LONG)
    assert gone and (done.ctas, done.retried) == (ctas, len(gone))
    assert [cta for cta in range(ctas) if after[cta] != before[cta]] == gone


@pytest.mark.parametrize("size, ctas, keywords", [(8, 1600, {}), (5, 1500, {"cluster_in": "gpu"}), (4, 1600, {"mode": "multicast"})], ids=str)
def test_barriers_and_memory(dev, load, size, ctas, keywords):
    """S1-R100, S1-R135, S1-R145: all SMs are reset while CGAs write to each other's memory between barriers: each has found what
    its own CTAs wrote, and nothing else."""
    rounds, retried = 3, 0
    for _try in range(20):  # A task may be over before the host comes to reset an SM.
        out = zeros(dev, ctas)
        task = dev.submit(load(dev, "cluster_memory")["everyone"], grid=ctas, block=1, cluster=size, args=[out, rounds], retry_limit=15,
                          **{"cluster_in": "gpc", **keywords})
        for sm in range(SMS):
            dev.sm_reset(sm)
        done = task.wait(LONG)
        assert (done.ctas, done.retried % size) == (ctas, 0)
        assert words(out.read()) == [rounds * size * (size + 1) // 2] * ctas
        retried = done.retried
        if retried > 0:
            break
    assert retried > 0


def test_the_limit(dev, load):
    """A CGA runs again as often as the limit says, whichever of its CTAs is lost."""
    held = Held(dev, load(dev, "work"), SMS, cluster=SMS, cluster_in="gpu", mode="multicast", retry_limit=2)
    for count in (1, 2, 3):
        held.await_started(count * SMS)
        assert not held.task.done
        dev.sm_reset(count)
    error = expect("ERR_SM_LOST", held.task.wait, LONG)
    assert (error.field, error.value, error.done.retried) == ("tmd.retry_limit", 2, 2 * SMS)
    run_good_task(dev, load(dev, "work"))


def test_without_a_limit(dev, load):
    """Without a limit the first loss ends the task."""
    held = Held(dev, load(dev, "work"), SMS, cluster=4, cluster_in="gpu")
    held.await_started()
    dev.sm_reset(held.sms()[0])
    error = expect("ERR_SM_LOST", held.task.wait, LONG)
    assert (error.field, error.done.retried) == (None, 0)


def test_who_is_guilty(fresh, load):
    """S1-R100: a task whose CGA had CTAs on two SMs that failed is stopped, whatever its limit; CGAs beside it go on. What had ended
    well of the CGA runs again, too."""
    dev = fresh(4)
    work = load(dev, "work")
    beside = Held(dev, work, 8, cluster=2, cluster_in="gpu", retry_limit=15)
    beside.await_started()
    hit = {cta // 2 for cta, sm in enumerate(beside.sms()) if sm == 1}
    counts = zeros(dev, 2)
    task = dev.submit(work["forever"], grid=2, cluster=2, cluster_in="gpu", args=[counts, 0], affinity=[1], retry_limit=15)
    for count in (1, 2):
        until(lambda: dev.query("DEVICE") == 9, "one of its CTAs has ended, and one runs beside the others")
        poke = Held(dev, work, 1, affinity=[1])
        poke.await_started()
        broken(dev, poke, 1)
        assert task.done == (count == 2)
        beside.await_started(8 + 2 * len(hit))  # Elsewhere, so that it is not on the second one, too.
        dev.sm_reset(1)
    error = expect("ERR_QUARANTINE", task.wait, LONG)
    assert (error.field, error.value, error.done.retried) == ("tmd.entry", work.base + work["forever"].entry, 2)
    beside.release()
    done = beside.task.wait(LONG)
    assert hit and (done.ctas, done.retried) == (8, 2 * len(hit))
    assert [dev.stat()[name] for name in ("sms_lost", "unmatched")] == [2, 0]


def test_refused(dev, load):
    """S0-R01: CGAs made of CGAs do not run again: a limit is refused with field and value."""
    error = expect("ERR_UNSUPPORTED", dev.submit(load(dev, "work")["blank"], grid=8, block=1, cluster=[(2, 1, 1), (2, 1, 1)],
                                                 cluster_in=["gpc", "gpu"], retry_limit=1).wait, LONG)
    assert (error.field, error.value) == ("tmd.retry_limit", 1)
