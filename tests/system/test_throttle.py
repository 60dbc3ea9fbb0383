# SPDX-License-Identifier: Apache-2.0
"""Throttle mode: few SMs, each with the memory of several."""
import contextlib

import pytest

import ganger
from support import LONG, Held, configured, expect, run_good_task, until, words, zeros
from workload import ctas_of, launches_of, meet, tracing

FACTORS = [1, 2, 4, 8]
SECRET = 0x7A11_5EC4


def switches(dev):
    """Times that the mode was switched."""
    return dev.stat()["throttle_switches"]


def shares(dev):
    """SMs whose memory each SM has now."""
    return [state.share_sms.read() for state in dev.regs.sm_state]


def three(dev, module, nbytes, ctas, **keywords):
    """Posts tasks that write and check all of `nbytes` of shared memory: kernel `three` of
    shared.c. Returns the task and the counter of wrong words."""
    wrong, count = zeros(dev, 1), (nbytes - module["three"].shared_bytes - 64) // 5
    task = dev.submit(module["three"], grid=(ctas,), block=(8,), args=[
        wrong, ganger.local(4 * count), ganger.local(count), count], **keywords)
    return task, wrong


@contextlib.contextmanager
def shared_by(dev, sms):
    """throttle_sms for the length of a block."""
    with configured(dev, throttle_sms=sms):
        assert dev.config.throttle_sms == sms
        yield dev.info.sm_shared_bytes


@pytest.mark.parametrize("factor", FACTORS)
def test_larger_share(device, load, factor):
    """S0-R22, S0-C5, S0-C9: a throttle task has the shared memory of `throttle_sms` SMs, all of it
    its own, on every n-th SM only, one CTA on each; other tasks have it back afterwards."""
    dev = device(8)
    module = load(dev, "shared")
    before = switches(dev)
    with shared_by(dev, factor) as most, tracing(dev) as traced:
        task, wrong = three(dev, module, factor * most, 20, throttle=True)
        assert task.wait(LONG).ctas == 20
        small, small_wrong = three(dev, module, most, 20)
        assert small.wait(LONG).ctas == 20
    assert words(wrong.read()) == [0] == words(small_wrong.read())
    assert switches(dev) == before + 2 and shares(dev) == [1] * 8
    bars = ctas_of(traced.result, task.tag)
    assert {bar.sm for bar in bars} == set(range(0, 8, factor))
    assert all(event.extra == 1 for event in launches_of(traced.result, task.tag))


