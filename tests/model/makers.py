# SPDX-License-Identifier: Apache-2.0
"""TMDs of random workloads: each feature of a workload adds fields to them."""
from reference_parts import (BALANCE, BY_DEVICE, DECREMENT, INCREMENT_PUT, NEVER, ROUND_ROBIN,
                             SCHEDULE)


def grid(choices):
    """Fields that every task has."""
    return {
        "priority": 5 + choices.below(4) - 2 * choices.below(3),
        "ctas": 1 + choices.of((0, 1, 3, 7, 20)) + choices.below(4),
        "head": choices.chance(4),
        "shared": choices.of((0, 0, 4096, 7000, 16000)),
        "warps": choices.of((1, 1, 2, 3)),
        "mode": choices.of((BY_DEVICE, BALANCE, ROUND_ROBIN)),
    }


def resume(values, choices, _world):
    """A grid that starts in its middle, and may end before its end."""
    values["resume"] = choices.below(values["ctas"])
    values["part"] = choices.below(values["ctas"] - values["resume"] + 1)


def retry(values, choices, _world):
    """CTAs of lost SMs run again."""
    values["retry"] = choices.of((0, 1, 2, 15))
    values["kernel"] = choices.below(6)


def guilt(values, choices, _world):
    """CTAs that run again often enough for their kernels to be blamed, and sometimes two kernels at once."""
    values["retry"] = 15
    values["kernel"] = choices.below(3)


def sequence(values, choices, _world):
    """One CTA at a time."""
    values["sequential"] = choices.chance(3)


def quota(values, choices, _world):
    """A launch quota."""
    values["quota"] = choices.of((0, 1, 2, 5))


def affinity(values, choices, world):
    """SMs that may run it; at times none."""
    sms = world.device.sms
    values["only"] = choices.of(((), tuple(choices.some(range(sms + 1)))))
    values["gpcs"] = choices.of((0, 1, 2, 3))


def throttle(values, choices, _world):
    """Throttle tasks."""
    values["throttle"] = choices.chance(4)
    if values["throttle"] and choices.chance(4):
        values["shared"] = 40000


def queue(values, choices, _world):
    """Queue tasks."""
    if not choices.below(2):
        return
    items = 1 + choices.of((0, 1, 3))
    capacity = items * 2 + choices.of((0, 1, 5, 100))
    values.update(
        kind="queue", ctas=1, quota=0, items=items, capacity=capacity,
        minimum=choices.below(items + 1), closed=choices.chance(4),
        outstanding=choices.of((0, 0, 1, 3, capacity)),
        coalesce_us=choices.of((NEVER, 0, 100, 300)))
    values["outstanding"] = min(values["outstanding"], capacity)


def null(values, choices, _world):
    """Tasks without CTAs."""
    if choices.chance(6) and values.get("kind", "grid") == "grid":
        values.update(kind="null", ctas=1, shared=0, only=(), gpcs=0, throttle=False)


def dependence(values, choices, world):
    """Tasks that wait for others, and tasks that others wait for."""
    values["dependence_count"] = choices.of((0, 0, 1, 2))
    known = list(world.tmds.values())[-8:]
    held = [task.tmd for task in world.reference.live if task.place == "held"]
    values["dependents"] = [(other, DECREMENT, 0) for other in held[-4:] if choices.chance(2)]
    if known and choices.chance(4):
        values["dependents"].append((choices.of(known), DECREMENT, 0))
    queues = [tmd for tmd in known if tmd.kind == "queue"]
    if queues and choices.chance(3):
        values["dependents"].append((choices.of(queues), INCREMENT_PUT, 1 + choices.below(3)))
    if known and not choices.below(3):
        values["after"] = [choices.of(known) for _ in range(choices.below(3))]


def schedule(values, choices, world):
    """Tasks that have others run as their children when they end."""
    children = [world.later(grid(choices)) for _ in range(choices.of((0, 0, 1, 2)))]
    values.setdefault("dependents", []).extend((child, SCHEDULE, 0) for child in children)


FEATURES = {make.__name__: make for make in (resume, retry, guilt, sequence, quota, affinity, throttle, queue,
                                             null, dependence, schedule)}


def make(features, choices, world):
    """Fields of a random TMD."""
    values = grid(choices)
    for name, change in FEATURES.items():
        if name in features:
            change(values, choices, world)
    if values.get("kind", "grid") != "grid":
        values.pop("resume", None)
        values.pop("part", None)
    if values.get("kind") == "null" and choices.below(8):
        values.pop("retry", None)  # else it is refused
    return values
