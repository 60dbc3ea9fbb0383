# SPDX-License-Identifier: Apache-2.0
"""The smallest useful device (RTL_SMALL_NUMBERS of rtl.mk): one SM, in a RAM as an ECP5-45F has it, behind a serial line."""
import re

from device_support import BUILD, Machine, numbers_of, simulation, words

BOARD, SIM = "refsoc-vexmin", "refsoc-vexmin-small"
RAM, HEAP = 0x34000, 0xc000   # of the device; the heap is what is left for kernels and buffers
NO_ROOM = 0x3333 | 64 + 6 << 16  # of the finisher: MACHINE_CHECK_FINISH, GG_BOARD_FAULT_ROOM
MOST = 20_000_000             # cycles; a bound: the refusal takes a four-hundredth


def image(folder):
    return BUILD / "rtl" / folder / BOARD / "flash.bin"


def test_works(tmp_path):
    """It boots and says what it has, and a kernel of 13 CTAs works on three buffers."""
    with simulation(BOARD, tmp_path, sim=SIM, image=image("small"), uart=f"unix:{tmp_path / 'line'}") as sim:
        with sim.connect(f"serial:unix:{tmp_path / 'line'}") as dev:
            info, machine, count = dev.info, Machine(sim, dev), 100
            assert (dev.state, info.sms, info.ram_bytes, info.heap_bytes) == ("READY", 1, RAM, HEAP)
            left, right, total = (dev.buffer(numbers_of([factor * at for at in range(count)])) for factor in (3, 4, 0))
            assert machine.run("vecadd", "vecadd", grid=13, block=8, args=[left, right, total, count]).ctas == 13
            assert words(total.read()) == [7 * at for at in range(count)]
            machine.at_rest()


def test_no_room(tmp_path):
    """Architecture §11: with twice the shared memory the RAM is too small, and the firmware refuses it."""
    with simulation(BOARD, tmp_path, sim=SIM, image=image("full"), uart="none", cycles=MOST) as sim:
        sim.until(lambda: sim.ended() is not None, "its end", MOST + 1)
        assert int(re.search(r"finisher=0x([0-9a-f]+)", sim.log())[1], 16) == NO_ROOM
