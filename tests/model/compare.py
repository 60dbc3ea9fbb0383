# SPDX-License-Identifier: Apache-2.0
"""The visible state of the device and of the reference, in the same form."""
from device import SYNC_ACKED, SYNC_NONE, status_name

LEAVING = 3


def bits(word):
    """Numbers of the bits that are set."""
    return [bit for bit in range(32) if word >> bit & 1]


class View:
    """What is compared. Each part is compared as a whole; the first that differs is told."""
    parts = ("slots", "sms", "packets", "answers", "completions")

    def __init__(self, slots, sms, packets, answers, completions):
        self.slots = slots
        self.sms = sms
        self.packets = sorted(packets)
        self.answers = answers
        self.completions = sorted(completions)


def of_device(seen, tmds, lost):
    """View of a device after a turn. `tmds` is the TMD of each ident, `lost` the SMs that are lost."""
    idents = {slot.index: slot.ident for slot in seen.slots}
    order = sorted(seen.slots, key=lambda slot: (slot.priority, slot.stamp))
    slots = [(slot.ident, slot.priority, slot.next, slot.in_flight, slot.state == LEAVING)
             for slot in order]
    sms = []
    for number, sm in enumerate(seen.sms):
        if sm.lent or number in lost:
            sms.append(None)
            continue
        valid = sm.state_sync != SYNC_NONE
        sms.append((idents[sm.task_assign & 0xff] if valid else None,
                    valid and sm.state_sync != SYNC_ACKED,
                    sm.free_ctas, sm.free_warps, sm.free_units))
    packets = []
    for packet in seen.packets:
        ident = idents[packet.task & 0xff]
        tmd = tmds[ident]
        starts = bits(packet.starts)
        for index, start in enumerate(starts):
            item = (0, 0)
            if tmd.kind == "queue":
                last = index == len(starts) - 1
                item = (packet.queue_position + index * tmd.items,
                        packet.queue_last if last else tmd.items)
            packets.append((packet.sm, ident, packet.first + index, start, packet.units, *item))
    answers = [(sm, status_name(status)) for sm, status, _ in seen.answers]
    completions = [(done.tag, status_name(done.status), done.ctas, done.retried) for done in seen.completions]
    return View(slots, sms, packets, answers, completions)


def of_reference(model, lent):
    """View of the reference after a turn. `lent`: whether each SM is lent to a wave or lost, and so not looked at."""
    slots = [(task.ident, task.priority, task.next, task.in_flight, task.leaving)
             for task in model.order()]
    sms = [None if lent[sm.number] else
           (sm.task.ident if sm.task else None, sm.owes, sm.free_ctas, sm.free_warps,
            sum(1 << unit for unit, free in enumerate(sm.units) if free)) for sm in model.sms]
    packets = [(number, cta.task.ident, cta.number, cta.start, cta.units, cta.position, cta.items)
               for number, cta in model.sent]
    return View(slots, sms, packets, list(model.answers),
                [(*done, model.retried.pop(done[0], 0)) for done in model.completions])
