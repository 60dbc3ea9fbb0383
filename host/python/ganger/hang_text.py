# SPDX-License-Identifier: Apache-2.0
"""A hang report as text."""

import os
from typing import List, Optional

from .typed import Json


def _place(place: Json) -> str:
    return f"{place['symbol']} ({os.path.basename(place['file'])}:{place['line']})" if place["file"] else str(place["symbol"])


def _at(one: Json) -> str:
    """"in f (a.c:3), called from g (a.c:9)", or what else is known."""
    if not one["places"]:
        return f"pc {one['pc']:#x}" if one["pc"] else ""
    return "in " + ", called from ".join(map(_place, one["places"]))


def _control(facts: Json) -> List[str]:
    control = facts["control"]
    lines = [f"control processor: {control['state']}, {control['heartbeat']} turns"]
    if not control["asked"]:
        lines.append("  was not asked: this process only looks on, and registers are those that SMs saved last")
    elif control["no_answer"]:
        lines.append(f"  does not answer: {control['no_answer']}" + ("" if control["moved"] else "; its heartbeat stands still"))
    panic = control["panic"]
    if panic:
        lines.append(f"  panic: cause {panic['cause']:#x}, pc {panic['pc']:#x}, address {panic['address']:#x}"
                     + (f", {panic['file']}:{panic['line']}" if panic["file"] else ""))
    lines += [f"  {one['stage']}: {one['waits']}" for one in facts["stages"]]
    if not facts["stages"]:
        lines.append("  waits for nothing: no command, task, packet, report or completion is on its way")
    return lines


def _cta(cta: Json) -> List[str]:
    kernel = cta["kernel"] or "kernel not known"
    lines = [f"    CTA {cta['cta']} of tag {cta['tag']} ({kernel}): {cta['state']}" + (", has the hart" if cta["on_hart"] else "")]
    if cta["on_hart"] and cta["pc"] is None:
        lines.append("      has not been interrupted since it started: where it is, is not known")
    where = _at(cta)
    if where:
        lines.append(f"      {where}")
    for item in cta.get("work_items", []):
        which = f"work-item {item['first']}" if item["count"] == 1 else f"{item['count']} work-items from {item['first']} on"
        lines.append(f"      {which} of {cta['threads']}: {item['state']} {_at(item)}".rstrip())
    return lines


def _sm(row: Json) -> List[str]:
    words = [row["hart"], f"{row['resident']} CTAs", f"{row['done']} ended"]
    if row["silent"]:
        words.append("SILENT: it was interrupted and has not answered")
    if row["stop"]:
        words.append(f"asked to stop {row['stop']}")
    lines = [f"  SM {row['sm']}: {', '.join(words)}"]
    if row["unknown"]:
        lines.append(f"    {row['unknown']}")
    for cta in row["ctas"]:
        lines += _cta(cta)
    return lines


def _idle(rows: List[Json]) -> Optional[str]:
    return f"  idle: SM {', '.join(str(row['sm']) for row in rows)}" if rows else None


def render(facts: Json) -> str:
    """All of a report."""
    lines = _control(facts)
    lines += ["tasks in slots:"] + ([
        f"  slot {task['slot']}: tag {task['tag']} ({task['kernel'] or 'kernel not known'}), {task['state']}, priority "
        f"{task['priority']}, {task['in_flight']} CTAs in flight, {task['left']} left, {task['reason']}"
        + (f", {task['status']}" if task["status"] != "OK" else "") for task in facts["tasks"]] or ["  none"])
    quiet = [row for row in facts["sms"] if row["hart"] == "STARTED" and not (row["resident"] or row["silent"] or row["stop"])]
    lines.append("SMs:")
    for row in facts["sms"]:
        if row not in quiet:
            lines += _sm(row)
    idle = _idle(quiet)
    lines += [idle] if idle else []
    done = facts["done"]
    lines.append("done about it: " + ", ".join(f"{name} {value}" for name, value in done.items()))
    lines += [f"  {fault['text']}" for fault in facts["faults"]]
    if facts["events"]:
        lines.append("newest trace records:")
        lines += [f"  {event['start'] / 1e6:.3f} ms {event['type']} tag {event['tag']}"
                  + (f" SM {event['sm']}" if event["sm"] is not None else "") for event in facts["events"]]
    return "\n".join(lines)
