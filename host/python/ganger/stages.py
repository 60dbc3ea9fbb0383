# SPDX-License-Identifier: Apache-2.0
"""What the control processor executes, by stage: counted by the profiling plugin, with nothing changed in the firmware.

    with ganger.StageProfiler("qemu-virt64") as profiler:
        with ganger.Device.boot("qemu-virt64", plugin=profiler.plugin()) as dev:
            profiler.begin()
            dev.submit(module["blur"], ...).wait()
            for stage in profiler.stages(): print(*stage)

A stage is a room of firmware/cp (docs/DESIGN.md). An instruction belongs to the room whose source file it comes from, also where
the compiler has put it into a function of another room.
"""

import re
import struct
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

from .errors import Error
from .hang import segment
from .places import build_folder
from .profile import CODE_BYTES, Profiler
from .symbols import Places, places_of_all

_ROOM = re.compile(r"firmware/cp/(?:(\w+)/)?\w+\.c$")
STAGES: Dict[str, str] = {
    "loop": "turns of the loop",
    "express": "plain tasks, the short way",
    "host": "commands in",
    "accept": "TMDs become tasks",
    "life": "states of tasks",
    "schedule": "the task table, who is offered what",
    "policy": "which SM, which task",
    "launch": "packets out",
    "wave": "CTAs to many idle SMs at once",
    "pull": "pulled grids",
    "cga": "clusters",
    "graph": "passes of graphs",
    "collect": "what SMs say",
    "finish": "ends of tasks, completions",
    "recover": "SMs that hang, resets",
    "sms": "state of the SMs",
    "task": "data of tasks",
    "base": "the device, counters",
    "start": "start and panic",
    "other": "interrupts, hardware, library",
}


class Stage(NamedTuple):
    """A stage: its room, what it does, and the instructions that the control processor executed there."""
    room: str
    text: str
    instructions: int


class _Image(NamedTuple):
    base: int
    code_bytes: int
    source: str


def _entry(path: Path) -> int:
    """Address of the first instruction of an ELF, where its code begins."""
    head = path.read_bytes()[:32]
    return int(struct.unpack_from("<Q" if head[4] == 2 else "<I", head, 24)[0])


def _room(places: Places) -> str:
    """The room of the innermost function of a source file of the control processor; inline functions of headers are their users'."""
    found = (_ROOM.search(place.file or "") for place in places)
    return next((match[1] or "loop" for match in found if match), "other")


class StageProfiler(Profiler):
    """Counts the control processor of a board from its boot on. Raises Error ERR_IMAGE_MISSING."""

    def __init__(self, board: str = "qemu-virt64", build: Optional[Path] = None):
        super().__init__()
        path = (build or build_folder()) / board / "cp.elf"
        if not path.exists():
            raise Error("ERR_IMAGE_MISSING", "There is no image of the control processor: make it.", "board", str(path))
        self._image = _Image(_entry(path), min(CODE_BYTES, len(segment(str(path)))), str(path))
        self._cover(self._image.base, self._image.code_bytes)
        self._begun = self._counts(0, self._image.code_bytes // 2)

    def begin(self) -> None:
        """What was executed before does not count. Exact while the device is idle."""
        self._begun = self._counts(0, self._image.code_bytes // 2)

    def stages(self) -> List[Stage]:
        """Since begin(), by stage, the most instructions first; stages without any are left out. Exact while the device is idle."""
        counts = self._counts(0, self._image.code_bytes // 2)
        ran = {self._image.base + 2 * place: now - before for place, (now, before) in enumerate(zip(counts, self._begun)) if now != before}
        sums: Dict[str, int] = {}
        for count, places in zip(ran.values(), places_of_all(self._image, list(ran))):
            room = _room(places)
            sums[room] = sums.get(room, 0) + count
        return [Stage(room, STAGES.get(room, ""), count) for room, count in sorted(sums.items(), key=lambda one: -one[1])]
