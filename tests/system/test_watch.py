# SPDX-License-Identifier: Apache-2.0
"""The watchdog: an SM that takes no interrupts is found without anybody asking; one with a long kernel is left alone."""
from support import LONG, Held, expect, run_good_task, until, zeros
from test_reset import ANSWER_MS, hang

SMS = 4
VICTIM = 1
WATCH_MS = 2000  # the other SMs hold nothing, so none of them can be blamed
LONG_MS = 20000  # a busy machine has that long to let an SM take an interrupt


def test_a_hung_sm(fresh, load):
    """The SM is found and written off, since this machine has no reset of one hart. A fault record and the trace
    tell of it; all other SMs go on."""
    dev = fresh(SMS)
    assert "WATCHDOG" in dev.info.features and dev.config.watch_ms == 60000
    dev.config(answer_ms=ANSWER_MS, watch_ms=WATCH_MS, trace=True)
    task = hang(dev, load, VICTIM)
    until(lambda: dev.stat()["sms_lost"] == 1, "the SM is written off")
    stat = dev.stat()
    assert [stat[name] for name in ("sms_hung", "sms_back", "unmatched")] == [1, 0, 0]
    assert [(fault.status, fault.sm, fault.tag) for fault in dev.fault_records()] == [("ERR_SM_LOST", VICTIM, task.tag)]
    found = [event for event in dev.trace().events if event.type == "HUNG"]
    assert [(event.sm, event.tag) for event in found] == [(VICTIM, task.tag)]
    task.cancel()  # its items would be issued again, but no other SM may run them
    expect("ERR_CANCELLED", task.wait, LONG)
    dev.config(watch_ms=0, trace=False)
    run_good_task(dev, load(dev, "work"))
    with Held(dev, load(dev, "work"), 3 * dev.info.sm_ctas) as rest:
        rest.await_started()
        assert rest.per_sm() == [dev.info.sm_ctas, 0, dev.info.sm_ctas, dev.info.sm_ctas]


def test_a_long_kernel(fresh, load):
    """A kernel that runs on and on is asked again and again, and left alone."""
    dev = fresh(1)
    dev.config(watch_ms=LONG_MS)
    task = dev.submit(load(dev, "work")["forever"], args=[zeros(dev, 1), 0])
    health = dev.regs.sm_state[0].health
    until(lambda: dev.query("DEVICE") == 1, "it runs")
    before = health.read()
    until(lambda: health.read() - before >= 4, "it was asked at every other of some looks")
    assert not task.done and dev.stat()["sms_hung"] == 0
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    assert dev.stat()["sms_lost"] == 0
