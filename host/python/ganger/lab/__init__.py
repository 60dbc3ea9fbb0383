# SPDX-License-Identifier: Apache-2.0
"""The policy laboratory: workloads, played by the control processor's own files with simulated SMs. docs/POLICIES.md."""

from .figures import Figures, figures_of
from .policies import POLICIES, Policy, find_policy
from .python_policy import Ready
from .player import Machine, Packet, Played, play
from .recorded import read_trace
from .workload import Task, Workload, read_workload, write_workload
from .workloads import WORKLOADS, Scale, make_workload

__all__ = ["Figures", "Machine", "POLICIES", "Packet", "Played", "Policy", "Ready", "Scale", "Task", "WORKLOADS", "Workload", "figures_of",
           "find_policy", "make_workload", "play", "read_trace", "read_workload", "write_workload"]
