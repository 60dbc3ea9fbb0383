# SPDX-License-Identifier: Apache-2.0
"""The serial boot of the LiteX BIOS, byte by byte: what it takes, says and stores.

Written from the protocol (softcores.md, "Platforms worth a board"), not from boards/litex: the CRC is
worked out bit by bit. After QUIET_S without a byte it says E, as the BIOS does, also between frames.
"""
REQUEST, ANSWER = b"sL5DdSMmkekro\n", b"z6IHG7cYDID6o\n"
QUIET_S = 0.25
FAILURES_MAX = 256


def crc16(data):
    """CCITT, from 0, highest bit first."""
    crc = 0
    for value in data:
        crc ^= value << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xffff
    return crc


class Bios:
    """ram: (base, bytes) that may be loaded. faults: {number of a frame as it comes, from 0: fault}.

    crc        says C to a good frame, and stores nothing
    mute       stores it and says nothing
    noise      stores it and says something else
    late       says E, as if the line had been idle, and then K
    flip, lose changes a bit of the frame, or loses a byte of it, before it is looked at
    unknown    says U
    """

    quiet_s = QUIET_S

    def __init__(self, ram, faults=None, always=None, shell=False):
        self.base, self.bytes = ram
        self.memory = {}
        self.faults, self.always = faults or {}, always
        self.state = "shell" if shell else "greet"
        self.got = bytearray()
        self.frames = self.failures = 0
        self.entry = None  # where it jumped to
        self.after = bytearray()  # what came after the jump

    def start(self):
        return b"" if self.state == "shell" else b"BIOS CRC passed\nBooting from serial...\n" + REQUEST

    def fault(self):
        return self.faults.get(self.frames, self.always)

    def byte(self, value):
        if self.state == "over":
            self.after.append(value)
            return b""
        self.got.append(value)
        if self.state == "shell":
            if self.got.endswith(b"serialboot\n"):
                self.state = "greet"
                self.got.clear()
                return REQUEST
        elif self.state == "greet":
            if self.got.endswith(ANSWER):
                self.state = "frames"
                self.got.clear()
        else:
            return self.frame_byte()
        return b""

    def quiet(self):
        """The BIOS gives up on a frame that does not go on."""
        if self.state != "frames":
            return b""
        if self.got:
            self.frames += 1
        self.got.clear()
        return self.fail(b"E")

    def fail(self, answer):
        self.failures += 1
        if self.failures >= FAILURES_MAX:
            self.state = "over"
        return answer

    def frame_byte(self):
        if len(self.got) == 6 and self.fault() == "lose":
            self.got.pop()
            self.faults = {**self.faults, self.frames: None}
            return b""
        if len(self.got) < 4 or len(self.got) < 4 + self.got[0]:
            return b""
        frame = bytearray(self.got)
        self.got.clear()
        fault = self.fault()
        self.frames += 1
        if fault == "flip":
            frame[-1] ^= 0x10
        if fault in ("crc", "unknown"):
            return self.fail(b"C" if fault == "crc" else b"U")
        answer = self.take(frame)
        return {"mute": b"", "noise": b"?", "late": b"E" + answer}.get(fault, answer)

    def take(self, frame):
        body = frame[3:]
        if crc16(body) != int.from_bytes(frame[1:3], "big"):
            return self.fail(b"C")
        command, address, data = body[0], int.from_bytes(body[1:5], "big"), body[5:]
        if command not in (1, 2):
            return self.fail(b"U")
        if len(body) < 5:
            return self.fail(b"E")
        self.failures = 0
        if command == 2:
            self.state, self.entry = "over", address
            return b"K"
        if not self.base <= address <= address + len(data) <= self.base + self.bytes:
            return self.fail(b"E")
        for at, value in enumerate(data):
            self.memory[address + at] = value
        return b"K"

    def image(self, base, size):
        """What was stored there; a hole is an error."""
        return bytes(self.memory[base + at] for at in range(size))
