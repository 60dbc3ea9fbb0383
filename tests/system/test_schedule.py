# SPDX-License-Identifier: Apache-2.0
"""Which SM gets the next CTA: load balancing, round robin, resources."""
import pytest

from support import LONG, Held, configured, until, words, zeros


def spread(sms, ctas):
    """CTAs per SM when each next one goes to the emptiest, the first of equals."""
    return [ctas // sms + (sm < ctas % sms) for sm in range(sms)]


@pytest.mark.parametrize("sms, ctas", [(8, 1), (8, 7), (8, 12), (8, 64), (2, 5), (64, 100)])
def test_load_balancing(device, load, sms, ctas):
    """S0-R31, S0-C1, S0-R30, S3-R52, S3-C4: on an idle device CTAs go to the emptiest SM, ties to the first of the list."""
    dev = device(sms)
    with Held(dev, load(dev, "work"), ctas) as held:
        held.await_started()
        assert held.per_sm() == spread(sms, ctas)


def test_balance_counts_what_is_there(device, load):
    """S0-R31: a second task goes where the first one left most room."""
    dev = device(8)
    module = load(dev, "work")
    with Held(dev, module, 12) as first:
        first.await_started()
        with Held(dev, module, 6) as second:
            second.await_started()
            assert second.per_sm() == [1, 1, 0, 0, 1, 1, 1, 1]


def test_priority_list_of_sms(device, load):
    """S0-R31: a programmed list decides ties."""
    dev = device(8)
    with configured(dev, rank=[5, 2, 7, 0, 1, 3, 4, 6]):
        with Held(dev, load(dev, "work"), 3) as held:
            held.await_started()
            assert sorted(held.sms()) == [2, 5, 7]
        with Held(dev, load(dev, "work"), 11) as held:
            held.await_started()
            assert held.per_sm() == [2 if sm in (5, 2, 7) else 1 for sm in range(8)]
    with Held(dev, load(dev, "work"), 3) as held:
        held.await_started()
        assert sorted(held.sms()) == [0, 1, 2]


@pytest.mark.parametrize("mode", ["balance", "pull"])
def test_never_over_committed(device, load, mode):
    """S0-R35, S0-R34: a full device starts nothing more (defect 1 took every slot), and goes on when there is room."""
    dev = device(8)
    most = 8 * dev.info.sm_ctas
    with Held(dev, load(dev, "work"), most + 30, mode=mode) as held:
        held.await_started(most)
        for _look in range(20):
            dev.nop()
            assert all(state.resident.read() <= dev.info.sm_ctas for state in dev.regs.sm_state)
        assert held.started() == most and dev.query("DEVICE") == most
    done = held.task.wait(LONG)
    assert done.ctas == most + 30 and (mode == "pull" or done.not_issued["sm"] > 0)


def test_warps_are_a_resource(device, load):
    """S0-R31, S0-R35, S0-R41: 1,024 threads take half of an SM's warps; small CTAs go where warps are left."""
    dev = device(2)
    module = load(dev, "work")
    with Held(dev, module, 3, block=(1024,)) as large:
        large.await_started()
        assert large.per_sm() == [2, 1]
        with Held(dev, module, 5) as small:
            small.await_started()
            assert small.per_sm() == [0, 5]


def test_round_robin(device, load):
    """S0-R32: the next SM in turn, from where the last task stopped."""
    dev = device(8)
    module = load(dev, "work")
    sms, started = [], 0
    for ctas in (5, 6, 3, 8):
        with Held(dev, module, ctas, mode="round-robin") as held:
            held.await_started()
            sms += held.sms()
        started += ctas
    assert sms == [(sms[0] + step) % 8 for step in range(started)]


def test_round_robin_skips_a_full_sm(device, load):
    """S0-R32, S0-R30: an SM without room is not eligible."""
    dev = device(2)
    module = load(dev, "work")
    with Held(dev, module, 15, mode="round-robin") as first:
        first.await_started()
        with Held(dev, module, 1, mode="round-robin") as second:
            second.await_started()
            assert sorted(first.sms() + second.sms()) == [0] * 8 + [1] * 8


def test_mode_of_the_device(device, load):
    """S0-R33: one mode bit, changed at run time, for tasks that name no mode."""
    dev = device(8)
    module = load(dev, "work")
    with Held(dev, module, 2, mode="round-robin") as held:  # moves the turn on
        held.await_started()
        last = held.sms()[1]
    with configured(dev, mode="round-robin"), Held(dev, module, 3, mode="device") as held:
        held.await_started()
        assert held.sms() == [(last + step) % 8 for step in (1, 2, 3)]
    with Held(dev, module, 3, mode="device") as held:
        held.await_started()
        assert sorted(held.sms()) == [0, 1, 2]


def test_enabled_sms(device, load):
    """S0-R30, S3-R64: SMs that are switched off at run time get nothing; back on they do."""
    dev = device(8)
    module = load(dev, "work")
    with configured(dev, enabled=[2, 5]), Held(dev, module, 20) as held:
        held.await_started(16)
        dev.nop()
        assert held.started() == 16
        dev.config(enabled=[1, 2, 5])
        held.await_started()
        found = held.sms()
        assert {sm: found.count(sm) for sm in set(found)} == {1: 4, 2: 8, 5: 8}
    with Held(dev, module, 8) as held:
        held.await_started()
        assert held.per_sm() == [1] * 8


def test_switching_off_a_busy_sm(device, load):
    """S0-R30: what runs on an SM that is switched off ends well."""
    dev = device(2)
    with Held(dev, load(dev, "work"), 30) as held:
        held.await_started(16)
        with configured(dev, enabled=[0]):
            held.release()
            until(lambda: held.task.done, "task ends")
    assert held.task.wait(LONG).ctas == 30


def test_no_cta_moves(device, load):
    """S3-R111, S3-R61, S3-R63, S3-R65, S3-C14: a CTA ends where it began: per SM as many end as began there."""
    dev = device(8)
    before = [state.ctas.read() for state in dev.regs.sm_state]
    with Held(dev, load(dev, "work"), 100) as held:
        held.await_started(64)
    held.task.wait(LONG)
    after = [state.ctas.read() for state in dev.regs.sm_state]
    assert [new - old for old, new in zip(before, after)] == held.per_sm()


def test_tasks_of_different_needs(device, load, seed):
    """S0-R31, S0-R28, S0-R35: many tasks of different needs at once leave an SM as it was (see the check after each test)."""
    dev = device(8)
    module = load(dev, "work")
    tasks, outs = [], []
    for _task in range(100):
        ctas, threads = seed.randint(1, 200), seed.choice((1, 32, 33, 100, 500, 1024))
        outs.append(zeros(dev, ctas))
        tasks.append(dev.submit(module["count"], grid=(ctas,), block=(threads,), args=[outs[-1]],
                                mode=seed.choice(("balance", "round-robin"))))
    for task, out in zip(tasks, outs):
        assert task.wait(LONG).ctas == len(out) // 4
        assert words(out.read()) == [1] * (len(out) // 4)
