# SPDX-License-Identifier: Apache-2.0
"""What a run says, in figures."""

from typing import List, NamedTuple, Sequence, Tuple

from .player import Played
from .workload import Task


class Figures(NamedTuple):
    """makespan_ms: from the first task's post to the last CTA's end. wait_*: from a task's post to its first CTA's start;
    half, 95 % and 99 % of the tasks wait no longer. fairness: Jain's index of the tasks' speeds, 1 when each is slowed
    down as much as any other. busy: share of the lanes that ran CTAs. blocks: basic blocks of the control processor for a
    CTA."""
    workload: str
    policy: str
    makespan_ms: float
    wait_50_ms: float
    wait_95_ms: float
    wait_99_ms: float
    mean_ms: float
    fairness: float
    busy: float
    evictions: int
    packets: int
    blocks: float


def percentile(sorted_values: Sequence[float], percent: float) -> float:
    """The smallest value that is no smaller than so many percent of all."""
    return sorted_values[max(0, -int(-len(sorted_values) * percent // 100) - 1)]


def jain(values: Sequence[float]) -> float:
    """(sum)² / (n · sum of squares): 1 when all are equal, 1/n when one has all."""
    squares = sum(value * value for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else 1.0


def alone_ns(task: Task, lanes: int) -> float:
    """No device of that many lanes runs a task in less."""
    return max(max(task.cta_ns), task.work_ns() / lanes)


def waits_ms(played: Played) -> List[float]:
    """Of each task, in ms, the shortest first."""
    return sorted((first - task.at_ns) / 1e6 for task, (first, _last) in zip(played.workload.tasks, played.spans))


def late_us(played: Sequence[Played]) -> Tuple[float, float]:
    """How late a device took the tasks of some runs: half of them no later than the first number, the latest the second, in µs of
    the workloads."""
    late = sorted(ns / 1e3 for one in played for ns in one.late)
    return percentile(late, 50), late[-1]


def figures_of(played: Played) -> Figures:
    """The figures of a run."""
    tasks, machine = played.workload.tasks, played.machine
    lanes = machine.sms * machine.lanes
    waits = waits_ms(played)
    makespan = max(last for _first, last in played.spans) - tasks[0].at_ns
    times = [last - task.at_ns for task, (_first, last) in zip(tasks, played.spans)]
    speeds = [alone_ns(task, lanes) / time for task, time in zip(tasks, times)]
    return Figures(played.workload.name, played.policy.name, makespan / 1e6, percentile(waits, 50), percentile(waits, 95),
                   percentile(waits, 99), sum(times) / len(times) / 1e6, jain(speeds), played.busy_ns / (makespan * lanes),
                   played.evictions, played.packets, played.blocks / played.ctas)
