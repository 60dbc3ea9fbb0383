# SPDX-License-Identifier: Apache-2.0
"""The demo's jobs on a device."""

from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

from .. import Buffer, Device, Done, Task, Work
from .problem import Input, Job, Output

TIMEOUT_S = 120


class Outcome(NamedTuple):
    """A job that ran: its completion, its result, elements that are wrong, instructions of the
    control processor where it ran alone and they were counted."""
    done: Done
    data: bytes
    wrong: int
    instructions: Optional[int] = None


class Pipeline:
    """Jobs with their memory in a device."""

    def __init__(self, device: Device, kernels: Path, jobs: Dict[str, Job]):
        self._device = device
        self._jobs = jobs
        self._results: Dict[str, Buffer] = {}
        self._inputs: Dict[int, Buffer] = {}
        self._works = {name: self._work(name, job, kernels) for name, job in jobs.items()}

    def _argument(self, name: str, argument: Any) -> Any:
        if isinstance(argument, Output):
            self._results[name] = self._device.buffer(nbytes=argument.nbytes)
            return self._results[name]
        if not isinstance(argument, Input):
            return argument
        if argument.of:
            return self._results[argument.of]
        key = id(argument.data)
        if key not in self._inputs:
            self._inputs[key] = self._device.buffer(argument.data)
        return self._inputs[key]

    def _work(self, name: str, job: Job, kernels: Path) -> Work:
        kernel = self._device.load(kernels / f"{job.kernel}.elf")[job.kernel]
        args: List[Any] = [self._argument(name, argument) for argument in job.args]
        return self._device.work(kernel, grid=job.grid, block=job.block, args=args,
                                 priority=job.priority, channel=job.channel)

    def _clear(self) -> None:
        """Makes every result wrong: zeros for the histogram, which adds to it, ones elsewhere."""
        for name, result in self._results.items():
            result.write((b"\0" if name == "histogram" else b"\xff") * len(result))

    def _post(self, name: str) -> Task:
        return self._device.submit_many([self._works[name]])[0]

    def _outcome(self, name: str, task: Task, instructions: Optional[int] = None) -> Outcome:
        done = task.wait(TIMEOUT_S)
        data = self._results[name].read()
        return Outcome(done, data, self._jobs[name].check(data), instructions)

    def run_together(self) -> Dict[str, Outcome]:
        """All at once: the least urgent first, so that the urgent ones have to overtake. Only the
        Sobel job waits on the host, for the blurred picture."""
        self._clear()
        order = sorted(self._jobs, key=lambda name: -self._jobs[name].priority)
        tasks = {name: self._post(name) for name in order if name != "sobel"}
        tasks["blur"].wait(TIMEOUT_S)
        tasks["sobel"] = self._post("sobel")
        for task in tasks.values():
            task.wait(TIMEOUT_S)
        return {name: self._outcome(name, tasks[name]) for name in self._jobs}

    def run_alone(self) -> Dict[str, Outcome]:
        """One after the other on the idle device, with the control processor's instructions."""
        self._clear()
        outcomes = {}
        for name in self._jobs:
            before = self._instructions()
            task = self._post(name)
            task.wait(TIMEOUT_S)
            after = self._instructions()
            spent = None if before is None or after is None else after - before
            outcomes[name] = self._outcome(name, task, spent)
        return outcomes

    def _instructions(self) -> Optional[int]:
        counter = self._device.counter
        return None if counter is None else counter.settled(timeout=TIMEOUT_S)[0]
