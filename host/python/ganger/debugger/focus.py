# SPDX-License-Identifier: Apache-2.0
"""`ganger focus`: GDB shows a work-item that is not running.

Nothing of the hart is changed. While there is a focus, an unwinder says of the frame that runs, frame 0, that it was called
from where the work-item waits; so that is frame 1, with its registers, callers and variables, and it is selected. Commands
that let harts run end the focus.
"""

from typing import Any, Dict, Iterator, List, Optional, Tuple

import gdb
import gdb.unwinder

from ..hang_sms import Item
from ..typed import Json
from .session import NAMES, Focus, Session

_RUNS = ("step", "stepi", "next", "nexti", "continue", "finish", "until", "advance", "jump", "detach", "disconnect")


class _Id:
    """Identity of frame 0: no frame has a lower stack, or GDB would take the work-item's for a broken one."""

    def __init__(self, sp: gdb.Value, pc: gdb.Value):
        self.sp, self.pc = sp, pc


class _Unwinder(gdb.unwinder.Unwinder):
    """Frame 0 was called by the work-item in focus."""

    def __init__(self, session: Session):
        super().__init__("ganger focus")
        self._session = session

    def __call__(self, pending: Any) -> Any:
        focus = self._session.focus
        if focus is None or pending.level() != 0 or gdb.selected_thread().num != focus.thread:
            return None
        sp, pc = pending.read_register("sp"), pending.read_register("pc")
        info = pending.create_unwind_info(_Id(gdb.Value(0).cast(sp.type), pc))
        for name, value in focus.registers.items():
            info.add_saved_register(name, gdb.Value(value).cast(pending.read_register(name).type))
        return info


class _Filter:
    """`bt` begins with the work-item in focus."""
    name, priority, enabled = "ganger focus", 100, True

    def __init__(self, session: Session):
        self._session = session
        gdb.frame_filters[self.name] = self

    def filter(self, frames: Iterator[Any]) -> Iterator[Any]:
        """Without frame 0."""
        focus = self._session.focus
        for frame in frames:
            if focus is None or gdb.selected_thread().num != focus.thread or frame.inferior_frame().level() > 0:
                yield frame


def _numbers(word: str, what: str) -> Tuple[int, ...]:
    try:
        found = tuple(int(one, 0) for one in word.split(","))
    except ValueError:
        found = ()
    if not 1 <= len(found) <= 3 or min(found) < 0:
        raise gdb.GdbError(f"{what} {word}: 1 to 3 numbers with commas, such as 17 or 3,1")
    return found


def _parse(text: str) -> Dict[str, Tuple[int, ...]]:
    """"cta 3,1 thread 17 sm 0 tag 4": positions by word."""
    words, found = text.split(), {}
    for name, word in zip(words[::2], words[1::2]):
        if name not in ("cta", "thread", "sm", "tag"):
            raise gdb.GdbError(f"{name}: not one of cta, thread, sm, tag")
        found[name] = _numbers(word, name)
    if not words or len(words) % 2:
        raise gdb.GdbError("usage: ganger focus [sm N] [tag N] [cta X[,Y[,Z]]] thread N|X,Y[,Z]")
    return found


def _same(position: Tuple[int, ...], wanted: Tuple[int, ...]) -> bool:
    return tuple(position) == (wanted + (0, 0))[:3]


def _is_kernel(frame: gdb.Frame) -> bool:
    """Whether it is none of barrier(), which is a function of ours."""
    table = frame.find_sal().symtab
    return table is not None and not table.filename.endswith("ganger_sync.h")


