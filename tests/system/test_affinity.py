# SPDX-License-Identifier: Apache-2.0
"""Tasks that say which SMs may run them, by number and by group."""
import pytest

import ganger
from support import LONG, Held, configured, expect, run_good_task, until, words, zeros
from workload import ctas_of, launches_of, tracing


@pytest.mark.parametrize("mode", ["balance", "round-robin"])
@pytest.mark.parametrize("sms", [[3], [2, 5], [7, 0, 1], list(range(8))])
def test_by_sm(device, load, sms, mode):
    """S0-R25, S0-C11: CTAs run on the SMs of the mask, equally many on each, in both modes (in
    turn: one, because which SM is the next to acknowledge its task is not fixed)."""
    dev = device(8)
    each = 2 if mode == "balance" else 1
    ctas = each * len(sms)
    with Held(dev, load(dev, "work"), ctas, affinity=sms, mode=mode) as held:
        held.await_started()
        assert held.per_sm() == [each if sm in sms else 0 for sm in range(8)]


def test_more_ctas_than_room(device, load):
    """S0-R25, S0-C11, S0-R35: with its SMs full a task waits, though others are idle, and goes on
    there."""
    dev = device(8)
    most = dev.info.sm_ctas
    with tracing(dev) as traced:
        with Held(dev, load(dev, "work"), 5 * most, affinity=[1, 6]) as held:
            held.await_started(2 * most)
            dev.nop()
            assert held.started() == 2 * most == dev.query("DEVICE")
            assert [dev.regs.sm_state[sm].resident.read() for sm in (1, 6)] == [most, most]
    assert {bar.sm for bar in ctas_of(traced.result, held.task.tag)} == {1, 6}
    done = held.task.wait(LONG)
    assert done.ctas == 5 * most and done.not_issued["affinity"] > 0


def test_others_use_the_other_sms(device, load):
    """S0-R25, S0-C11, S0-R28: a later task of lower priority fills the other SMs meanwhile, and
    gets none of those that the first still wants."""
    dev = device(8)
    module, most = load(dev, "work"), dev.info.sm_ctas
    with tracing(dev) as traced:
        with Held(dev, module, 3 * most, affinity=[4], priority=2) as first:
            first.await_started(most)
            with Held(dev, module, 9 * most, priority=8) as second:
                second.await_started(7 * most)
                dev.nop()
                assert (first.started(), second.started()) == (most, 7 * most)
                first.release()
                first.task.wait(LONG)
                second.await_started(8 * most)
    trace = traced.result
    last = max(event.start for event in launches_of(trace, first.task.tag))
    there = [event for event in launches_of(trace, second.task.tag) if event.sm == 4]
    assert there and all(event.start >= last for event in there)


def test_its_sms_are_kept_for_a_large_cta(device, load):
    """S0-R25, S0-R26, S0-C11: a task of large CTAs whose only SM is in use is not overtaken there
    by small ones of a later task, which has the other SMs meanwhile."""
    dev = device(8)
    module, most = load(dev, "work"), dev.info.sm_ctas
    half = most // 2
    with Held(dev, module, half, affinity=[4]) as first, \
            Held(dev, module, half, affinity=[4]) as second:
        first.await_started()
        second.await_started()
        large = dev.submit(load(dev, "shared")["seek"], affinity=[4], priority=2, args=[
            0, ganger.local(dev.info.sm_shared_bytes), 0, zeros(dev, 1)])
        with Held(dev, module, 8 * most, priority=8) as small:
            small.await_started(7 * most)
            first.release()
            first.task.wait(LONG)
            dev.nop()
            assert small.started() == 7 * most and not large.done
            second.release()
            assert large.wait(LONG).ctas == 1
            small.await_started()


