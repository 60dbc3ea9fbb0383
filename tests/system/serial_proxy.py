# SPDX-License-Identifier: Apache-2.0
"""A bad serial line: a Unix socket in front of another one. What passes is lost, doubled, changed,
exchanged, late, or comes again later, as a seeded generator decides."""
import heapq
import itertools
import os
import random
import select
import socket
import threading
import time

LATE_MOST_S = 0.2


class SerialProxy:
    """Listens at `path` for one client after the other and connects each to `target`.

    byte_rate, frame_rate: chances of a fault for each byte, and for each frame.
    faults: how many there were.
    """

    def __init__(self, path, target, seed=0, byte_rate=0.0, frame_rate=0.0):
        self.path, self.target = str(path), str(target)
        self.faults = 0
        self.clients = 0
        self._random = random.Random(seed)
        self._rates = byte_rate, frame_rate
        self._number = itertools.count()
        self._wake, self._woken = os.pipe()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen(1)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self):
        """Ends the line."""
        os.close(self._woken)
        self._thread.join(30)
        self._listener.close()
        os.close(self._wake)

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        self.close()

    def _strikes(self, rate):
        hit = self._random.random() < rate
        self.faults += hit
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

    def _run(self):
        while True:
            ready = select.select([self._listener, self._wake], [], [])[0]
            if self._wake in ready:
                return
            client, _address = self._listener.accept()
            self.clients += 1
            with client, socket.socket(socket.AF_UNIX) as device:
                device.connect(self.target)
                if not self._carry({client: device, device: client}):
                    return

    @staticmethod
    def _frames(data):
        """Takes whole frames, 00 … 00, out of what has come."""
        while 0 in data[1:]:
            end = data.index(0, 1) + 1
            yield bytes(data[:end])
            del data[:end]

    def _carry(self, ends):
        """Until one end closes; False: until close()."""
        late = []
        come = {end: bytearray() for end in ends}
        while True:
            wait = max(0, late[0][0] - time.monotonic()) if late else None
            ready = select.select([*ends, self._wake], [], [], wait)[0]
            if self._wake in ready:
                return False
            try:
                for end in ready:
                    data = end.recv(4096)
                    if not data:
                        return True
                    come[end] += data
                    for frame in self._frames(come[end]):
                        for delay, piece in self._pieces(frame):
                            heapq.heappush(late, (time.monotonic() + delay, next(self._number),
                                                  ends[end], piece))
                while late and late[0][0] <= time.monotonic():
                    _due, _number, end, piece = heapq.heappop(late)
                    end.sendall(piece)
            except OSError:
                return True
