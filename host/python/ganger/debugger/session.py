# SPDX-License-Identifier: Apache-2.0
"""The device that GDB has stopped: its harts as threads, the kernels in its memory, and the work-item in focus."""

import atexit
import ctypes
import json
import os
import shutil
import signal
import struct
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

import gdb

from .. import abi, hang, kernels
from ..device import Device
from ..errors import Error
from ..hang_sms import BLOCK_LINEAR, BLOCK_THREAD, Code, Item, Registers, Seer
from ..places import build_folder
from ..registers import enumerator
from ..symbols import place_near
from ..typed import Json
from . import SETTINGS, let_go, stub_of

NAMES = ("pc", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1", *(f"a{number}" for number in range(8)),
         *(f"s{number}" for number in range(2, 12)), *(f"t{number}" for number in range(3, 7)))  # GDB's, in the order of Registers.
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_BLOCK_BYTES = 256  # struct gg_cta (firmware/kernel/gg_cta.h), just below tp; offsets in it:
_BLOCK, _CTA_ID, _LOCAL_ID = 12, 24, 176


class Focus(NamedTuple):
    """A work-item that is not running, and that GDB shows on the thread of its SM."""
    thread: int                # GDB's number of the thread.
    registers: Dict[str, int]  # What is known of its registers, by GDB's names.
    block: int                 # Address of its CTA block.
    number: int                # Its linear number in its CTA.


class Ids(NamedTuple):
    """Which work-item it is: positions along x, y, z, and linear numbers."""
    cta: Tuple[int, ...]
    cta_linear: int
    thread: Tuple[int, ...]
    thread_linear: int


class _Here(Seer):
    """Keeps each work-item of its own."""

    def grouped(self, items: List[Item]) -> List[Item]:
        """All of them."""
        return items


class _Arrival(gdb.Breakpoint):
    """The control processor gives a task a slot: its kernel may be one whose ELF GDB was given."""

    def __init__(self, session: "Session", function: str):
        super().__init__(function, internal=True)  # One of them is inlined.
        self.silent = True
        self._session = session

    def stop(self) -> bool:
        """Never stops."""
        self._session.arrived(int(gdb.parse_and_eval("(unsigned long)task")))
        return False


class _End(gdb.Breakpoint):
    """The control processor completes a task of the host: GDB stops, as at the end of a program."""

    def __init__(self, function: str) -> None:
        super().__init__(f"*{function}", internal=True)
        self.silent = True

    def stop(self) -> bool:
        """Tells of it."""
        task = gdb.parse_and_eval("(const struct task *)$a0")
        status = enumerator("status", int(task["failure"]["status"]) & 0xffffffff)
        print(f"[Task {int(task['source']['tag'])} has ended: {status}]")
        return True


