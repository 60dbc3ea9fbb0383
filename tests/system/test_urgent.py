# SPDX-License-Identifier: Apache-2.0
"""An urgent task behind kernels that never end, on every SM.

GANGER_URGENT=1000 does it so often; `make soak` does that.
"""
import os

import pytest

from support import LONG, expect, words, zeros
from test_time_limits import LOOP

TIMES = int(os.environ.get("GANGER_URGENT", "4"))
MOST = 20 * TIMES  # attempts: at times a CTA has had its limit before the urgent task is there
SMS = 4
LIMIT_MS = 10


@pytest.mark.parametrize("block", [1, 1024])
def test_behind_endless_kernels(device, load, seed, block):
    """S0-R10, S0-R13, S0-R26, S3-Q13: SMs are full of CTAs that never end, small ones or large ones, and as many wait: an urgent task
    has the place of the first that has had its time limit. From its acceptance to its first CTA no CTA of another task starts."""
    dev = device(SMS)
    endless, count = load(dev, "isolation")["endless"], load(dev, "work")["count"]
    each = min(dev.info.sm_ctas, 32 * dev.info.sm_warps // block)
    counts, times, waited = zeros(dev, 1), 0, 0
    while waited < TIMES and times < MOST:
        times += 1
        dev.trace_on(LONG)
        tasks = dev.submit_many([dev.work(endless, grid=each, args=[LOOP, 0, 0], block=block, time_limit_ms=LIMIT_MS, priority=9,
                                          channel=seed.randrange(4), affinity=[number % SMS]) for number in range(2 * SMS)], timeout=LONG)
        urgent = dev.submit(count, args=[counts], block=block, priority=1, channel=5, timeout=LONG)
        urgent.wait(LONG)
        for task in tasks:
            expect("ERR_TIME_LIMIT", task.wait, LONG)
        dev.trace_off(LONG)
        trace = dev.trace()
        assert trace.lost == 0
        accepted, = [one.start for one in trace.of_type("ACCEPT") if one.tag == urgent.tag]
        launches = trace.of_type("LAUNCH")
        first, = [one.start for one in launches if one.tag == urgent.tag]
        assert [one for one in launches if accepted < one.start < first] == []
        waited += sum(one.extra for one in launches if one.start < accepted) == each * SMS
    print(f"{times} times, {waited} of them behind full SMs")
    assert waited == TIMES and words(counts.read()) == [times]
