# SPDX-License-Identifier: Apache-2.0
"""Nothing to do costs nothing."""
import os
import time

import pytest

from support import LONG

PAUSE_S = 5.0
LOOK_S = 3.0  # longer than a quarter of CONFIG.watch_ms, after which the watchdog looks once more at SMs that had work
MOST_CPU = 0.10  # of a core; what is measured is printed


def cpu_seconds(pid):
    """User and system time of a process."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def settled(dev):
    """The counters, once they stand still: the machine may be slow to let all harts come to rest."""
    deadline = time.monotonic() + LONG
    before = None
    while before != (before := counters(dev)):
        assert time.monotonic() < deadline, "the counters do not come to rest"
        time.sleep(LOOK_S)
    return before


def counters(dev):
    """All that would move if the device did something."""
    stat = dev.stat()
    return ([stat[name] for name in ("passes", "sleeps", "interrupts", "commands", "packets",
                                     "reports", "assignments", "acks")],
            dev.regs.cap.heartbeat.read(),
            [state.health.read() for state in dev.regs.sm_state])


@pytest.mark.parametrize("sms", [8, 64])
def test_idle_device_sleeps(device, load, sms):
    """S0-R15: all harts are in wfi: no counter moves and QEMU takes no CPU time, before and after work."""
    dev = device(sms)
    out = dev.buffer(bytes(4 * 1000))
    dev.submit(load(dev, "work")["count"], grid=(1000,), block=(32,), args=[out]).wait(60)
    dev.nop()
    before, cpu = settled(dev), cpu_seconds(dev.qemu_pid)
    assert before[0][0] == before[1]  # The heartbeat counts passes: the first one moves it, too.
    time.sleep(PAUSE_S)
    used = (cpu_seconds(dev.qemu_pid) - cpu) / PAUSE_S
    print(f"idle, {sms} SMs: {100 * used:.2f} % of one core over {PAUSE_S:.0f} s")
    assert counters(dev) == before
    assert used < MOST_CPU


def test_doorbell_without_news(device):
    """S0-R15: a bell without a command wakes the CP for a pass or two, not for good."""
    dev = device(8)
    before = dev.stat()
    for _bell in range(10):
        dev.doorbell()
        dev.alive(timeout=60)
    settled(dev)
    passes = dev.stat()["passes"] - before["passes"]
    assert dev.stat()["commands"] == before["commands"]
    assert 1 <= passes <= 100
