# SPDX-License-Identifier: Apache-2.0
"""SMs that are lost and come back; CTAs that run again, and tasks that fail."""
from workloads import workloads


@workloads(600)
def test_losses(steps):
    """S1-R100, S0-R20: SMs stop, are reset by the host or the watchdog, are written off and come back; tasks with CTAs there fail."""
    steps("loss", "resume")


@workloads(900)
def test_retries(steps):
    """S0-R13, S0-R26: CTAs of lost SMs run again on others, each as often as its task says; kernels that are guilty are stopped."""
    steps("loss", "retry", "resume")


@workloads(600)
def test_guilty_kernels(steps):
    """S1-R100: SMs that stop again and again: the kernel that was on them is stopped, unless it was one of two."""
    steps("loss", "retry", "guilt", "resume")


@workloads(900)
def test_retries_with_others(steps):
    """S0-R23, S0-R24: sequences, quotas, failures, suspended tasks, and SMs that are disabled."""
    steps("loss", "retry", "resume", "sequence", "quota", "failure", "control", "channels", "config")


@workloads(300)
def test_retries_of_items(steps):
    """S0-R05: CTAs of queue tasks that are lost have their items again, and come first."""
    steps("loss", "retry", "queue", "requests", "time", "sequence")


@workloads(600)
def test_losses_in_throttle_mode(steps):
    """S0-R22, S0-R25: throttle tasks and affinities; modes are switched while SMs are out of the device."""
    steps("loss", "retry", "throttle", "affinity", "gpcs", "config", "failure")


@workloads(900)
def test_losses_of_families(steps):
    """S0-R05, S0-R07, S0-R08, S0-R15: queues, children, dependences and all others, with CTAs that are lost and CTAs that run again."""
    steps("loss", "retry", "control", "channels", "failure", "dependence", "null", "queue", "time", "requests",
          "schedule", "quota", "sequence", "affinity", "gpcs", "throttle", "config")