class _FocusCommand(gdb.Command):
    """Show a work-item that is not running: its registers, frames and variables.
Usage: ganger focus [sm N] [tag N] [cta X[,Y[,Z]]] thread N|X,Y[,Z]
`info ganger` lists what there is. N is the linear number of the work-item in its CTA. Without a CTA it is that of the work-item
that is shown now. Of a work-item that waits at a barrier only pc, sp, ra, fp, s1 and tp are known: others the compiler has kept
on its stack. Commands that let the device run end this."""

    def __init__(self, session: Session):
        super().__init__("ganger focus", gdb.COMMAND_STACK)
        self._session = session

    def _candidates(self, wanted: Dict[str, Tuple[int, ...]]) -> List[Tuple[int, Json]]:
        session = self._session
        if "cta" not in wanted:
            ids = session.ids()
            block = session.focus.block if session.focus else int(gdb.newest_frame().read_register("tp")) - 256
            wanted = {**wanted, "cta": ids.cta}
            return [(sm, cta) for sm, cta in session.ctas() if cta.get("block") == block]
        return [(sm, cta) for sm, cta in session.ctas()
                if "block" in cta and _same(cta["cta_id"], wanted["cta"]) and wanted.get("sm", (sm,)) == (sm,)
                and wanted.get("tag", (cta["tag"],)) == (cta["tag"],)]

    def _item(self, cta: Json, wanted: Tuple[int, ...]) -> Item:
        x, y = (int.from_bytes(self._session.device.read(cta["block"] + at, 4), "little") for at in (12, 16))
        number = wanted[0] if len(wanted) == 1 else wanted[0] + x * (wanted[1] + y * (wanted + (0,))[2])
        if number >= cta["threads"]:
            raise gdb.GdbError(f"the CTA has {cta['threads']} work-items, numbers 0 to {cta['threads'] - 1}")
        for item in cta["work_items"]:
            if item.number == number:
                found: Item = item
                return found
        raise gdb.GdbError(f"work-item {number} has no stack of its own: the work-items of this kernel run one after the other, "
                           f"and {cta['thread']} is the one that runs (or the kernel is a loop over them: ganger-cc -O0)")

    def _registers(self, cta: Json, item: Item) -> Optional[Dict[str, int]]:
        """None: it is what the hart runs."""
        device = self._session.device
        if item.state == "running":
            if cta["on_hart"]:
                return None
            if not cta.get("registers"):
                raise gdb.GdbError(f"the CTA {cta['state']}: its registers are not saved yet; step once")
            # GDB looks for the caller of a frame one byte before its pc: this one was interrupted there.
            return dict(zip(NAMES, (cta["pc"] + 1, *cta["registers"])))
        if item.frame is None:
            raise gdb.GdbError(f"work-item {item.number} {item.state}")
        word = device.info.xlen // 8
        ra, fp, s1 = (int.from_bytes(device.read(item.frame + place * word, word), "little") for place in range(3))
        return {"pc": ra, "ra": ra, "fp": fp, "s1": s1, "sp": item.frame + 4 * word, "tp": cta["block"] + 256}

    def invoke(self, argument: str, _from_tty: bool) -> None:
        """The command."""
        session, wanted = self._session, _parse(argument)
        if "thread" not in wanted:
            raise gdb.GdbError("name a work-item: thread N, its linear number, or thread X,Y[,Z]")
        found = self._candidates(wanted)
        if len(found) != 1:
            raise gdb.GdbError("several tasks have such a CTA: name the task, too: tag N" if found else
                               "no SM has such a CTA now: `info ganger` lists what there is")
        (sm, cta), = found
        item = self._item(cta, wanted["thread"])
        registers = self._registers(cta, item)
        session.unfocus()
        thread = next(one for number, one in session.threads() if number == sm)
        thread.switch()
        if registers is not None:
            session.focus = Focus(thread.num, registers, cta["block"], item.number)
            gdb.invalidate_cached_frames()
        frame = gdb.newest_frame() if registers is None else gdb.newest_frame().older()
        while item.frame is not None and frame.older() is not None and not _is_kernel(frame):
            frame = frame.older()
        gdb.execute(f"frame {frame.level()}")


class _UnfocusCommand(gdb.Command):
    """Show what runs again, after `ganger focus`."""

    def __init__(self, session: Session):
        super().__init__("ganger unfocus", gdb.COMMAND_STACK)
        self._session = session

    def invoke(self, _argument: str, _from_tty: bool) -> None:
        """The command."""
        self._session.unfocus()


def install(session: Session) -> None:
    """The commands, and what they need."""
    gdb.unwinder.register_unwinder(None, _Unwinder(session))
    _Filter(session)
    _FocusCommand(session)
    _UnfocusCommand(session)
    for name in _RUNS:
        gdb.execute(f"define hook-{name}\nganger unfocus\nend")
