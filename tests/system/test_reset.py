# SPDX-License-Identifier: Apache-2.0
"""RESET_SM: an SM is stopped, what it runs ends, and it comes back; or it is written off."""
import struct

import pytest

import ganger
from support import LONG, Held, configured, expect, flag_at, run_good_task, until, words, zeros

SMS = 8
VICTIM = 3
SLICE_AT = 20  # byte of sm_boot.slice_ticks (firmware/sm/sm_boot.h)
ANSWER_MS = 300
ITEMS = 100_000
STORE = 0  # deed of kernels/faults.c


@pytest.fixture
def dev(device):
    """The device that most tests share."""
    return device(SMS)


def everywhere(dev, load):
    """CTAs are started on all SMs, as many as each can hold."""
    with Held(dev, load(dev, "work"), dev.info.sms * dev.info.sm_ctas) as held:
        held.await_started()
        assert held.per_sm() == [dev.info.sm_ctas] * dev.info.sms


def test_idle_sms(dev, load):
    """S1-R100, S0-R31: each SM in turn goes through its boot path, and takes CTAs as before."""
    before = dev.stat()
    for sm in range(SMS):
        dev.sm_reset(sm)
        run_good_task(dev, load(dev, "work"))
    everywhere(dev, load)
    stat = dev.stat()
    assert [stat[name] - before[name] for name in ("sms_back", "sms_lost", "tasks_failed")] == [SMS, SMS, 0]


def test_what_it_runs_ends(dev, load):
    """S1-R100: the tasks with CTAs on the SM end with ERR_SM_LOST, also an endless kernel; others go on."""
    counts = zeros(dev, 1)
    here = [dev.submit(load(dev, "work")["forever"], args=[counts, 0], affinity=[VICTIM]),
            Held(dev, load(dev, "work"), 5, affinity=[VICTIM])]
    here[1].await_started()
    with Held(dev, load(dev, "work"), 4, affinity=[0, 1]) as other:
        other.await_started()
        dev.sm_reset(VICTIM)
        for task in (here[0], here[1].task):
            expect("ERR_SM_LOST", task.wait, LONG)
    everywhere(dev, load)


def test_many_times(dev, load):
    """S1-R100: what is counted between the control processor and an SM begins anew each time."""
    counts = zeros(dev, 400)
    for _round in range(10):
        dev.submit(load(dev, "work")["count"], grid=400, args=[counts], affinity=[VICTIM]).wait(LONG)
        dev.sm_reset(VICTIM)
    assert words(counts.read()) == [10] * 400


def test_a_wave(dev, load):
    """S0-R34: of a wave whose other CTAs have all ended, an SM is reset that has ended its own, then one that has not."""
    counts = zeros(dev, 2 * SMS)
    task = dev.submit(load(dev, "work")["forever"], grid=2 * SMS, block=1, args=[counts, 0])
    until(lambda: sum(words(counts.read())) == 2 * SMS - 1, "all but one")
    dev.sm_reset(SMS - 1)
    assert not task.done
    dev.sm_reset(0)
    assert expect("ERR_SM_LOST", task.wait, LONG).done.ctas >= 2 * SMS - 2
    everywhere(dev, load)


