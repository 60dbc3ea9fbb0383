# SPDX-License-Identifier: Apache-2.0
"""info, ps, top, regs, stat, trace: commands that look into a device."""

import re
import sys
import time
from typing import Any, List, Sequence, Union

from .. import kernels
from ..device import Device
from ..errors import Error
from ..pulls import PullHistory
from ..registers import PLACES, Block, Field, Many, Word, enumerator
from ..trace import Trace
from ..trace_buffer import MOST, Keep
from ..typed import Json
from .about import device_info
from .common import add_device_option, attached, observed, positive, print_json, seconds, size, table
from .page import Commands, Options, add_command

_LOOK = "Show tasks that are issued, and why no more is; top: SMs, live."
_COUNT = "Show or write registers; stat: show the counters since boot."
_CLEAR = "\x1b[H\x1b[2J"
Found = Union[Many, Block, Word, Field]
_PART = re.compile(r"(\w+)(?:\[(\d+)\])?$")


def add_commands(commands: Commands) -> None:
    """info, ps, top, regs, stat, trace."""
    parser = add_command(commands, "info", info,
                         "Show what is in a kernel ELF, or what a device is.",
                         "ganger info build/kernels/vecadd.elf; ganger info")
    parser.add_argument("elf", nargs="?", help="kernel ELF made by ganger-cc; without one: facts of "
                                               "the device that is up, and the tree of its SMs")
    add_device_option(parser, connect=True)
    parser = add_command(commands, "ps", ps, _LOOK,
                         "ganger ps")
    add_device_option(parser, connect=True)
    parser = add_command(commands, "top", top, _LOOK, "ganger top --interval 0.5")
    parser.add_argument("--once", action="store_true", help="one picture, then end")
    parser.add_argument("--interval", type=positive, default=1.0, metavar="S", help="seconds")
    add_device_option(parser, connect=True)
    parser = add_command(commands, "regs", regs, _COUNT,
                         "ganger regs cap; ganger regs sm_state[3].health; ganger regs slot")
    parser.add_argument("register", nargs="?", help=f"one of {', '.join(PLACES)}, with [index] and "
                                                    ".word and .field as in Python")
    parser.add_argument("--write", type=size, metavar="VALUE", help="write this value: at your own risk")
    add_device_option(parser, connect=True)
    parser = add_command(commands, "stat", stat, _COUNT,
                         "ganger stat; ganger stat --pull")
    parser.add_argument("--pull", action="store_true",
                        help="what each SM did of the PULL grid of each slot, instead")
    add_device_option(parser, connect=True)
    parser = add_command(commands, "trace", trace, "Switch the trace, or write it to a file.",
                         "ganger trace on; …; ganger trace t.svg; ganger trace t.json --for 1")
    parser.add_argument("what", help="on, off, or a file: .json (Perfetto), .html, .svg or .vcd")
    parser.add_argument("--for", dest="span", type=seconds, metavar="S",
                        help="file: first read for so many seconds, while the trace is on; else what the device still has is written")
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help="records that are kept at most (default %(default)s)")
    parser.add_argument("--end", choices=("slide", "stop"), default="slide",
                        help="which ones: the newest (slide, the default) or the oldest (stop)")
    parser.add_argument("--seconds", type=positive, metavar="S", help="with slide: keep only the last S seconds")
    parser.add_argument("--until-fault", action="store_true", help="end when something fails, and keep nothing that began later")
    add_device_option(parser, connect=True)


def info(options: Options) -> int:
    """`ganger info`."""
    if options.elf is None:
        return device_info(options)
    elf = kernels.elf_info(options.elf)
    if options.json:
        print_json(elf.as_dict())
        return 0
    print(f"{options.elf}: {elf.isa}, {elf.nbytes} bytes of device memory, {elf.producer}")
    for kernel in elf.kernels.values():
        needs = f"shared {kernel.shared_bytes} B, " \
            f"stack {kernel.stack_bytes} B{' (assumed)' if kernel.stack_assumed else ''}"
        print(f"\n{kernel.name}: {needs}, {'barriers' if kernel.barrier else 'no barrier'}"
              + (f", block {kernel.block}" if kernel.block else ""))
        rows = [(place, one.kind, one.type_name, one.size, one.name or "-")
                for place, one in enumerate(kernel.parameters)]
        print(table(("#", "kind", "type", "bytes", "name"), rows) if rows else "no parameters")
    return 0


def tasks_of(device: Device) -> List[Json]:
    """What is in the task table."""
    rows = []
    for index, slot in enumerate(device.regs.slot):
        found = slot.read()
        if found["state"]:
            rows.append({"slot": index, "tag": found["tag"],
                         "state": enumerator("slot_state", found["state"]),
                         "priority": found["priority"], "left": found["left"],
                         "in_flight": found["in_flight"], "next": found["next"],
                         "status": enumerator("status", found["status"]),
                         "reason": enumerator("reason", found["reason"])})
    return rows


def _rows(records: List[Json], columns: Sequence[str]) -> str:
    return table(columns, [[record[name] for name in columns] for record in records])


_TASK_COLUMNS = ("slot", "tag", "state", "priority", "left", "in_flight", "status", "reason")
_NOT_ISSUED = "not_issued_"
_SM_COLUMNS = ("sm", "hart", "task", "resident", "done", "faults", "free_ctas", "health")


def ps(options: Options) -> int:
    """`ganger ps`."""
    with observed(options) as device:
        tasks = tasks_of(device)
    if options.json:
        print_json(tasks)
    else:
        print(_rows(tasks, _TASK_COLUMNS) if tasks else "no tasks")
    return 0


