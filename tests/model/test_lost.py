# SPDX-License-Identifier: Apache-2.0
"""SMs that are lost and come back; CTAs that run again."""
from workloads import workloads


@workloads(900)
def test_retries(steps):
    """S0-R13, S0-R26: CTAs of lost SMs run again on others, each as often as its task says; kernels that are guilty are stopped."""
    steps("retry", "resume")


@workloads(900)
def test_retries_with_others(steps):
    """S0-R23, S0-R24: sequences, quotas, failures, suspended tasks, and SMs that are disabled."""
    steps("retry", "resume", "sequence", "quota", "failure", "control", "channels", "config")
