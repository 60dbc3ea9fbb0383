# SPDX-License-Identifier: Apache-2.0
"""What notebooks show in place of repr(): tables in HTML."""

from html import escape
from typing import TYPE_CHECKING, Iterable, List, Tuple

from .errors import Error

if TYPE_CHECKING:
    from .device import Device
    from .tasks import Done, Task

Row = Tuple[str, object]


def table(title: str, rows: Iterable[Row]) -> str:
    """A table with a row for each name and value; every text is escaped."""
    lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
                    for name, value in rows)
    return f"<table><caption>{escape(title)}</caption>{lines}</table>"


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms"


def done_rows(done: "Done") -> List[Row]:
    """A completion: the offending field only of a failure, times of the device's clock."""
    rows: List[Row] = [("status", done.status), ("CTAs", done.ctas), ("SMs", done.sms)]
    if done.field is not None:
        rows.append((done.field, done.value))
    return rows + [("waited", _ms(done.times.wait)), ("ran", _ms(done.times.run)),
                   ("in all", _ms(done.times.total))]


def task_table(task: "Task") -> str:
    """A task now: its completion, or how far it is. Never raises an Error: a cell says it."""
    rows: List[Row]
    try:
        done = task.poll()
        rows = done_rows(done) if done is not None else [("status", "on its way")]
        if done is None and task.has_progress:
            ended, total = task.progress()
            rows.append(("CTAs", f"{ended} of {total}"))
    except Error as error:  # The device was closed, or is lost.
        rows = [("status", error)]
    return table(f"Task {task.tag} {task.kernel or ''}".rstrip(), rows)


def device_table(device: "Device") -> str:
    """What a device is, and its state now."""
    info = device.info
    try:
        state = "closed" if device.closed else device.state
    except Error as error:
        state = str(error)
    return table(f"Device {info.board}".rstrip(), [
        ("state", state), ("SMs", info.sms), ("XLEN", info.xlen), ("ABI", f"{info.abi_major}.{info.abi_minor}"),
        ("memory for buffers", f"{info.heap_bytes / (1 << 20):.1f} MiB"), ("channels", info.channels),
        ("features", ", ".join(info.features))])
