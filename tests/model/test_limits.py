# SPDX-License-Identifier: Apache-2.0
"""What limits where and when the CTAs of a task are issued."""
from workloads import workloads


@workloads(700)
def test_quotas(steps):
    """S0-R24, S0-C12: after its quota a task has the others of its priority before it."""
    steps("quota")


@workloads(700)
def test_sequences(steps):
    """S0-R23, S0-C10: a sequential task never has two CTAs in flight."""
    steps("sequence", "failure", "resume")


@workloads(700)
def test_affinities(steps):
    """S0-R25, S0-C11: a task runs on SMs of its mask and its GPCs only; none is an error."""
    steps("affinity", "gpcs", "config")


@workloads(900)
def test_throttle_mode(steps):
    """S0-R22, S0-C5, S0-C9: throttle tasks run with fewer SMs and larger shares, and never with
    others."""
    steps("throttle", "config", "failure")


@workloads(900)
def test_all_limits(steps):
    """S0-R24, S0-R25, S0-R23, S0-R22, S0-R35: all limits at once."""
    steps("quota", "sequence", "affinity", "gpcs", "throttle", "config", "failure", "channels")
