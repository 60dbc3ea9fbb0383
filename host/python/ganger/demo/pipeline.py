# SPDX-License-Identifier: Apache-2.0
"""The demo's tasks: what each runs, and whether its result is right."""

import array
import random
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from .. import Buffer, Device, Done, Kernel, Task
from ..pictures import Picture
from . import reference

TILE = 16
ROWS, COLUMNS, INNER = 200, 152, 168  # No multiples of the kernels' tile.


class Step(NamedTuple):
    """A task. check: number of wrong elements in the bytes of its result."""
    name: str
    kernel: Kernel
    grid: tuple
    block: tuple
    args: List[Any]
    priority: int
    channel: int
    result: Buffer
    check: Callable[[bytes], int]


class Outcome(NamedTuple):
    """A step that ran: its completion, its result, elements that are wrong, instructions of the
    control processor where it ran alone and they were counted."""
    done: Done
    data: bytes
    wrong: int
    instructions: Optional[int] = None


def differences(found, expected) -> int:
    """Places where two sequences differ; a different length counts, too."""
    return sum(1 for one, other in zip(found, expected) if one != other) \
        + abs(len(found) - len(expected))


def _tiles(*sizes: int) -> tuple:
    return tuple(-(-size // TILE) for size in sizes)


class Pipeline:
    """All steps with their memory in a device: `steps` by name, in the order of the pipeline."""

    def __init__(self, device: Device, kernels: Path, picture: Picture):
        self.device = device
        self.picture = picture
        self.steps: Dict[str, Step] = {}
        self._kernels = kernels
        self._random = random.Random(2024)
        self._add_picture_steps()
        self._add_matrix_steps()

    def _kernel(self, name: str) -> Kernel:
        return self.device.load(self._kernels / f"{name}.elf")[name]

    def _add(self, name: str, grid: tuple, block: tuple, args: List[Any], result: Buffer,
             urgency: tuple, check: Callable[[bytes], int]) -> None:
        self.steps[name] = Step(name, self._kernel(name), grid, block, args, *urgency, result,
                                check)

    def _add_picture_steps(self) -> None:
        width, height, pixels = self.picture
        blurred = reference.blurred(self.picture)
        edges = reference.edges(Picture(width, height, blurred))
        counts = reference.histogram(pixels)
        source, soft, hard = (self.device.buffer(pixels), self.device.buffer(nbytes=len(pixels)),
                              self.device.buffer(nbytes=len(pixels)))
        bins = self.device.buffer(nbytes=4 * 256)
        grid, block = _tiles(width, height), (TILE, TILE)
        self._add("blur", grid, block, [source, soft, width, height], soft, (3, 0),
                  lambda data: differences(data, blurred))
        self._add("sobel", grid, block, [soft, hard, width, height], hard, (1, 0),
                  lambda data: differences(data, edges))
        self._add("histogram", (16,), (128,), [source, bins, len(pixels)], bins, (6, 1),
                  lambda data: differences(array.array("I", data), counts))

    def _matrices(self, code: str, number: Callable[[], Any]) -> tuple:
        left = array.array(code, (number() for _ in range(ROWS * INNER)))
        right = array.array(code, (number() for _ in range(INNER * COLUMNS)))
        result = self.device.buffer(nbytes=4 * ROWS * COLUMNS)
        args = [self.device.buffer(left), self.device.buffer(right), result, ROWS, COLUMNS, INNER]
        return left, right, result, args

    def _add_matrix_steps(self) -> None:
        grid, block = _tiles(COLUMNS, ROWS), (TILE, TILE)
        left, right, result, args = self._matrices("I", lambda: self._random.getrandbits(32))
        product = reference.product_u32(left, right, INNER, COLUMNS)
        self._add("matmul_i32", grid, block, args, result, (8, 2),
                  lambda data: differences(array.array("I", data), product))
        fleft, fright, fresult, fargs = self._matrices("f", lambda: self._random.uniform(-1, 1))
        self._add("matmul_f32", grid, block, fargs, fresult, (9, 3),
                  lambda data: reference.product_errors(array.array("f", data), fleft, fright,
                                                        INNER, COLUMNS))

    def clear(self) -> None:
        """Makes every result wrong: zeros for the histogram, which adds to it, ones elsewhere."""
        for step in self.steps.values():
            fill = b"\0" if step.name == "histogram" else b"\xff"
            step.result.write(fill * len(step.result))

    def _post(self, step: Step) -> Task:
        return self.device.submit(step.kernel, grid=step.grid, block=step.block, args=step.args,
                                  priority=step.priority, channel=step.channel)

    def _outcome(self, step: Step, task: Task, instructions: Optional[int] = None) -> Outcome:
        done = task.wait(60)
        data = step.result.read()
        return Outcome(done, data, step.check(data), instructions)

    def run_together(self) -> Dict[str, Outcome]:
        """All at once: the least urgent first, so that the urgent ones have to overtake; the Sobel
        task follows when the blurred picture is there."""
        self.clear()
        order = sorted(self.steps.values(), key=lambda step: -step.priority)
        tasks = {step.name: self._post(step) for step in order if step.name != "sobel"}
        tasks["blur"].wait(60)
        tasks["sobel"] = self._post(self.steps["sobel"])
        for task in tasks.values():
            task.wait(60)
        return {name: self._outcome(step, tasks[name]) for name, step in self.steps.items()}

    def run_alone(self) -> Dict[str, Outcome]:
        """One after the other on the idle device, with the control processor's instructions."""
        self.clear()
        outcomes = {}
        for name, step in self.steps.items():
            before = self._instructions()
            task = self._post(step)
            task.wait(60)
            after = self._instructions()
            spent = None if before is None else after - before
            outcomes[name] = self._outcome(step, task, spent)
        return outcomes

    def _instructions(self) -> Optional[int]:
        counter = self.device.counter
        return None if counter is None else counter.settled()[0]
