# SPDX-License-Identifier: Apache-2.0
"""Tasks that `ganger submit` left on a device: one small file each, beside the device's socket.

A record holds where the results lie in device memory. Whichever command attaches next brings in
what has completed: it writes the result files and marks the record, before it takes memory of
its own. Only one process holds the mailbox at a time, so there is no race.

Beside the records is a list of the kernel ELFs that commands have loaded there, for those who only look at the device.
"""

import contextlib
import json
import os
import shutil
from pathlib import Path
from typing import Dict, Iterator, List, Optional

from .. import files
from ..device import Device
from ..errors import Error
from ..tasks import Done
from ..typed import Json


def folder(path: str) -> Path:
    """Folder with the records of the device at a path."""
    return Path(path + ".jobs")


def clear(path: str) -> None:
    """Forgets all of them: the device is gone."""
    shutil.rmtree(folder(path), ignore_errors=True)


def save(path: str, record: Json) -> None:
    """Writes a record, whole or not at all."""
    place = folder(path)
    place.mkdir(mode=0o700, exist_ok=True)
    files.write(place / f"{record['tag']}.json", json.dumps(record, default=str))


def load(path: str, tag: int) -> Optional[Json]:
    """A record, or None."""
    try:
        found: Json = json.loads((folder(path) / f"{tag}.json").read_text(encoding="utf-8"))
        return found
    except FileNotFoundError:
        return None


def remove(path: str, tag: int) -> None:
    """Forgets one."""
    (folder(path) / f"{tag}.json").unlink(missing_ok=True)


def pending(path: str) -> List[Json]:
    """Records of tasks that have not completed, by tag."""
    records = [load(path, int(name.stem)) for name in folder(path).glob("*.json")]
    return sorted((record for record in records if record and record["done"] is None),
                  key=lambda record: record["tag"])


def note_elf(path: str, elf: str) -> None:
    """A kernel ELF was loaded into the device at a path."""
    with contextlib.suppress(OSError):  # The device may be another user's.
        name = str(Path(elf).resolve())
        known = {**_noted(path), name: os.stat(name).st_mtime_ns}
        folder(path).mkdir(mode=0o700, exist_ok=True)
        files.write(folder(path) / "elfs", json.dumps(known))


def _noted(path: str) -> Dict[str, int]:
    try:
        found: Dict[str, int] = json.loads((folder(path) / "elfs").read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError):
        return {}


def elfs(path: str) -> List[str]:
    """The kernel ELFs of note_elf() that are still as they were."""
    found = []
    for name, changed in _noted(path).items():
        with contextlib.suppress(OSError):
            found += [name] if os.stat(name).st_mtime_ns == changed else []
    return found


def resets_of(device: Device) -> int:
    """How often the control processor has booted again: what was on its way before never completes."""
    return int(device.regs.cap.resets.read())


def finish(device: Device, path: str, record: Json, done: Done) -> None:
    """Writes down how a task ended, and its outputs."""
    if done.status == "OK":
        for output in record["outputs"]:
            files.write(output["file"], device.read(output["address"], output["nbytes"]))
    record["done"] = done.as_dict()
    save(path, record)


@contextlib.contextmanager
def taken(path: str) -> Iterator[Device]:
    """The device at a path for a moment: what `submit` left behind is brought in before and after. Raises Error."""
    with Device.attach(path) as device:
        collect(device, path)
        try:
            yield device
        finally:
            collect(device, path)


def collect(device: Device, path: str) -> None:
    """Brings in what has completed. Does nothing while another process holds the mailbox."""
    records = {record["tag"]: record for record in pending(path)}
    if not records:
        return
    resets = resets_of(device)  # Before the completions, which are all from before a restart that this counts.
    try:
        found = device.orphans()
    except Error:
        return
    for done in found:
        if done.tag in records:
            finish(device, path, records[done.tag], done)
    for record in pending(path):
        if record["resets"] != resets:
            record["done"] = {"tag": record["tag"], "status": "ERR_DEVICE_RESET", "field": None, "value": 0}
            save(path, record)
