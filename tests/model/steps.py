# SPDX-License-Identifier: Apache-2.0
"""Random steps of a workload: what each may do is chosen by a set of features."""
import makers
from encode import command
from reference_lost import ANSWER_TICKS
from reference_parts import BALANCE, ROUND_ROBIN
from wire import offset
from world import World

WAVES = (2, 2, 1, 0)
ANSWER = (0, 60_000_000, ANSWER_TICKS, ANSWER_TICKS + 1)  # ticks that pass at once
ERRORS = ("ERR_ABORTED", "ERR_FAULT_ACCESS")


class Steps:
    """A workload. `features` names what it uses besides plain grids."""

    def __init__(self, data, *features, **device):
        self.choices = choices = data
        self.features = set(features)
        self.world = World(sms=1 + choices.below(5), ctas=choices.of((8, 2, 3)),
                           warps=choices.of((64, 5)), units=choices.of((32, 9)), **device)
        self.world.set_waves(choices.of(WAVES))
        if "gpcs" in self.features:
            self.configure(0, "GROUP")
            self.world.turn()

    def run(self):
        """All steps, then the end."""
        while self.choices.more():
            self.step()
        self.world.finish()

    def step(self):
        """One turn and what comes before it."""
        choices, world = self.choices, self.world
        for _ in range(choices.of((0, 0, 1, 2))):
            self.host()
        for sm in world.owing():
            if choices.below(4) < 3:
                world.acknowledge(sm)
        if "guilt" not in self.features or choices.chance(4):  # there they outlive their SMs
            self.end_some()
        if choices.chance(16):
            world.set_waves(choices.of(WAVES))
        if "requests" in self.features and choices.chance(3):
            self.ask()
        if "loss" in self.features:
            self.lose_some(choices.below(world.device.sms))
        if "time" in self.features:
            world.wait(choices.of((0, 0, 1000, 2000)))
        world.turn()

    def lose_some(self, sm):
        """An SM goes on with its way out of the device or back, or begins it; at times it hangs until it is too late."""
        choices, world = self.choices, self.world
        state, channel = world.reference.sms[sm], choices.below(3) if "channels" in self.features else 0
        if sm in world.lost or state.reset:
            if choices.below(3):
                self.go_on(state, channel)
        elif choices.chance(2 if "guilt" in self.features else 5):
            what = choices.of((0, 2) if "guilt" in self.features else (0, 1, 2, 3))
            if what == 0 and not world.waves.has_counted(sm):
                world.lose(sm, choices.below(2))
            elif what == 1:
                world.watch(sm)
            else:
                world.reset_sm(channel, sm)
        if choices.chance(8):
            world.lift(choices.below(3))
        if choices.chance(12):
            world.wait(choices.of(ANSWER))
        if choices.chance(12):
            world.reset_sm(channel, choices.below(world.device.sms + 1))

    def go_on(self, state, channel):
        """What is next for an SM that is lost or is being reset."""
        world = self.world
        if state.reset == "stops" and state.number not in world.lost:
            if self.choices.chance(2 if "guilt" in self.features else 3):
                world.wait(ANSWER_TICKS + 1)  # it hangs
            elif not world.waves.has_counted(state.number):
                world.lose(state.number, self.choices.below(2))
        elif state.reset == "starts":
            if not state.runs_again:
                world.boot(state.number)
        elif not state.asleep:
            world.sleep(state.number)
        else:
            world.reset_sm(channel, state.number)

    def end_some(self):
        """Some CTAs end; a few of one task on an SM in one report."""
        choices, world = self.choices, self.world
        groups = {}
        for cta in world.ctas:
            groups.setdefault(cta[:2], []).append(cta)
        for group in groups.values():
            count = choices.below(2 * len(group) + 1) - len(group)
            if count <= 0:
                continue
            if "failure" in self.features and choices.chance(8):
                world.end([choices.of(group)], choices.of(ERRORS))
            elif group[0][2].task.tmd.kind == "queue":
                for cta in group[:count]:
                    world.end([cta])
            else:
                first = choices.below(len(group) - count + 1)
                world.end(group[first:first + count])

    def host(self):
        """The host posts something."""
        choices, world = self.choices, self.world
        channel = choices.below(3) if "channels" in self.features else 0
        verbs = [self.submit] * 12 + [self.fence]
        for feature, verb in (("config", self.config), ("control", self.control),
                              ("queue", self.push), ("queue", self.push),
                              ("channels", self.order_channels)):
            if feature in self.features:
                verbs += [verb, verb]
        choices.of(verbs)(channel)
        assert len(world.reference.channels[channel]) < 60

    def submit(self, channel):
        """SUBMIT."""
        values = makers.make(self.features, self.choices, self.world)
        self.world.submit(self.world.tmd(**values), channel)

    def fence(self, channel):
        """FENCE."""
        self.world.post(channel, "fence", command("FENCE", self.world.new_tag()))

    def order_channels(self, channel):
        """Another priority of a channel."""
        self.world.set_channel(channel, self.choices.of((10, 1, 2, 0)))

    def config(self, channel):
        """CONFIG of a part."""
        parts = ["MODE", "RANK", "ENABLED"]
        parts += [name.upper() for name in ("throttle", "floor") if name in self.features]
        self.configure(channel, self.choices.of(parts[::-1]))

    def configure(self, channel, part):
        """CONFIG of this part."""
        choices, world = self.choices, self.world
        sms = world.device.sms
        if part == "RANK":
            turn = choices.below(sms)
            value = words = list(range(turn, sms)) + list(range(turn))
        elif part == "ENABLED":
            value = [sm for sm in range(sms) if choices.below(4)] or list(range(sms))
            words = [sum(1 << sm for sm in value)]
        elif part == "GROUP":
            value = words = [sm // 2 for sm in range(sms)]
        else:
            values = {"MODE": (ROUND_ROBIN, BALANCE), "FLOOR": (100, 300, 500, 999, 0),
                      "THROTTLE": [factor for factor in (1, 2, 4) if factor <= sms]}
            value = choices.of(values[part])
            words = [value]
        first = offset("config", {"FLOOR": "floor_per_mille", "THROTTLE": "throttle_sms"}.get(
            part, part.lower()))
        world.configure(channel, part, value, [(first + 4 * at, word)
                                               for at, word in enumerate(words)])

    def push(self, channel):
        """PUSH to, or CLOSE, a queue."""
        choices, world = self.choices, self.world
        tmd = choices.of([tmd for tmd in world.tmds.values() if tmd.kind == "queue"][-6:] or [None])
        if tmd is None:
            return
        if choices.chance(6):
            world.control(channel, "close", tmd)
        else:
            world.push(channel, tmd, 1 + choices.of((0, 1, 3, 8)))

    def control(self, channel):
        """CANCEL, SUSPEND, RESUME of a task, mostly of one that lives, or of a channel."""
        choices, world = self.choices, self.world
        verb = choices.of(("suspend", "resume", "cancel"))
        if choices.chance(5):
            world.control_channel(channel, verb, choices.below(3))
            return
        live = [task.tmd for task in world.reference.live if not task.parent]
        known = live or list(world.tmds.values())
        if choices.chance(8):
            known = list(world.tmds.values())
        if known:
            world.control(channel, verb, choices.of(known[::-1][:255]))

    def ask(self):
        """A CTA asks for something."""
        choices, world = self.choices, self.world
        able = [cta for cta in world.ctas if cta[2].task.status == "OK"]
        if not able:
            return
        cta = choices.of(able)
        queues = [tmd for tmd in world.tmds.values() if tmd.kind == "queue"][-6:]
        kind = choices.of(("launch", "launch", "push", "close"))
        if kind == "launch":
            values = makers.make(self.features, choices, world)
            world.request(cta, "launch", world.tmd(**values))
        elif queues:
            world.request(cta, kind, choices.of(queues), 1 + choices.below(4))
