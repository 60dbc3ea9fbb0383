# SPDX-License-Identifier: Apache-2.0
"""The reference scheduler: what the control processor does in a turn, as plainly as can be.

Written from the specification and the design, not from the firmware: lists and loops, one CTA at a
time. A turn takes in the host's commands, then what each SM says, then timers; ends the tasks that
are over; fills the slots; issues CTAs; and reports what is over.
"""
from reference_floor import Floor
from reference_host import Host
from reference_life import Life
from reference_lost import Lost
from reference_parts import BALANCE, Sm
from reference_queue import Queues
from reference_table import Table
from reference_walk import Walk

BATCH = 16


class Scheduler(Floor, Host, Life, Lost, Queues, Table, Walk):
    """State of the control processor."""

    def __init__(self, sms, ctas, warps, units, slots):
        self.sms = [Sm(number, ctas, warps, units) for number in range(sms)]
        self.needs_max = (warps, units)
        self.rank = list(range(sms))
        self.mode = BALANCE
        self.block = {}  # what the CONFIG block holds
        self.floor = 0
        self.throttle = 2 if sms > 1 else 1
        self.throttle_on = False
        self.last_sm = -1
        self.now = self.looked = 0  # ticks; when the clock was looked at
        self.slots = []
        self.slots_max = slots
        self.pending = {priority: [] for priority in range(1, 11)}
        self.stamp = 0
        self.credit = 0  # of the floor, in thousandths of a CTA
        self.last_lower = 0  # priority that the floor served last
        self.guest = None  # the task that has the slot that the floor keeps
        self.guest_served = False
        self.last_guest = 0  # priority of the last guest
        self.floor_pays = False
        self.failed = []  # names of tasks that failed lately
        self.live = []  # tasks that are not over, in order of acceptance
        self.quarantine = []  # (kernel, channel), the oldest first
        self.gone = []  # (SM, CTAs) that were lost in this turn
        self.resetting = None  # [tag, SM, status or None] of the RESET_SM that is carried out
        self.watched = []  # (SM, ticks) of resets that the watchdog has begun since the last turn
        self.opening = False  # whether a reset has opened all waves in this turn
        self.slot_order = []  # idents of the tasks in the slots, by slot
        self.hear_waves = lambda opening: None  # tells what has been counted, once the commands are taken
        self.retried = {}  # tag: CTAs that ran again, of tasks that are over
        self.channels = [[] for _ in range(8)]
        self.channel_priority = [10] * 8
        self.channel_suspended = [False] * 8
        self.last_channel = -1
        self.fences = []
        self.cancels = []  # tags of their commands
        self.cancelling = []  # tasks of channels that are cancelled
        self.ending = []  # tasks that may be over
        self.heard = {}  # SM: what it says, in order
        self.counted = []  # (SM, starts) of SMs that count their ends: what is heard of them before all else
        self.posting = False  # whether a task or fence was over in this turn
        self.sent = []  # (SM, CTA) of this turn's packets
        self.answers = []  # (SM, status) of this turn
        self.completions = []  # (tag, status, CTAs) of this turn

    def turn(self):
        """One turn of the loop."""
        self.posting = False
        self.sent, self.answers, self.completions, self.gone = [], [], [], []
        self.opening = False
        for number, since in self.watched:
            self.reset_begin(self.sms[number], since)
        self.watched = []
        self.take_commands()
        self.hear_waves(self.opening)
        for number, starts in self.counted:
            self.reported(self.sms[number], starts, "OK")
        self.counted = []
        for sm in self.sms:
            self.listen(sm, self.heard.get(sm.number, []))
        self.heard = {}
        self.resets()
        self.timers()
        self.cancel_all()
        self.end_tasks()
        self.fill()
        self.walk()
        self.end_fences()

    def listen(self, sm, said):
        """An SM's acknowledgement, then its reports and requests; at last that it has stopped."""
        for kind, *what in sorted(said, key=lambda item: "acrl".index(item[0][0])):
            if kind == "ack":
                self.acknowledged(sm)
            elif kind == "lost":
                self.sm_lost(sm)
            elif kind in ("counted", "report"):
                self.reported(sm, *what)
            else:
                self.answers.append((sm.number, self.requested(*what)))

    def acknowledged(self, sm):
        """Only the host is shown that."""
        sm.owes = False

    def reported(self, sm, starts, status):
        """CTAs ended."""
        for start in starts:
            cta = sm.running.pop(start)
            sm.give_back(cta)
            cta.task.in_flight -= 1
            if status == "OK":
                cta.task.done += 1
            if cta.task.tmd.kind == "queue":
                self.queue_ended(cta)
        task = cta.task
        if status != "OK":
            self.fail(task, status)
        if not task.in_flight:
            self.drained(task)
