# SPDX-License-Identifier: Apache-2.0
"""Tasks that wait for others, have children, or are told to go."""
from workloads import workloads


@workloads(900)
def test_dependences(steps):
    """S0-R01, S0-R15: dependents, lists `after`, tasks without CTAs; cycles are refused."""
    steps("dependence", "null", "failure", "channels")


@workloads(900)
def test_children(steps):
    """S0-R07, S0-R08: CTAs launch tasks, of which the host is not told; parents wait for them."""
    steps("requests", "failure", "null", "schedule")


@workloads(900)
def test_continuations(steps):
    """S0-R08, S0-R05: queues, dependences and children together."""
    steps("requests", "queue", "time", "dependence", "schedule", "failure")


@workloads(900)
def test_control(steps):
    """S0-R13, S0-R20: tasks and channels are suspended, resumed, cancelled at any time."""
    steps("control", "channels", "failure", "dependence", "null")


@workloads(900)
def test_everything(steps):
    """S0-R10, S0-R22, S0-R26, S0-R30, S0-R35: all features at once."""
    steps("control", "channels", "failure", "dependence", "null", "queue", "time", "requests",
          "schedule", "quota", "sequence", "affinity", "gpcs", "throttle", "config")