def sms_of(device: Device) -> List[Json]:
    """What each SM does."""
    tags = {index: slot.tag.read() for index, slot in enumerate(device.regs.slot)}
    rows = []
    for index, sm in enumerate(device.regs.sm_state):
        found = sm.read()
        assigned = found["task_assign"]
        rows.append({"sm": index, "hart": enumerator("hart_state", found["hart_state"]),
                     "task": tags.get(assigned & 0xff, "-") if assigned >> 8 & 1 else "-",
                     "resident": found["resident"], "done": found["ctas"],
                     "faults": found["faults"], "free_ctas": found["free_ctas"],
                     "health": found["health"]})
    return rows


def _picture(device: Device) -> Json:
    counters = device.stat()
    return {"sms": sms_of(device), "tasks": tasks_of(device),
            "counters": {name: counters[name] for name in
                         ("tasks_accepted", "tasks_completed", "tasks_failed", "ctas")},
            "not_issued": {name[len(_NOT_ISSUED):]: count for name, count in counters.items()
                           if name.startswith(_NOT_ISSUED)}}


def top(options: Options) -> int:
    """`ganger top`."""
    with observed(options) as device:
        while True:
            picture = _picture(device)
            if options.json:
                print_json(picture)
            else:
                clear = _CLEAR if sys.stdout.isatty() and not options.once else ""
                counts = "  ".join(f"{name} {value}" for name, value in picture["counters"].items())
                tasks = _rows(picture["tasks"], _TASK_COLUMNS) if picture["tasks"] else "no tasks"
                waits = "  ".join(f"{name} {value}" for name, value in
                                  picture["not_issued"].items())
                print(f"{clear}{counts}\nturns that kept CTAs back, by reason: {waits}\n\n{_rows(picture['sms'], _SM_COLUMNS)}\n\n{tasks}",
                      flush=True)
            if options.once:
                return 0
            time.sleep(options.interval)


def _find(device: Device, text: str) -> Found:
    """A block, array, word or field by its path."""
    found: Any = device.regs
    for part in text.split("."):
        match = _PART.match(part)
        if match is None:
            raise Error("ERR_ARGUMENT", "A register is written as name[index].name.", "register", text)
        try:
            found = getattr(found, match[1])
            if match[2] is not None:
                found = found[int(match[2])]
        except (TypeError, AttributeError, IndexError) as error:
            raise Error("ERR_ARGUMENT", str(error), "register", text) from None
    named: Found = found
    return named


def _shown(found: Found) -> object:
    if isinstance(found, Many):
        return [_shown(one) for one in found]
    return found.read()


def _text(found: Found, path: str) -> str:
    if isinstance(found, Many):
        return "\n".join(_text(one, f"{path}[{index}]") for index, one in enumerate(found))
    if isinstance(found, Block):
        lines = [f"  {name:20} {text}" for name, text in found.show().items()]
        return "\n".join([path, *lines])
    if isinstance(found, Field):
        return f"{path} = {found.name()}"
    value = found.read()
    return f"{path} = {value:#x} ({found.show(value)})"


def regs(options: Options) -> int:
    """`ganger regs`."""
    if options.register is None:
        print_json(list(PLACES)) if options.json else print("\n".join(PLACES))
        return 0
    with observed(options) if options.write is None else attached(options) as device:
        found = _find(device, options.register)
        if options.write is not None:
            if not isinstance(found, (Word, Field)):
                raise Error("ERR_ARGUMENT", "Only one word or field can be written, such as sm_state[0].health.", "register", options.register)
            found.write(options.write)
        if options.json:
            print_json(_shown(found))
        else:
            print(_text(found, options.register))
    return 0


def _show_history(found: List[PullHistory], options: Options) -> int:
    if options.json:
        print_json([one._asdict() for one in found])
        return 0
    rows = [[f"{value:.1f}" if isinstance(value, float) else value for value in one]
            for one in found]
    print(table(PullHistory._fields, rows) if rows else "no SM took anything")
    return 0


def stat(options: Options) -> int:
    """`ganger stat`."""
    with observed(options) as device:
        if options.pull:
            return _show_history(device.pull_history(), options)
        counters = device.stat()
    if options.json:
        print_json(counters)
    else:
        print(table(("counter", "value"), list(counters.items())))
    return 0


def _recorded(options: Options) -> Trace:
    """What is read of a device for some time, or what it still has."""
    keep = Keep(options.most, options.end, options.seconds, options.until_fault).checked()
    with observed(options) as device:
        if options.span is not None and not device.regs.sm_state[0].trace.read():
            raise Error("ERR_ARGUMENT", "The trace is off: `ganger trace on` first.", "--for", options.span)
        return device.record_trace(keep, options.span or 0.0)


def trace(options: Options) -> int:
    """`ganger trace`."""
    if options.what in ("on", "off"):
        with attached(options) as device:
            device.trace_on() if options.what == "on" else device.trace_off()
        answer = {"trace": options.what}
        text = f"trace {options.what}"
    else:
        found = _recorded(options)
        found.save(options.what)
        answer = {"file": options.what, "tasks": len(found.tasks()), "ctas": len(found.ctas()),
                  "lost": found.lost, "dropped": found.dropped, "note": found.note}
        text = "{file}: {tasks} tasks, {ctas} CTAs, {lost} records lost".format(**answer)
        text += f"\n{found.note}" if found.note else ""
    print_json(answer) if options.json else print(text)
    return 0
