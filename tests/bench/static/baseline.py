# SPDX-License-Identifier: Apache-2.0
"""Loops without firmware: static.c, built as kernels are, on the same machine of the emulator."""

import mmap
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, NamedTuple, Sequence

from ganger.counter import Counter

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(ROOT / "firmware" / "kernel"))

from gangercc.opencl_library import CLANG  # noqa: E402
from gangercc.options import TARGETS  # noqa: E402
from gangercc.toolchain import CODE, GCC_ONLY, PICOLIBC, PREFIX  # noqa: E402

RAM_BASE = 0x80000000
RAM_BYTES = 64 << 20
JOB = 0x100000   # from RAM_BASE: static_job of static.ld
DATA = 0x200000  # from RAM_BASE: inputs and result, each at a page
PAGE = 4096
ROUNDS_MAX = 16
JOB_FORMAT = f"<4I3Q2I{ROUNDS_MAX}Q{ROUNDS_MAX}Q"  # struct static_job
TICK_S = 1e-7    # of the machine's time CSR
TIMEOUT_S = 60
LOOPS = ("sgemm", "convolve", "sum")  # enum static_loop


class Outcome(NamedTuple):
    """counts: instructions of all harts, hart 0 only starts the others.
    seconds: of each round."""
    counts: List[int]
    seconds: List[float]
    result: bytes


def board_values(board: str) -> Dict[str, str]:
    lines = (ROOT / "boards" / board / "board.mk").read_text(encoding="utf-8").splitlines()
    pairs = [line.partition("=") for line in lines if not line.startswith("#")]
    return {name.strip(): value.strip() for name, _, value in pairs}


def build(board: str, out: Path, clang: bool) -> Path:
    """With the compiler, target and options of ganger-cc; `clang`: those with which it makes loops of kernels."""
    march, mabi = TARGETS[int(board_values(board)["BOARD_XLEN"])]
    loops = str(HERE / "static.c")
    if clang:
        loops = str(out.with_suffix(".o"))
        subprocess.run([CLANG, f"--target=riscv{march[2:4]}-unknown-elf", "-nostdlibinc", "-isystem", PICOLIBC,
                        f"-march={march}", f"-mabi={mabi}", *CODE, "-O2", "-ffp-contract=fast", f"-I{ROOT}",
                        "-c", str(HERE / "static.c"), "-o", loops], check=True)
    subprocess.run([PREFIX + "gcc", "--specs=picolibc.specs", f"-march={march}", f"-mabi={mabi}",
                    *CODE, *GCC_ONLY, "-O2", f"-I{ROOT}", "-nostartfiles", "-static",
                    f"-T{HERE / 'static.ld'}", "-Wl,--no-relax,--build-id=none",
                    "-Wl,--gc-sections,--no-warn-rwx-segments", str(HERE / "start.S"),
                    loops, "-o", str(out)], check=True)
    return out


class Baseline:
    """The loops on a board's machine, with as many working harts as the device has SMs."""

    def __init__(self, board: str, harts: int, folder: Path, build_folder: Path, clang: bool = False):
        self.board, self.harts, self.build_folder = board_values(board), harts, build_folder
        folder.mkdir(parents=True, exist_ok=True)
        self.elf = build(board, folder / f"static{self.board['BOARD_XLEN']}.elf", clang)

    def run(self, loop: str, size: int, inputs: Sequence[bytes], result_bytes: int,
            rounds: int = 1, icount: bool = True) -> Outcome:
        """Boots the machine, which ends by itself. Counts are of all rounds."""
        fd = os.memfd_create("ganger-static")
        try:
            os.ftruncate(fd, RAM_BYTES)
            with mmap.mmap(fd, RAM_BYTES) as ram:
                out = self._place(ram, loop, size, inputs, rounds)
                counts = self._boot(fd, icount)
                job = struct.unpack_from(JOB_FORMAT, ram, JOB)
                if job[8] != rounds:
                    raise RuntimeError(f"static {loop}: {job[8]} of {rounds} rounds were done")
                times = zip(job[9:9 + rounds], job[9 + ROUNDS_MAX:])
                return Outcome(counts, [(end - begin) * TICK_S for begin, end in times],
                               ram[out:out + result_bytes])
        finally:
            os.close(fd)

    def _place(self, ram, loop: str, size: int, inputs: Sequence[bytes], rounds: int) -> int:
        """Writes job and inputs; returns where the result will be, from RAM_BASE."""
        places, end = [], DATA
        for data in inputs:
            ram[end:end + len(data)] = data
            places.append(RAM_BASE + end)
            end = (end + len(data) + PAGE - 1) // PAGE * PAGE
        places += [0] * (2 - len(places))
        struct.pack_into(JOB_FORMAT, ram, JOB, LOOPS.index(loop), self.harts, rounds, size,
                         *places, RAM_BASE + end, 0, 0, *[0] * (2 * ROUNDS_MAX))
        return end

    def _boot(self, fd: int, icount: bool) -> List[int]:
        counter = Counter()
        try:
            words = [self.board["BOARD_QEMU"], *self.board["BOARD_QEMU_ARGS"].split(),
                     "-smp", str(self.harts + 1), "-m", f"{RAM_BYTES}B", "-object",
                     f"memory-backend-file,id=ram,share=on,size={RAM_BYTES},"
                     f"mem-path=/proc/self/fd/{fd}", "-kernel", str(self.elf),
                     "-plugin", counter.plugin(self.build_folder)]
            if icount:
                words += ["-icount", "shift=0,sleep=off"]
            subprocess.run(words, check=True, timeout=TIMEOUT_S, pass_fds=(fd,),
                           stdin=subprocess.DEVNULL)
            return counter.counts()
        finally:
            counter.close()
