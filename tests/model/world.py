# SPDX-License-Identifier: Apache-2.0
"""A workload: a host and SMs that do what Choices say, with the device and the reference.

After every turn what is to be seen of both is compared, and the invariants are checked.
"""
import compare
import device
import invariants
import waves
from encode import Memory, command
from reference import Scheduler
from reference_parts import Tmd
from wire import ENUMS, offset, pack

TURNS_AT_END = 600
COUNT = {"workloads": 0, "turns": 0}


class Different(AssertionError):
    """Device and reference differ."""


class World:
    """Device, reference, and what the host and the SMs have in hand."""

    def __init__(self, sms=4, **resources):
        COUNT["workloads"] += 1
        resources = {"ctas": 8, "warps": 64, "units": 32, **resources}
        self.device = device.Device(sms, **resources)
        self.reference = Scheduler(sms, slots=self.device.library.model_slots(), **resources)
        self.memory = Memory(self.device)
        self.tmds = {}
        self.tags = 0
        self.waves = waves.Waves(self)
        self.reference.hear_waves = self.waves.tell
        self.ctas = []  # (SM, packet.task, reference's CTA) that the SMs run
        self.sms = []  # state words of the SMs
        self.slots = []
        self.lost = set()  # SMs
        self.log = []
        self.check = invariants.Invariants(self, resources)
        self.more = False
        self.turn()

    # What the host does

    def tmd(self, **values):
        """A new TMD, in memory when it is posted."""
        ident = len(self.tmds) + 1
        self.tmds[ident] = Tmd(ident, self.memory.tmd_address(), **values)
        return self.tmds[ident]

    def post(self, channel, verb, words, *what):
        """Post a command to both; `verb` and `what` are the reference's."""
        self.log.append((channel, verb, *what))
        self.device.ops += [device.POST, channel, *words]
        self.reference.channels[channel].append((verb, words[1], *what))
        self.check.posted(words[1], verb, what)

    def configure(self, channel, part, value, words):
        """CONFIG of a part; `words` are its (byte offset, value)."""
        self.reference.block[part] = value
        self.log.append((part, value))
        for offset, value in words:
            self.device.ops += [device.CONFIG, offset, value]
        parts = 1 << ENUMS["config_part"][part]
        self.post(channel, "configure", command("CONFIG", self.new_tag(), argument0=parts), part)

    def new_tag(self):
        """A tag for the next command."""
        self.tags += 1
        return self.tags

    def submit(self, tmd, channel=0):
        """SUBMIT."""
        self.memory.put_tmd(tmd)
        self.post(channel, "submit", command("SUBMIT", self.new_tag(), tmd.address,
                                             tmd.generation), tmd)

    def later(self, values):
        """A TMD in memory that is not submitted."""
        tmd = self.tmd(**values)
        self.memory.put_tmd(tmd)
        return tmd

    def control(self, channel, verb, tmd):
        """CANCEL, SUSPEND, RESUME, CLOSE of a task."""
        self.post(channel, verb, command(verb.upper(), self.new_tag(), tmd.address,
                                         tmd.generation), tmd.name)

    def control_channel(self, channel, verb, target):
        """CANCEL, SUSPEND, RESUME of a channel."""
        self.post(channel, verb + "_channel", command(
            verb.upper(), self.new_tag(), 0, target, ENUMS["target"]["CHANNEL"]), target)

    def push(self, channel, tmd, count):
        """PUSH of items that are in place."""
        self.post(channel, "push", command("PUSH", self.new_tag(), tmd.address, tmd.generation, 0,
                                           count), tmd.name, count)

    def set_channel(self, channel, priority):
        """Another priority of a channel; no number but 1 to 10 counts."""
        self.log.append(("priority", channel, priority))
        self.device.ops += [device.CHANNEL, channel, priority]
        self.reference.channel_priority[channel] = priority if 1 <= priority <= 10 else 10

    # What the SMs do

    def owing(self):
        """SMs that have not acknowledged."""
        return [sm.number for sm in self.reference.sms if sm.owes and sm.number not in self.lost]

    def acknowledge(self, sm):
        """An SM acknowledges."""
        self.log.append(("ack", sm))
        self.device.ops += [device.ACK, sm]
        self.reference.heard.setdefault(sm, []).append(("ack",))

    def end(self, ctas, status="OK"):
        """CTAs of one task on one SM end, in one report."""
        sm = ctas[0][0]
        word = ctas[0][1]
        self.log.append(("end", sm, [(cta.task.ident, cta.number) for _, _, cta in ctas], status))
        self.ctas = [cta for cta in self.ctas if cta not in ctas]
        self.check.ended(ctas)
        if not self.waves.end(ctas, status):
            self.report(sm, word, ctas, status)

    def report(self, sm, word, ctas, status):
        """An SM reports."""
        if sm in self.owing():
            self.acknowledge(sm)  # which it does before it takes the packet
        starts = [cta.start for _, _, cta in ctas]
        self.device.ops += [device.REPORT, sm, word, sum(1 << start for start in starts),
                            device.STATUS[status] & 0xffffffff, ctas[0][2].number]
        self.reference.heard.setdefault(sm, []).append(("report", starts, status))

    def request(self, cta, kind, tmd, count=0):
        """A CTA asks for a launch, a push or a close."""
        sm, word, taken = cta
        if kind == "launch":
            self.memory.put_tmd(tmd)
        what = {"launch": (tmd,), "push": (tmd.name, count), "close": (tmd.name,)}[kind]
        self.log.append(("request", sm, taken.task.ident, kind, *what))
        self.device.ops += [device.REQUEST, sm, *pack(
            "request", slot=word, kind=ENUMS["request_kind"][kind.upper()], address_lo=tmd.address,
            argument=tmd.generation, count=count if kind == "push" else 0)]
        self.reference.heard.setdefault(sm, []).append(("request", taken.task, kind, *what))

    def set_waves(self, mode):
        """From now on: 0 no waves, 1 open ones, 2 closed ones."""
        self.log.append(("waves", mode))
        self.device.ops += [device.WAVES, mode]

    def wait(self, ticks):
        """Time passes."""
        self.log.append(("wait", ticks))
        self.device.ops += [device.TIME, ticks]
        self.reference.now += ticks

    def reset_sm(self, channel, sm):
        """RESET_SM."""
        self.post(channel, "reset_sm", command("RESET_SM", self.new_tag(), argument0=sm), sm)

    def watch(self, sm):
        """The watchdog has an SM reset."""
        self.log.append(("watch", sm))
        self.device.ops += [device.WATCH, sm]
        self.reference.watched.append((sm, self.reference.now))

    def lose(self, sm, asleep):
        """An SM says that it has stopped, and is lost with its CTAs. `asleep`: its hart sleeps already."""
        self.log.append(("lose", sm, asleep))
        self.device.ops += [device.LOSE, sm, asleep]
        self.reference.sms[sm].asleep = bool(asleep)
        self.reference.heard.setdefault(sm, []).append(("lost",))
        self.gone(sm)

    def gone(self, sm):
        """An SM is lost: nothing that it has is heard of any more."""
        self.ctas = [cta for cta in self.ctas if cta[0] != sm]
        self.waves.lose(sm)
        self.lost.add(sm)

    def sleep(self, sm):
        """The hart of a lost SM sleeps."""
        self.log.append(("sleep", sm))
        self.device.ops += [device.SLEEP, sm]
        self.reference.sms[sm].asleep = True

    def boot(self, sm):
        """The hart of an SM that was started says that it runs."""
        self.log.append(("boot", sm))
        self.device.ops += [device.BOOT, sm]
        self.reference.sms[sm].runs_again = True

    def lift(self, channel):
        """Kernels are let out of quarantine."""
        self.log.append(("lift", channel))
        self.device.ops += [device.LIFT, channel]
        self.reference.lift_quarantine(channel)

    # Turns

    def turn(self):
        """One turn of both, compared."""
        COUNT["turns"] += 1
        if self.log and self.log[-1][0] == "turns":
            self.log[-1] = "turns", self.log[-1][1] + 1
        else:
            self.log.append(("turns", 1))
        seen = self.device.turn()
        self.reference.turn()
        for sm in self.reference.sms:
            if sm.lost and sm.number not in self.lost:
                self.gone(sm.number)
            elif not sm.lost:
                self.lost.discard(sm.number)
        have = compare.of_device(seen, self.tmds, self.lost)
        want = compare.of_reference(self.reference, [sm.lent or number in self.lost
                                                     for number, sm in enumerate(seen.sms)])
        for sm, ctas in self.reference.gone:
            self.check.lost(sm, ctas)
        self.check.turned(seen, have)
        for part in compare.View.parts:
            if getattr(have, part) != getattr(want, part):
                raise Different(self.explain(part, have, want))
        self.sms, self.slots, self.more = seen.sms, seen.slots, seen.more
        self.reference.slot_order = [slot.ident for slot in seen.slots]
        self.waves.taken(seen)
        self.take(seen)

    def take(self, seen):
        """The SMs take their packets."""
        words = {}
        for packet in seen.packets:
            for start in compare.bits(packet.starts):
                words[packet.sm, start] = packet.task
        self.ctas += [(sm, words[sm, cta.start], cta) for sm, cta in self.reference.sent]

    def explain(self, part, have, want):
        """What differs, and how it came."""
        lines = [f"{part}: device and reference differ", f"device:    {getattr(have, part)}",
                 f"reference: {getattr(want, part)}", *map(str, self.log[-60:])]
        return "\n".join(lines)

    def finish(self):
        """End all CTAs well until nothing is left, and check that every command was answered."""
        for turn in range(TURNS_AT_END):
            self.let_back()
            for sm in self.owing():
                self.acknowledge(sm)
            for cta in list(self.ctas):
                self.end([cta])
            if turn % 20 == 19:
                self.let_go()
            self.turn()
            busy = self.more or self.ctas or self.owing() or any(self.reference.channels) or self.lost or \
                self.reference.resetting or any(sm.reset for sm in self.reference.sms)
            if not busy and not self.reference.live:
                break
        else:
            live = [(task.tmd, task.place) for task in self.reference.live]
            raise AssertionError(f"the workload does not end: {live}, open: {self.check.open}")
        self.check.finished()
        other = self.device.replay()
        if other is not None:
            lines = [f"express {other[0]}: turn {other[1]} tells other words", *map(str, self.log[-60:])]
            raise Different("\n".join(lines))

    def let_back(self):
        """Each SM that is lost, or on the way to it, comes back, one after the other."""
        for sm in self.reference.sms:
            if sm.reset == "stops" and not sm.lost:
                self.lose(sm.number, 1)
            elif sm.lost and not sm.asleep and sm.reset != "starts":
                self.sleep(sm.number)
            elif sm.reset == "starts" and not sm.runs_again:
                self.boot(sm.number)
        waiting = [sm.number for sm in self.reference.sms if sm.lost and not sm.reset]
        if waiting and not self.reference.resetting and not self.reference.channels[7]:
            self.reset_sm(7, waiting[0])

    def let_go(self):
        """Resume, close or cancel everything that would not end otherwise, on a channel that is read."""
        live = self.reference.live
        everyone = list(range(self.device.sms))
        self.configure(7, "ENABLED", everyone, [(offset("config", "enabled"),
                                                 (1 << len(everyone)) - 1)])
        for number, suspended in enumerate(self.reference.channel_suspended):
            if suspended:
                self.control_channel(7, "resume", number)
        for task in live[:20]:
            if task.suspended:
                self.control(7, "resume", task.tmd)
            elif task.place == "held" and not task.after or task.tmd.throttle:
                self.control(7, "cancel", task.tmd)
            elif task.tmd.kind == "queue" and not task.closed:
                self.control(7, "close", task.tmd)
        self.wait(10000)
