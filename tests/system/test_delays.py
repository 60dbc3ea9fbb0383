# SPDX-License-Identifier: Apache-2.0
"""Delays on purpose: harts are held up at random where they meet (qemu/plugin/delay.c). Tasks come one at a time and nothing
heals what gets lost: no later bell of another SM, no watchdog. So a wake-up that is lost holds up the device for good."""
import os

import pytest

import ganger
from conftest import delays
from support import LONG, words, zeros

# Rounds of a test; the environment takes them to a million waves.
ROUNDS = int(os.environ.get("GANGER_ROUNDS", "300"))


@pytest.fixture(params=[1, 3, 8])
def dev(fresh, request, seed):
    """A device without a watchdog."""
    dev = fresh(request.param, plugin=delays(seed.getrandbits(32) | 1))
    dev.config(watch_ms=0)
    return dev


def post(dev, load, seed, out):
    """A task whose CTAs count themselves in `out`, or one that needs a whole SM, and opens waves: the task, how many CTAs it has,
    and what each counts."""
    sms = dev.info.sms
    if seed.random() < 0.2:
        whole = ganger.local(dev.info.sm_shared_bytes)
        return dev.submit(load(dev, "shared")["hide"], block=1, args=[1, whole, 0]), 1, 0
    grid, keywords = seed.choice((1, 2, sms, 2 * sms + 1, 9 * sms)), {"mode": seed.choice(("balance", "balance", "pull"))}
    if grid == sms and seed.random() < 0.5:
        keywords = {"cluster": grid, "cluster_in": "gpu"}
    return dev.submit(load(dev, "work")["count"], grid=grid, block=1, args=[out], **keywords), grid, 1


def test_rounds(dev, load, seed):
    """S0-R31, S0-R34, S4-R39, S4-R49: single CTAs, grids, waves, CGAs and PULL grids, alone or a few, until all have ended."""
    before, outs = dev.stat(), [zeros(dev, 9 * dev.info.sms) for _ in range(3)]
    for _ in range(ROUNDS):
        posted = [(*post(dev, load, seed, out), out) for out in outs[:seed.choice((1, 1, 2, 3, 3))]]
        for task, grid, each, out in posted:
            done = task.wait(LONG)
            assert done.ctas == grid and words(out.read(4 * grid)) == [each] * grid
            times = done.times
            assert times.posted <= times.ready <= times.first <= times.last <= times.done
            out.write(bytes(4 * grid))
    after = dev.stat()
    assert dev.info.sms < 8 or after["waves"] > before["waves"]


def test_barriers(dev, load, seed):
    """S1-R136, S1-Q20: CGAs whose members meet, one of which ends early."""
    members = 4 * dev.info.sms
    for _ in range(ROUNDS // 10):
        done = zeros(dev, 2)
        dev.submit(load(dev, "cluster")["halves"], grid=members, block=1, cluster=members, cluster_in="gpu",
                   args=[done, 10, seed.randrange(members)]).wait(LONG)
        assert words(done.read()) == [10 * members - 1, 0]
        done.free()


def test_children(dev, load):
    """S0-R07: a parent that waits for what only its child does."""
    if dev.info.sms * dev.info.sm_ctas < 2:
        pytest.skip("parent and child need two places")
    for _ in range(ROUNDS // 3):
        out, status = zeros(dev, 1), zeros(dev, 1)
        with dev.template(load(dev, "children")["child"], args=[out, 0]) as child:
            dev.submit(load(dev, "children")["launch_and_wait"], args=[child, out, status]).wait(LONG)
        assert words(out.read()) == [1] and words(status.read()) == [0]
