# SPDX-License-Identifier: Apache-2.0
"""The boot loader of the NEORV32 1.13, byte by byte: what it takes, says and stores.

Written from the protocol (softcores.md, "Platforms worth a board"), not from boards/neorv32. It has its
variables in the first 256 bytes of RAM: an image that is stored there is a failure of the test.
"""
import struct

OWN = range(0x80000000, 0x80000100)


class Loader:
    """faults: a set of

    halted     says nothing at all
    lose, flip loses the 100th byte of an upload, or changes a bit of it
    mute       loads, but never says OK
    trap       an exception in the middle of the upload, as from an address where nothing is
    astray     starts at another address
    """

    quiet_s = None

    def __init__(self, faults=(), at_prompt=False):
        self.faults = set(faults)
        self.state = "prompt" if at_prompt else "count_down"
        self.got = bytearray()
        self.count = 0  # bytes of the upload, also those that were lost
        self.memory = {}
        self.base, self.size = 0, 0
        self.entry = None  # where it started a program
        self.after = bytearray()  # what came after that
        self.keys = 0

    def start(self):
        if "halted" in self.faults:
            self.state = "halt"
            return b""
        intro = b"\r\n\r\nNEORV32 Bootloader\r\n\r\n"
        return b"" if self.state == "prompt" else intro + b"Auto-boot in 8s. Press any key to abort.\r\n"

    def quiet(self):
        return b""

    def byte(self, value):
        return getattr(self, self.state)(value)

    def halt(self, value):
        self.after.append(value)
        return b""

    def count_down(self, _):
        """The key itself is thrown away."""
        self.state = "prompt"
        return b"Aborted.\r\n\r\nType 'h' for help.\r\nCMD:> "

    def prompt(self, value):
        self.keys += 1
        echo = bytes([value]) + b"\r\n"
        if value == ord("u"):
            self.state, self.count, self.size = "upload", 0, 0
            self.got.clear()
            return echo + b"Awaiting neorv32_exe.bin... "
        if value == ord("e"):
            return echo + self.start_program()
        return echo + b"CMD:> "

    def start_program(self):
        if not self.size:
            return b"No executable. Boot anyway? (y/n)\r\n"
        self.state = "halt"
        self.entry = self.base + (4 if "astray" in self.faults else 0)
        return b"Booting (@0x%08X)...\r\n\r\n" % self.entry

    def upload(self, value):
        self.count += 1
        if self.count == 100 and "lose" in self.faults:
            return b""
        self.got.append(value ^ 4 if self.count == 100 and "flip" in self.faults else value)
        if len(self.got) == 16 and struct.unpack_from("<I", self.got)[0] != 0x214f454e:
            return self.stop(b"\aERROR_SIGNATURE\r\n")
        if self.count == 1500 and "trap" in self.faults:
            return self.stop(b"\n\aERROR_EXCEPTION 0x00000007 0xFFE00A14 0x90000000\r\n")
        if len(self.got) >= 16 and len(self.got) == 16 + struct.unpack_from("<I", self.got, 8)[0]:
            return self.finish()
        return b""

    def stop(self, text):
        self.state = "halt"
        return text

    def finish(self):
        _, self.base, size, total = struct.unpack_from("<4I", self.got)
        words = struct.unpack_from(f"<{size // 4}I", self.got, 16)
        for at, value in enumerate(self.got[16:]):
            assert self.base + at not in OWN, "the image overwrites the boot loader's variables"
            self.memory[self.base + at] = value
        if (total + sum(words) + 1) & 0xffffffff:
            return self.stop(b"\aERROR_CHECKSUM\r\n")
        self.state, self.size = "prompt", size
        return b"" if "mute" in self.faults else b"OK\r\nCMD:> "

    def image(self, base, size):
        """What was stored there; a hole is an error."""
        return bytes(self.memory[base + at] for at in range(size))
