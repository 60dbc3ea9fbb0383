# SPDX-License-Identifier: Apache-2.0
"""The firmware of refsoc-lock on 16 SMs without A: under the mutex of the mailbox block they count themselves in waves, and
take the CTAs of PULL grids."""
import pytest
from device_support import words, zeros
from many_support import fixture_device, fixture_machine  # noqa: F401

BOARD, SIM, SMS = "refsoc-lock", "refsoc-sms16", 16


def counted(machine, ctas, **task):
    """Runs each of so many CTAs once. What has changed: waves, those opened, grants by the control processor; of each SM, its
    CTAs and reports."""
    def look():
        stat, states = machine.dev.stat(), machine.dev.regs.sm_state
        return ([stat[name] for name in ("waves", "waves_opened", "pull_grants")],
                [state.ctas.read() for state in states], [state.report_put.read() for state in states])

    counts, before = zeros(machine.dev, ctas), look()
    done = machine.run("count", grid=ctas, args=[counts], **task)
    assert (done.ctas, done.sms) == (ctas, SMS) and words(counts.read()) == [1] * ctas
    return [[new - old for new, old in zip(*pair)] for pair in zip(look(), before)]


@pytest.mark.parametrize("each", [1, 4])
def test_wave(machine, each):
    """S4-R112: 16 SMs count themselves at nearly the same time, none is lost, and nobody reports."""
    for _ in range(4):
        assert counted(machine, each * SMS) == [[1, 0, 0], [each] * SMS, [0] * SMS]


def test_pull(machine):
    """S4-R112: each of 512 CTAs is taken by one SM, the control processor grants none, and nobody reports."""
    change, ran, reports = counted(machine, 512, mode="pull")
    assert (change, reports) == ([1, 0, 0], [0] * SMS)
    assert sum(ran) == 512 and min(ran) > 0


def test_open_wave(machine):
    """A task that lacks room opens a wave: SMs that have not counted themselves report."""
    before = machine.dev.stat()["waves_opened"]
    with machine.held(SMS * machine.dev.info.sm_ctas):
        second = machine.dev.submit(machine.kernel("blank"), grid=SMS)
        machine.sim.until(lambda: machine.dev.stat()["waves_opened"] == before + 1, "the wave is opened")
    assert machine.finish(second).ctas == SMS
