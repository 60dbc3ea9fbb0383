# SPDX-License-Identifier: Apache-2.0
"""Queue tasks: pushes, coalescing, closing."""
from workloads import workloads


@workloads(900)
def test_queues(steps):
    """S0-R05, S0-R06, S0-C3, S0-C4: pushes while CTAs run; full, closed and unknown queues."""
    steps("queue", "time")


@workloads(900)
def test_queues_with_others(steps):
    """S0-R05, S0-R13, S0-R24: queues among grids, with failures, quotas and CTAs that push."""
    steps("queue", "time", "quota", "sequence", "failure", "requests")
