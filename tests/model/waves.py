# SPDX-License-Identifier: Apache-2.0
"""Waves as the SMs see them: CTAs whose ends an SM counts when all of them have ended well.

The reference knows nothing of waves. It hears of the ends when the control processor does: of all SMs at once when the
last one has counted itself; of each for itself when the wave is open.
"""
import device
from compare import bits

CLOSED = 1 << 29  # packet.pull, as tests/model/driver_tell.c sets it


class Wave:
    """A closed wave that was sent."""

    def __init__(self):
        self.running = {}  # SM: starts of its CTAs, while it is in the wave
        self.ended = {}  # SM: those CTAs that have ended
        self.counted = {}  # SM: starts, of SMs that were counted and not heard
        self.count = 0  # SMs that were counted
        self.sms = 0
        self.open = False
        self.look = False  # the control processor looks at it in the next turn
        self.looked = False  # it has done so in the turn in which it was opened


class Waves:
    """All waves of a world."""

    def __init__(self, world):
        self.world = world
        self.out = {}  # packet.task: wave
        self.acked = {}  # SM: the task whose state it has acknowledged without ringing

    def taken(self, seen):
        """After a turn: the SMs take their packets, and see which waves are open."""
        for packet in seen.packets:
            if packet.pull & CLOSED:
                wave = self.out.setdefault(packet.task, Wave())
                wave.running[packet.sm] = bits(packet.starts)
                wave.ended[packet.sm] = []
                wave.sms += 1
        opened = {slot.index for slot in seen.slots if slot.wave_open}
        for word, wave in self.out.items():
            if word & 0xff in opened and not wave.open:
                wave.open, wave.look = True, not wave.looked
                for sm in list(wave.running):
                    self.leave(word, wave, sm)

    def leave(self, word, wave, sm):
        """An SM leaves a wave: it reports what it has not told."""
        del wave.running[sm]
        if wave.ended[sm]:
            self.world.report(sm, word, wave.ended[sm], "OK")

    def lose(self, sm):
        """An SM is lost: it counts and reports nothing more."""
        self.acked.pop(sm, None)
        for wave in self.out.values():
            wave.running.pop(sm, None)
            wave.ended.pop(sm, None)

    def has_counted(self, sm):
        """Whether an SM was counted, and the control processor has not heard of it."""
        return any(sm in wave.counted for wave in self.out.values())

    def end(self, ctas, status):
        """CTAs of a task on an SM end. Returns whether nothing is to be reported."""
        sm, word, _ = ctas[0]
        wave = self.out.get(word)
        if not wave or sm not in wave.running:
            return False
        if status != "OK":
            self.leave(word, wave, sm)
            return False
        wave.ended[sm] += ctas
        if len(wave.ended[sm]) == len(wave.running[sm]):
            self.world.log.append(("counted", sm))
            self.world.device.ops += [device.COUNT, sm, word & 0xff]
            self.acked[sm] = self.world.reference.sms[sm].task
            wave.counted[sm] = wave.running.pop(sm)
            wave.count += 1
        return True

    def tell(self, opening):
        """In a turn, when the commands are taken: what the control processor will hear. `opening`: all waves were opened."""
        reference = self.world.reference
        order = sorted(self.out.items(), key=lambda item: item[0] & 0xff)
        for look in (True, False):
            for _, wave in order:
                wave.looked = opening and not wave.open
                if wave.look or wave.looked if look else not wave.open and wave.count == wave.sms:
                    reference.counted += sorted(wave.counted.items())
                    wave.counted = {}
                    wave.look = False
        for _, wave in order:
            if wave.open:
                for sm, starts in wave.counted.items():
                    reference.heard.setdefault(sm, []).append(("counted", starts, "OK"))
                wave.counted = {}
        self.out = {word: wave for word, wave in order if wave.running or wave.counted}
        self.acknowledge(set(reference.heard) | {sm for sm, _ in reference.counted})

    def acknowledge(self, heard):
        """What is heard of an SM shows that it has acknowledged."""
        for sm, task in list(self.acked.items()):
            if self.world.reference.sms[sm].task is not task:
                del self.acked[sm]
            elif sm in heard:
                self.world.reference.heard.setdefault(sm, []).append(("ack",))
                del self.acked[sm]