class Session:
    """All that the commands share. The device is read through its memory, so nothing has to be asked of its harts."""

    def __init__(self) -> None:
        settings = json.loads(os.environ[SETTINGS])
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)  # GDB detaches and ends when `ganger gdb` is killed.
        if settings["folder"]:
            atexit.register(shutil.rmtree, settings["folder"], ignore_errors=True)
        atexit.register(let_go, settings["device"])  # A signal ends GDB without a word while the device runs.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # Signals are GDB's, not the library's.
        self.device = Device.observe(settings["device"])
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self.focus: Optional[Focus] = None
        self.codes: List[Code] = []
        self._wanted: List[str] = settings["elfs"]
        self._begin(stub_of(settings["device"]))
        for elf, base in settings["modules"]:
            self._load(Code(base, len(hang.segment(elf)), elf, kernels.elf_info(elf).kernels))
        self.look([slot["tmd"] for slot in (words.read() for words in self.device.regs.slot) if slot["state"]])
        # Nothing of a device that others use is stopped but what its user asks for.
        self._own = [_Arrival(self, name) for name in ("task_table_insert", "task_table_enter")] if self._wanted else []
        self._own += [] if self._wanted else [_End(name) for name in ("completion_post", "completion_post_plain")]
        os.write(settings["ready"], b"\n")
        os.close(settings["ready"])

    def _begin(self, stub: str) -> None:
        images = build_folder() / self.device.info.board
        gdb.execute("set language c")  # In its OpenCL C, GDB 13 takes 0 && 0 for true.
        gdb.execute("set osabi none")  # For Linux GDB would step with breakpoints. QEMU's own steps hold interrupts off.
        gdb.execute(f'file "{images / "cp.elf"}"', to_string=True)
        gdb.execute(f'add-symbol-file "{images / "sm.elf"}"', to_string=True)
        gdb.execute(f"target remote {stub}", to_string=True)
        gdb.execute("set schedule-multiple on")  # All harts go on together,
        gdb.execute("set scheduler-locking step")  # but a step is that of one SM.
        for sm, thread in self.threads():
            thread.name = f"SM {sm}" if sm >= 0 else "CP"

    def threads(self) -> Iterator[Tuple[int, gdb.InferiorThread]]:
        """SM and thread, of all harts; -1 is the control processor."""
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.num):
            yield thread.ptid[1] - 2, thread

    # ---- kernels ----

    def _load(self, code: Code) -> None:
        gdb.execute(f'add-symbol-file "{code.source}" -o {code.base:#x}', to_string=True)
        self.codes.append(code)

    def look(self, tmds: List[int]) -> None:
        """Finds the kernels of tasks among the ELFs that were given; their symbols are where the code is now."""
        at = abi.BLOCKS["tmd"][1]["entry_lo"][0]
        entries = {struct.unpack("<Q", self.device.read(tmd + at, 8))[0] for tmd in tmds}
        entries = {entry for entry in entries if not any(code.base <= entry < code.base + code.code_bytes for code in self.codes)}
        for elf in self._wanted if entries else []:
            for code in hang.recognized(self.device, elf, entries):
                for old in [one for one in self.codes if one.source == elf]:
                    gdb.execute(f"remove-symbol-file -a {old.base:#x}", to_string=True)
                    self.codes.remove(old)
                self._load(code)

    def arrived(self, task: int) -> None:
        """A task, by the address of its record, which begins with its TMD."""
        self.look([task])

    # ---- work-items ----

    def live(self) -> Dict[int, Registers]:
        """Registers of the SMs that are in a kernel."""
        thread, frame = gdb.selected_thread(), gdb.selected_frame()
        found = {}
        for sm, one in self.threads():
            one.switch()
            newest = gdb.newest_frame()
            if sm >= 0 and int(newest.read_register("priv")) & 3 == 0:
                found[sm] = tuple(int(newest.read_register(name)) & (1 << self.device.info.xlen) - 1 for name in NAMES)
        thread.switch()
        frame.select()
        return found

    def ctas(self) -> Iterator[Tuple[int, Json]]:
        """SM and CTA, as Seer.ctas() has it but with an Item for each work-item, and its position as `cta_id`."""
        seer = _Here(self.device, self.codes, self.live())
        for sm in range(self.device.info.sms):
            if self.device.regs.sm_state[sm].resident.read():
                for cta in seer.ctas(sm):
                    if "block" in cta:
                        cta["cta_id"] = struct.unpack("<3I", self.device.read(cta["block"] + _CTA_ID, 12))
                    yield sm, cta

    def where(self, item: Item) -> str:
        """Function and line; of a barrier, those of its caller."""
        word = self.device.info.xlen // 8
        registers = (0, 0, item.frame + 4 * word) if item.frame is not None else ()
        places = Seer(self.device, self.codes).where(item.pc, registers, word)["places"]
        outer = [place for place in places if place["file"] and not place["file"].endswith("ganger_sync.h")] or places
        if not outer:
            return ""
        place = outer[0]
        if place["file"]:
            return f"{place['symbol']} ({os.path.basename(place['file'])}:{place['line']})"
        return str((item.pc is not None and place_near(self.codes, item.pc)) or place["symbol"])

    def ids(self) -> Ids:
        """Of the work-item in focus, or of the one that runs in the selected frame. Raises gdb.GdbError."""
        focus = self.focus
        if focus is not None and gdb.selected_thread().num == focus.thread:
            block = self.device.read(focus.block, _BLOCK_BYTES)
            x, y = struct.unpack_from("<2I", block, _BLOCK)
            thread = (focus.number % x, focus.number // x % y, focus.number // (x * y))
            number = focus.number
        else:
            frame = gdb.newest_frame()
            if int(frame.read_register("priv")) & 3:
                raise gdb.GdbError("this thread runs no kernel now")
            try:
                block = self.device.read(int(frame.read_register("tp")) - _BLOCK_BYTES, _BLOCK_BYTES)
            except Error as error:
                raise gdb.GdbError(f"tp does not point to a CTA: {error}") from None
            thread = struct.unpack_from("<3I", block, _LOCAL_ID)
            number, = struct.unpack_from("<I", block, BLOCK_THREAD)
        return Ids(struct.unpack_from("<3I", block, _CTA_ID), struct.unpack_from("<Q", block, BLOCK_LINEAR)[0], thread, number)

    def unfocus(self) -> None:
        """GDB shows what runs again."""
        if self.focus is not None:
            self.focus = None
            gdb.invalidate_cached_frames()
