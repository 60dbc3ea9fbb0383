# SPDX-License-Identifier: Apache-2.0
"""A bad serial line: a Unix socket in front of another one. What passes is lost, doubled, changed,
exchanged, late, or comes again later, as a seeded generator decides.

The line is a process of its own. In a thread of its host Python might collect there what the host has left, and ask the
device for that, by way of the same line."""
import heapq
import itertools
import os
import random
import select
import socket
import subprocess
import sys
import time

LATE_MOST_S = 0.2


class SerialProxy:
    """Listens at `path` for one client after the other and connects each to `target`.

    byte_rate, frame_rate: chances of a fault for each byte, and for each frame.
    """

    def __init__(self, path, target, seed=0, byte_rate=0.0, frame_rate=0.0):
        self._process = subprocess.Popen(  # pylint: disable=consider-using-with
            [sys.executable, __file__, *map(str, (path, target, seed, byte_rate, frame_rate))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.faults == 0  # It listens.

    @property
    def faults(self):
        """How many there were."""
        self._process.stdin.write("?")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self):
        """Ends the line."""
        self._process.communicate(timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        self.close()


class Line:
    """What the process does."""

    def __init__(self, target, seed, byte_rate, frame_rate):
        self._target = target
        self._faults = 0
        self._random = random.Random(seed)
        self._rates = byte_rate, frame_rate
        self._number = itertools.count()

    def _strikes(self, rate):
        hit = self._random.random() < rate
        self._faults += hit
        return hit

    def _bytes(self, data):
        """The bytes as they come out."""
        out, at = bytearray(), 0
        while at < len(data):
            byte = data[at:at + 1]
            if self._strikes(self._rates[0]):
                fault = self._random.randrange(4)
                if fault == 1:
                    out += byte + byte
                elif fault == 2:
                    out.append(byte[0] ^ 1 << self._random.randrange(8))
                elif fault == 3:
                    out += data[at + 1:at + 2] + byte
                    at += 1
            else:
                out += byte
            at += 1
        return bytes(out)

    def _pieces(self, data):
        """What becomes of a frame: (delay, bytes)."""
        late = self._random.random() * LATE_MOST_S
        if not self._strikes(self._rates[1]):
            return [(0, self._bytes(data))]
        fault = self._random.randrange(4)
        if fault == 0:
            return []
        if fault == 1:
            return [(late, self._bytes(data))]
        if fault == 2:
            return [(0, self._bytes(data[:self._random.randrange(len(data))]))]
        return [(0, self._bytes(data)), (late, self._bytes(data))]

    def _ready(self, ends, seconds=None):
        """Waits for one of `ends`, and tells the faults whenever it is asked. Ends the process once nobody can ask any more."""
        ready = select.select([*ends, sys.stdin], [], [], seconds)[0]
        if sys.stdin in ready:
            if not os.read(sys.stdin.fileno(), 1):
                sys.exit()
            print(self._faults, flush=True)
        return [end for end in ready if end is not sys.stdin]

    def run(self, listener):
        """One client after the other."""
        while True:
            if self._ready([listener]):
                client, _address = listener.accept()
                with client, socket.socket(socket.AF_UNIX) as device:
                    device.connect(self._target)
                    self._carry({client: device, device: client})

    @staticmethod
    def _frames(data):
        """Takes whole frames, 00 … 00, out of what has come."""
        while 0 in data[1:]:
            end = data.index(0, 1) + 1
            yield bytes(data[:end])
            del data[:end]

    def _carry(self, ends):
        """Until one end closes."""
        late = []
        come = {end: bytearray() for end in ends}
        while True:
            ready = self._ready(ends, max(0, late[0][0] - time.monotonic()) if late else None)
            try:
                for end in ready:
                    data = end.recv(4096)
                    if not data:
                        return
                    come[end] += data
                    for frame in self._frames(come[end]):
                        for delay, piece in self._pieces(frame):
                            heapq.heappush(late, (time.monotonic() + delay, next(self._number),
                                                  ends[end], piece))
                while late and late[0][0] <= time.monotonic():
                    _due, _number, end, piece = heapq.heappop(late)
                    end.sendall(piece)
            except OSError:
                return


def main(path, target, *numbers):
    """For the process."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(1)
        Line(target, int(numbers[0]), *map(float, numbers[1:])).run(listener)


if __name__ == "__main__":
    main(*sys.argv[1:])