@pytest.mark.parametrize("factor", FACTORS[1:])
def test_the_same_kernel_in_both_modes(device, load, factor):
    """S0-R22, S3-R45: a kernel that fills an SM's memory, and then that of several, with arguments in the same place, may reach
    all of it, and no more of it than it has."""
    dev = device(8)
    hide = load(dev, "shared")["hide"]
    with shared_by(dev, factor) as most:
        for own, reached, throttle in ((most, most, False), (factor * most, factor * most, True),
                                       (most, most, False), (most, factor * most, False)):
            task = dev.submit(hide, args=[SECRET, ganger.local(own), reached // 4], throttle=throttle)
            if own == reached:
                assert task.wait(LONG).ctas == 1
            else:
                expect("ERR_FAULT_ACCESS", task.wait, LONG)


@pytest.mark.parametrize("factor", FACTORS)
def test_only_with_the_attribute(device, load, factor):
    """S0-R22, S0-R35: more shared memory than an SM has is accepted with the attribute only, up to
    the larger share."""
    dev = device(8)
    module = load(dev, "shared")
    args = [0, ganger.local(4), 0, zeros(dev, 1)]
    with shared_by(dev, factor) as most:
        for nbytes, throttle, accepted in ((most, False, True), (most + 4, False, False),
                                           (factor * most, True, True),
                                           (factor * most + 4, True, False)):
            args[1] = ganger.local(nbytes)
            task = dev.submit(module["seek"], args=args, throttle=throttle)
            if accepted:
                assert task.wait(LONG).ctas == 1
            else:
                error = expect("ERR_SHARED_TOO_LARGE", task.wait, LONG)
                assert (error.field, error.value) == ("tmd.shared_bytes", nbytes)
        run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("factor", FACTORS)
def test_never_together(device, load, seed, factor):
    """S0-R22, S0-R30, S0-C5, S0-C9: no CTA with the attribute is there together with one without
    it, in a mix of both."""
    dev = device(8)
    module = load(dev, "shared")
    kinds = [bool(seed.getrandbits(1)) for _task in range(24)]
    before = switches(dev)
    with shared_by(dev, factor) as most, tracing(dev) as traced:
        works = [three(dev, module, seed.randint(1, factor if throttle else 1) * most // 2,
                       seed.randint(1, 12), throttle=throttle, priority=seed.choice((4, 5, 6)))
                 for throttle in kinds]
        for task, _wrong in works:
            task.wait(LONG)
    bars = [[], []]
    for throttle, (task, wrong) in zip(kinds, works):
        bars[throttle] += ctas_of(traced.result, task.tag)
        assert words(wrong.read()) == [0]
    assert not meet(*bars)
    assert all(bar.sm % factor == 0 for bar in bars[True])
    assert (switches(dev) - before) % 2 == 0 and shares(dev) == [1] * 8


def test_mode_waits_for_the_others(device, load):
    """S0-R22, S0-R28: CTAs without the attribute end before the mode is switched on, and nothing
    starts meanwhile; then only throttle tasks run; without them it is switched off again."""
    dev = device(8)
    module = load(dev, "work")
    before = switches(dev)
    with shared_by(dev, 4), contextlib.ExitStack() as stack:
        first = stack.enter_context(Held(dev, module, 3))
        first.await_started()
        throttle = stack.enter_context(Held(dev, module, 5, throttle=True))
        second = stack.enter_context(Held(dev, module, 4))
        until(lambda: dev.query("TASKS") == 3, "all are accepted")
        dev.nop()
        assert (throttle.started(), second.started(), switches(dev)) == (0, 0, before)
        first.release()
        first.task.wait(LONG)
        throttle.await_started()
        assert second.started() == 0 and switches(dev) == before + 1 and shares(dev) == [4] * 8
        assert [state.resident.read() for state in dev.regs.sm_state] == [3, 0, 0, 0, 2, 0, 0, 0]
        throttle.release()
        done = throttle.task.wait(LONG)
        second.await_started()
        assert switches(dev) == before + 2 and shares(dev) == [1] * 8
    assert done.not_issued["throttle"] > 0 and second.task.wait(LONG).not_issued["throttle"] > 0


def test_priority_decides_about_the_mode(device, load):
    """S0-R22, S0-R26: a throttle task does not stop tasks of higher priority; those without CTAs to
    issue do not stop it."""
    dev = device(8)
    module = load(dev, "work")
    most = 8 * dev.info.sm_ctas
    with Held(dev, module, most + 1, priority=3) as better:
        better.await_started(most)
        with Held(dev, module, 1, priority=4, throttle=True) as throttle:
            until(lambda: dev.query("TASKS") == 2, "both are accepted")
            better.release()
            assert better.task.wait(LONG).ctas == most + 1
            throttle.await_started()
    assert throttle.task.wait(LONG).times.first >= better.task.wait(LONG).times.last


@pytest.mark.parametrize("factor", [2, 8])
@pytest.mark.parametrize("hides", [False, True])
def test_no_secret_of_another_context(fresh, kernel_path, factor, hides):
    """S0-R22, S3-T7, S3-R77: what another context left in any SM's memory is not seen in the larger
    share, nor the other way round."""
    dev = fresh(8)
    dev.config(throttle_sms=factor)
    contexts = [dev.default_context, dev.context(4 << 20)]
    modules = [context.load(kernel_path("shared")) for context in contexts]
    most = dev.info.sm_shared_bytes

    def run(which, name, throttle, *rest):
        nbytes = most * (factor if throttle else 1)
        contexts[which].submit(modules[which][name], grid=(32,), throttle=throttle, args=[
            SECRET, ganger.local(nbytes), nbytes // 4, *rest]).wait(LONG)

    for _round in range(2):
        run(0, "hide", hides)
        found = contexts[1].buffer(bytes(4))
        run(1, "seek", not hides, found)
        assert words(found.read()) == [0]
    run(1, "seek", hides, found)
    assert words(found.read()) == [0]


def test_setting_while_in_use(device, load):
    """S0-R22: the number of SMs of a share cannot be changed while a throttle task is in the
    device; wrong ones never."""
    dev = device(8)
    with shared_by(dev, 2):
        with Held(dev, load(dev, "work"), 2, throttle=True) as held:
            held.await_started()
            error = expect("ERR_BUSY", dev.config, throttle_sms=4)
            assert (error.field, error.value) == ("config.throttle_sms", 4)
            dev.config(throttle_sms=2)
        for wrong in (0, 3, 16, 0xffffffff):
            assert expect("ERR_CONFIG", dev.config, throttle_sms=wrong).value == wrong
        assert dev.config.throttle_sms == 2


def test_sm_that_is_switched_off(device, load):
    """S0-R22, S0-R30: a throttle task whose SMs are all switched off does not stop the others."""
    dev = device(8)
    module = load(dev, "work")
    out = zeros(dev, 10)
    with shared_by(dev, 4):
        with configured(dev, enabled=[1, 2, 3, 5, 6, 7]):
            task = dev.submit(module["count"], grid=(10,), args=[out], throttle=True, priority=1)
            run_good_task(dev, module)
            assert not task.done
        assert task.wait(LONG).ctas == 10
    assert words(out.read()) == [1] * 10


@pytest.mark.parametrize("sms, factor", [(1, 1), (3, 2)])
def test_other_numbers_of_sms(device, load, sms, factor):
    """S0-R22: what is left over after whole shares takes no part; one SM is a share of its own."""
    dev = device(sms)
    assert dev.config.throttle_sms == min(2, sms)
    with shared_by(dev, factor) as most, tracing(dev) as traced:
        task, wrong = three(dev, load(dev, "shared"), factor * most, 10, throttle=True)
        task.wait(LONG)
    assert {bar.sm for bar in ctas_of(traced.result, task.tag)} == {0}
    assert words(wrong.read()) == [0]
