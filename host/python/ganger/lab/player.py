# SPDX-License-Identifier: Apache-2.0
"""Plays a workload with a policy."""

import subprocess
from pathlib import Path
from typing import List, NamedTuple, Optional, Tuple

from ..errors import Error
from .policies import Policy, build_program, size_for
from .python_policy import converse
from .workload import Workload


class Machine(NamedTuple):
    """The device. lanes: CTAs that an SM runs at full speed, more of them share it; block_ns: time of the control processor
    for a basic block of its program."""
    sms: int = 64
    slots: int = 8
    lanes: int = 4
    block_ns: int = 0


class Packet(NamedTuple):
    """A launch packet: CTAs first to first + ctas - 1 of a task, by its place in the workload, go to an SM."""
    at_ns: int
    sm: int
    task: int
    first: int
    ctas: int


class Played(NamedTuple):
    """What happened. spans: of each task, when its first CTA started and its last one ended, in ns. busy_ns: of all lanes
    together; blocks: basic blocks that the control processor executed; log: all launch packets, if they were asked for; late:
    how long after its time a device took each task, in ns of the workload."""
    workload: Workload
    policy: Policy
    machine: Machine
    spans: List[Tuple[int, int]]
    busy_ns: int
    blocks: int
    packets: int
    evictions: int
    ctas: int
    log: Tuple[Packet, ...] = ()
    late: Tuple[int, ...] = ()


def _check(machine: Machine) -> None:
    for name, most in (("slots", 31), ("lanes", 31), ("block_ns", 1000000)):
        value = getattr(machine, name)
        if not (0 if name == "block_ns" else 1) <= value <= most:
            raise Error("ERR_ARGUMENT", f"The number goes up to {most}.", name, value)


def _input(workload: Workload, policy: Policy, machine: Machine, log: bool) -> str:
    lines = [f"{machine.sms} {machine.slots} {machine.lanes} {policy.mode} {machine.block_ns} {int(log)} {len(workload.tasks)}"]
    lines += [f"{task.at_ns} {task.priority} {task.ctas} {task.threads} {task.shared_bytes} {len(task.cta_ns)} "
              f"{' '.join(map(str, task.cta_ns))}" for task in workload.tasks]
    return "\n".join(lines)


def _run(program: Path, text: str, policy: Policy, timeout: Optional[float]) -> List[str]:
    try:
        if policy.make is not None:
            done = converse(program, text, policy.make, policy.name, timeout)
        else:
            done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=timeout, check=False,
                                  errors="replace")
    except subprocess.TimeoutExpired:
        raise Error("ERR_TIMEOUT", f"{policy.name} takes longer than {timeout:g} s: does a loop of it have no end?",
                    "timeout", timeout) from None
    if done.returncode:
        told = done.stderr.strip() or (f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}")
        raise Error("ERR_INTERNAL", f"{policy.name} cannot play the workload: {told}", "policy", policy.name)
    return done.stdout.splitlines()


def _played(workload: Workload, policy: Policy, machine: Machine, lines: List[str]) -> Played:
    packets = [line for line in lines if line.startswith("packet ")]
    log = tuple(Packet(*map(int, line.split()[1:])) for line in packets)
    *spans, sums = [list(map(int, line.split())) for line in lines[len(packets):]]
    busy_ns, blocks, sent, evictions, ctas = sums
    return Played(workload, policy, machine, [(first, last) for first, last in spans], busy_ns, blocks, sent, evictions, ctas, log)


def play(workload: Workload, policies: List[Policy], machine: Machine = Machine(), timeout: Optional[float] = 600,
         log: bool = False) -> List[Played]:
    """Plays a workload with each policy; log: with all launch packets. Raises Error: ERR_COMPILE, ERR_TIMEOUT; ERR_INTERNAL when a policy breaks a rule of
    the scheduler, or issues nothing; ERR_ARGUMENT when one in Python fails."""
    size, played = size_for(machine.sms), []
    _check(machine)
    for policy in policies:
        lines = _run(build_program(policy, size), _input(workload, policy, machine, log), policy, timeout)
        played.append(_played(workload, policy, machine, lines))
    return played
