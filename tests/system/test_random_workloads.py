# SPDX-License-Identifier: Apache-2.0
"""Many small random workloads with all that the scheduler knows, checked against the trace."""
import random

import pytest

from support import LONG, Held, configured
from workload import Workload, ctas_of, launches_of, meet, overlaps, tracing

# SMs: workloads of each number
WORKLOADS = {1: 150, 3: 120, 8: 120, 32: 60}
# Tasks of a workload, CTAs of the largest: they fit into the trace.
SIZES = ((4, 30), (12, 30), (25, 20), (45, 4))


def check_once(trace, job, status):
    """Each CTA was launched once and ran once; of a cancelled task none twice."""
    launched = [event.cta + place for event in launches_of(trace, job.tag)
                for place in range(event.extra)]
    ran = [bar.cta for bar in ctas_of(trace, job.tag)]
    assert len(set(launched)) == len(launched) and len(set(ran)) == len(ran)
    assert set(ran) <= set(launched)
    if status == "OK":
        ctas = len(launched) if job.options["ctas"] is None else job.options["ctas"]
        assert sorted(ran) == sorted(launched) == list(range(ctas))
        assert job.task.poll().ctas == ctas


def check_rules(trace, job, throttle_sms):
    """Where and how its CTAs ran."""
    options, bars = job.options, ctas_of(trace, job.tag)
    sms = {bar.sm for bar in bars} | {event.sm for event in launches_of(trace, job.tag)}
    if options["sequential"]:
        assert not overlaps(bars)
        assert [bar.cta for bar in bars] == sorted(bar.cta for bar in bars)
        assert all(event.extra == 1 for event in launches_of(trace, job.tag))
    if "affinity" in options:
        assert sms <= set(options["affinity"])
    if options["throttle"]:
        assert all(sm % throttle_sms == 0 for sm in sms)


def check_after(trace, job):
    """Its CTAs came after all those of the tasks that it waits for."""
    bars = ctas_of(trace, job.tag)
    ends = [bar.end for before in job.after for bar in ctas_of(trace, before.tag)]
    if bars and ends:
        assert min(bar.start for bar in bars) >= max(ends)


def check_end(trace, job, status):
    """It was accepted once and completed once; one that comes too late after one that failed is
    refused."""
    kinds = [event.type for event in trace.events if event.tag == job.tag]
    assert kinds.count("TASK") == kinds.count("ACCEPT")
    assert kinds.count("TASK") == 1 or (kinds == [] and status == "ERR_DEPENDENCY")


def check_trace(trace, workload, statuses, throttle_sms):
    """All that must hold for every workload."""
    bars = [[], []]
    for job in workload.jobs:
        check_end(trace, job, statuses[job.tag])
        check_once(trace, job, statuses[job.tag])
        check_rules(trace, job, throttle_sms)
        check_after(trace, job)
        bars[job.options["throttle"]] += ctas_of(trace, job.tag)
    assert not meet(*bars), "throttle tasks together with others"


@pytest.mark.parametrize("sms", WORKLOADS)
def test_random_workloads(device, load, seed, sms):
    """S0-R04, S0-R05, S0-R10, S0-R12, S0-R13, S0-R20 to S0-R26, S0-R28, S0-R30 to S0-R35, S0-C1,
    S0-C5 to S0-C12: grids and queues with priorities, head, modes, needs, sequence, quota,
    affinity, throttle, dependences, suspending and cancelling: each CTA once, where and when its
    rules allow it; nothing fails that should not; each completes once."""
    dev = device(sms)
    modules = load(dev, "work"), load(dev, "queue")
    factors = [factor for factor in (1, 2, 4) if factor <= sms]
    for number in range(WORKLOADS[sms]):
        one = seed.getrandbits(32)
        rng = random.Random(one)
        settings = {"throttle_sms": rng.choice(factors),
                    "floor_per_mille": rng.choice((0, 0, 100, 500)),
                    "mode": rng.choice(("balance", "round-robin"))}
        tasks, largest = rng.choice(SIZES)
        workload = Workload(dev, modules, rng, largest)
        gate = dev.info.sms * dev.info.sm_ctas if sms < 32 and rng.random() < 0.5 else 1
        try:
            with configured(dev, **settings), tracing(dev) as traced:
                with Held(dev, modules[0], gate, priority=1):  # Behind a full device they gather.
                    workload.post(tasks)
                statuses = workload.wait(LONG)
            workload.check(statuses)
            check_trace(traced.result, workload, statuses, settings["throttle_sms"])
        except BaseException:
            print(f"workload {number}, seed {one}, {settings}")
            raise