def test_by_gpc(device, load):
    """S0-R25, S0-C11: by GPC, with groups that were changed: the mask is formed when the task is
    accepted."""
    dev = device(8)
    module = load(dev, "work")
    with configured(dev, group={sm: (sm // 2, 0, 0) for sm in range(8)}):
        with Held(dev, module, 8, gpcs=[1]) as held:
            held.await_started()
            assert held.per_sm() == [0, 0, 4, 4, 0, 0, 0, 0]
            dev.config(group={sm: (7 - sm, 0, 0) for sm in range(8)})
            with Held(dev, module, 3, gpcs=[0, 2]) as other:
                other.await_started()
                assert other.per_sm() == [0, 0, 0, 0, 0, 1, 0, 2] or \
                    other.per_sm() == [0, 0, 0, 0, 0, 2, 0, 1]
        run_good_task(dev, module)


def test_both_must_allow(device, load):
    """S0-R25, S0-C11: a list of SMs and a set of GPCs: what both allow."""
    dev = device(8)
    with configured(dev, group={sm: (sm % 4, 0, 0) for sm in range(8)}):
        with Held(dev, load(dev, "work"), 4, affinity=[1, 2, 3, 5], gpcs=[1, 0]) as held:
            held.await_started()
            assert held.per_sm() == [0, 2, 0, 0, 0, 2, 0, 0]


@pytest.mark.parametrize("keywords, field", [
    ({"gpcs": [30]}, "tmd.gpc_mask"), ({"gpc_mask": 1 << 31}, "tmd.gpc_mask"),
    ({"affinity": [0], "gpcs": [1]}, "tmd.gpc_mask"),
    ({"affinity": [1, 3], "throttle": True}, "tmd.affinity")])
def test_nowhere_is_refused(device, load, keywords, field):
    """S0-R25: a task that no SM may ever run is refused with the field, and leaves nothing
    behind."""
    dev = device(8)
    module = load(dev, "work")
    with configured(dev, group={sm: (sm // 4, 0, 0) for sm in range(8)}, throttle_sms=2):
        error = expect("ERR_AFFINITY", lambda: dev.submit(module["blank"], **keywords).wait(LONG))
        assert error.field == field
        run_good_task(dev, module)


@pytest.mark.parametrize("keywords", [{"affinity": []}, {"gpcs": []}, {"affinity": [8]},
                                      {"affinity": [0, 511]}, {"affinity": [512]}])
def test_empty_mask_is_refused(device, load, keywords):
    """S0-R25: an empty list, or an SM that the device does not have, is refused by the library."""
    dev = device(8)
    module = load(dev, "work")
    posted = dev.traffic()["posted"]
    expect("ERR_AFFINITY", dev.submit, module["blank"], **keywords)
    assert dev.traffic()["posted"] == posted


def test_disabled_sm(device, load):
    """S0-R25, S0-R30: a task whose only SM is switched off waits until it is on again; others
    run."""
    dev = device(8)
    module = load(dev, "work")
    out = zeros(dev, 30)
    with configured(dev, enabled=[0, 1, 2, 3, 4, 5, 7]):
        task = dev.submit(module["count"], grid=(30,), args=[out], affinity=[6], priority=1)
        run_good_task(dev, module)
        assert not task.done
    assert task.wait(LONG).not_issued["affinity"] > 0
    assert words(out.read()) == [1] * 30


def test_many_affinities(device, load, seed):
    """S0-R25, S0-C11, S0-R26: 40 tasks of random masks on 32 SMs: each CTA once, and where it may
    run."""
    dev = device(32)
    module = load(dev, "work")
    masks = [sorted(seed.sample(range(32), seed.choice((1, 1, 2, 5, 16, 31))))
             for _task in range(40)]
    outs = [zeros(dev, 10) for _mask in masks]
    with tracing(dev) as traced:
        tasks = [dev.submit(module["count"], grid=(10,), block=(seed.choice((1, 64, 1024)),),
                            args=[out], affinity=mask, priority=seed.randint(1, 10),
                            mode=seed.choice(("balance", "round-robin")))
                 for mask, out in zip(masks, outs)]
        until(lambda: all(task.done for task in tasks), "all tasks end")
    for task, mask, out in zip(tasks, masks, outs):
        assert {event.sm for event in launches_of(traced.result, task.tag)} <= set(mask)
        assert {bar.sm for bar in ctas_of(traced.result, task.tag)} <= set(mask)
        assert words(out.read()) == [1] * 10
