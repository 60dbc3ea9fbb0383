# SPDX-License-Identifier: Apache-2.0
"""An urgent task behind kernels that never end, on every SM.

GANGER_URGENT=1000 does it so often; `make soak` does that. Time is that of the device, which counts instructions here, so that it
does not matter how busy this machine is.
"""
import os

import pytest

from support import LONG, expect, until, words, zeros
from test_time_limits import LOOP

TIMES = int(os.environ.get("GANGER_URGENT", "6"))
SMS = 4
LIMIT_MS = 2


@pytest.mark.parametrize("block", [1, 1024])
def test_behind_endless_kernels(fresh, load, seed, block):
    """S0-R10, S0-R13, S3-Q13: SMs are full of CTAs that never end, small ones or large ones, and as many wait: an
    urgent task's first CTA starts at the latest when the first of them has had its time limit, and a millisecond. CTAs that share an
    SM take turns, and a limit is of a CTA's own time."""
    dev = fresh(SMS, icount=True)
    endless, count = load(dev, "isolation")["endless"], load(dev, "work")["count"]
    each = min(dev.info.sm_ctas, 32 * dev.info.sm_warps // block)
    counts, waits = zeros(dev, 1), []
    for _time in range(TIMES):
        tasks = dev.submit_many([dev.work(endless, args=[LOOP, 0, 0], block=block, time_limit_ms=LIMIT_MS, priority=9,
                                          channel=seed.randrange(4), affinity=[number % SMS]) for number in range(2 * each * SMS)], timeout=LONG)
        until(lambda: dev.query("DEVICE", LONG) == each * SMS or tasks[0].done, "all SMs are full")  # pylint: disable=cell-var-from-loop
        done = dev.submit(count, args=[counts], block=block, priority=1, channel=5, timeout=LONG).wait(LONG)
        waits.append(1000 * done.times.wait)
        for task in tasks:
            expect("ERR_TIME_LIMIT", task.wait, LONG)
    print(f"{each} CTAs on each SM, {TIMES} times: the urgent task waited {min(waits):.3f} to {max(waits):.3f} ms of the device")
    assert words(counts.read()) == [TIMES]
    assert max(waits) <= each * LIMIT_MS + 1
