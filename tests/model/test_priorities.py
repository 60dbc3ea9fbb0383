# SPDX-License-Identifier: Apache-2.0
"""Priorities, insertion, eviction, both ways of choosing an SM, failure."""
from workloads import workloads


@workloads(600)
def test_grids(steps):
    """S0-R10, S0-R12, S0-R13, S0-R26, S0-C1, S0-C6, S0-C7, S0-C8: tasks of many priorities, more
    than the table has slots; those evicted go on where they stopped."""
    steps("resume")


@workloads(600)
def test_failures(steps):
    """S0-R20, S0-R15: the first error of a CTA ends its task, and nothing else."""
    steps("failure")


@workloads(600)
def test_configured(steps):
    """S0-R31, S0-R32, S0-R33, S0-R14: modes, SM priority lists and SMs are switched while tasks
    of many channels run."""
    steps("config", "failure", "channels")