def test_memory_is_cleared(dev, load):
    """S3-R72: what was in the memory of an SM is not there for the same context after the reset."""
    module, nbytes = load(dev, "shared"), dev.info.sm_shared_bytes // 2
    found = zeros(dev, 1)

    def seek():
        dev.submit(module["seek"], args=[0x5ec2e7, ganger.local(nbytes), nbytes // 4, found],
                   affinity=[VICTIM]).wait(LONG)
        return flag_at(found, 0)

    dev.submit(module["hide"], args=[0x5ec2e7, ganger.local(nbytes), nbytes // 4], affinity=[VICTIM]).wait(LONG)
    assert seek() == nbytes // 4
    dev.sm_reset(VICTIM)
    assert seek() == nbytes // 4


def test_faults_keep_their_numbers(dev, load):
    """S3-R121: records of faults before and after a reset are told apart."""
    kernel, counts = load(dev, "faults")["fault"], zeros(dev, 1)
    numbers = []
    for _round in range(3):
        task = dev.submit(kernel, args=[counts, STORE, dev.info.ram, 0, 0], affinity=[VICTIM])
        error = expect("ERR_FAULT_ACCESS", task.wait, LONG)
        numbers.append(error.done.fault_sequence)
        dev.sm_reset(VICTIM)
    assert len(set(numbers)) == 3


def test_a_cga(dev, load):
    """S1-Q18, S1-R148: a CGA of which a member is lost ends as a whole, and the same CGA can run again."""
    held = Held(dev, load(dev, "work"), SMS, cluster=SMS, cluster_in="gpu", mode="multicast")
    held.await_started()
    dev.sm_reset(VICTIM)
    expect("ERR_SM_LOST", held.task.wait, LONG)
    with Held(dev, load(dev, "work"), SMS, cluster=SMS, cluster_in="gpu", mode="multicast") as again:
        again.await_started()
        assert again.per_sm() == [1] * SMS


def test_cgas_that_come_meanwhile(dev, load):
    """S1-Q10: CGAs that need all SMs are accepted while one of them is being reset, and run when it is back."""
    for _round in range(10):
        reset = dev.command("RESET_SM", args=(VICTIM, 0, 0, 0))
        tasks = [dev.submit(load(dev, "work")["blank"], grid=SMS, block=1, cluster=SMS, cluster_in="gpu", mode="multicast")
                 for _task in range(3)]
        assert [task.wait(LONG).ctas for task in tasks] == [SMS] * 3
        reset.wait(LONG)
    everywhere(dev, load)


def test_items_of_a_pulled_grid(dev, load):
    """S4-Q5, S4-R102: the items that the SM had in hand are issued again, and it pulls others when it is back."""
    items = 200_000
    # The second SM may lose items of the first once more: they run again only once, unless the task says more.
    for victims, limit in (((VICTIM,), 0), ((VICTIM + 1,), 0), ((VICTIM, VICTIM + 1), 2)):
        counts = zeros(dev, items)
        task = dev.submit(load(dev, "work")["count"], grid=items, args=[counts], mode="pull", chunk=64, retry_limit=limit)
        for victim in victims:
            dev.sm_reset(victim)
        done = task.wait(LONG)
        assert done.ctas == items
        assert set(words(counts.read())) <= set(range(1, len(victims) + 2))
        counts.free()


def test_throttle_mode(dev, load):
    """S0-R22: an SM that has the memory of two has it again when it is back."""
    for _round in range(2):
        held = Held(dev, load(dev, "work"), SMS // 2, throttle=True)
        held.await_started()
        assert held.per_sm() == [1, 0] * (SMS // 2)
        dev.sm_reset(2)
        expect("ERR_SM_LOST", held.task.wait, LONG)
    everywhere(dev, load)


def test_disabled(dev, load):
    """S0-R33: an SM that is disabled stays so over a reset."""
    with configured(dev, enabled=[sm for sm in range(SMS) if sm != VICTIM]):
        dev.sm_reset(VICTIM)
        with Held(dev, load(dev, "work"), 16) as held:
            held.await_started()
            assert held.per_sm()[VICTIM] == 0
    everywhere(dev, load)


@pytest.mark.parametrize("sm", [SMS, 511, 0xffffffff])
def test_wrong_numbers(dev, load, sm):
    """An SM that there is not is refused with field and value."""
    error = expect("ERR_ARGUMENT", dev.sm_reset, sm)
    assert (error.field, error.value) == ("command.argument0", sm)
    run_good_task(dev, load(dev, "work"))


def test_after_a_bug(fresh, load):
    """S1-R100: an SM that has stopped on a bug of its own, here since it finds packets that nobody wrote, comes back. It looks
    for packets whenever it changes from one of its CTAs to the other."""
    dev = fresh(4)
    held = [Held(dev, load(dev, "work"), 1, affinity=[1]) for _task in range(2)]
    for one in held:
        one.await_started()
    put = dev.regs.launch[1].launch_put
    put.write(put.read() + 1000)
    for one in held:
        expect("ERR_SM_LOST", one.task.wait, LONG)
    assert dev.stat()["sms_lost"] == 1
    dev.sm_reset(1)
    everywhere(dev, load)
    assert dev.stat()["sms_lost"] == 1


def hang(dev, load, sm):
    """An SM runs in machine mode, with interrupts off, for minutes: it waits as long as CONFIG says before it takes items,
    and what bounds that is taken away. Returns the task of the items."""
    cap, word = dev.regs.cap.read(), struct.pack("<I", 0xfffffff0)
    dev.write(dev.regs.sm_state[sm].area.read() + SLICE_AT, word)
    dev.write(cap["base"] + cap["config_offset"] + ganger.abi.BLOCKS["config"][1]["latency"][0], word)
    ring, state = dev.regs.launch[sm], dev.regs.sm_state[sm]
    before = ring.launch_put.read()
    task = dev.submit(load(dev, "work")["count"], grid=ITEMS, args=[zeros(dev, ITEMS)], mode="pull", affinity=[sm])
    until(lambda: before != ring.launch_put.read() == state.launch_get.read(), "the SM has its streams")
    return task


def hung(dev, load, sm):
    """The same, and RESET_SM has failed. The request to stop may come before the SM waits; then it is tried again."""
    for _attempt in range(10):
        task = hang(dev, load, sm)
        try:
            dev.sm_reset(sm)
        except ganger.Error as error:
            return task, error
        task.cancel()
        expect("ERR_CANCELLED", task.wait, LONG)
    raise AssertionError("the SM never hung")


def test_written_off(fresh, load):
    """An SM that hears nothing cannot be reset on this machine. The command says so, its tasks end, all
    other SMs go on, and the device can be used. A second try says the same."""
    dev = fresh(4)
    dev.config(answer_ms=ANSWER_MS)
    task, error = hung(dev, load, 1)
    assert (error.status, error.field, error.value) == ("ERR_SM_LOST", "command.argument0", 1)
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    expect("ERR_SM_LOST", dev.sm_reset, 1)
    run_good_task(dev, load(dev, "work"))
    with Held(dev, load(dev, "work"), 3 * dev.info.sm_ctas) as rest:
        rest.await_started()
        assert rest.per_sm() == [dev.info.sm_ctas, 0, dev.info.sm_ctas, dev.info.sm_ctas]
    assert dev.state == "READY" and dev.stat()["unmatched"] == 0
