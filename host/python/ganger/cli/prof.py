# SPDX-License-Identifier: Apache-2.0
"""prof: where a kernel spends its instructions, or its cycles."""

import argparse
import math
import os
from typing import Callable, Dict, List, Optional, Sequence, Union

from .. import kernels
from ..cycle_costs import CORES, Estimate, core_of, estimate_cycles
from ..cycles import CycleProfile, Sections
from ..device import Device
from ..errors import Error
from ..profile import Cost, Profile, Profiler
from .arguments import Arguments
from .common import add_boot_options, boot_keywords, positive, print_json, save, table
from .page import Commands, Options, add_command
from .run import add_task_options, kernel_of, post, wait_with_progress
from ..trace_buffer import MOST

_COSTS = ("instructions", "%", "loaded", "stored")


def add_commands(commands: Commands) -> None:
    """prof."""
    parser = add_command(commands, "prof", prof, "Count a kernel's instructions: by line, SM, CTA, work-item.",
                         "ganger prof vecadd.elf --grid 8 --block 128 --arg in:a.bin \\\n"
                         "    --arg in:b.bin --arg out:4K:c.bin --arg i32:1024 --flame f.svg \\\n"
                         "    --perfetto line.json --roofline roof.svg --peak 2 --bandwidth 0.5")
    add_task_options(parser)
    group = parser.add_argument_group("files")
    group.add_argument("--callgrind", metavar="FILE", help="for callgrind_annotate and KCachegrind")
    group.add_argument("--flame", metavar="FILE", help="flame graph: .svg, or .folded (a;b;c count) for others")
    group.add_argument("--perfetto", metavar="FILE", help="CTAs and work-items of each SM, as JSON for Perfetto")
    group.add_argument("--roofline", metavar="FILE", help="instructions a byte of each function, .svg")
    group.add_argument("--peak", type=positive, default=1.0, metavar="N",
                       help="of the roof: instructions a cycle (default %(default)g)")
    group.add_argument("--bandwidth", type=positive, default=1.0, metavar="N",
                       help="of the roof: bytes a cycle (default %(default)g)")
    group = parser.add_argument_group("cycles")
    group.add_argument("--connect", metavar="PLACE", help="not in QEMU: cycles on RTL or an FPGA, at mmap:FILE or serial:PORT")
    group.add_argument("--sections", type=_names, metavar="NAME,…", help="what the kernel marks; it has one more parameter for that")
    group.add_argument("--like", metavar="CORE", help="in QEMU: an estimate of the cycles on one of " + ", ".join(CORES))
    group.add_argument("--memory", type=_cycles, default=0, metavar="N",
                       help="of the estimate: cycles more for each load and store, but for those of the stack (default %(default)g)")
    group.add_argument("--spread", type=_sms, metavar="SMS", help="of the estimate: the same CTAs evenly on so many SMs")
    parser.add_argument("--timeout", type=positive, default=600, metavar="S",
                        help="seconds that the task may take (default %(default)s)")
    add_boot_options(parser)


def _cycles(text: str) -> float:
    return 0.0 if text == "0" else positive(text)


def _sms(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of SMs, such as 256")
    return int(text)


def _names(text: str) -> List[str]:
    names = text.split(",")
    if not all(names):
        raise argparse.ArgumentTypeError(f"'{text}' is no list of names, such as load,sum")
    return names


def _cells(cost: Cost, total: Cost) -> List[object]:
    share = 100 * cost.instructions / total.instructions if total.instructions else 0.0
    return [f"{cost.instructions:,}", f"{share:.1f}", f"{cost.loaded:,}", f"{cost.stored:,}"]


def text_of(profile: Profile, most: int = 20) -> str:
    """Tables: the `most` lines and functions with the most instructions, and all SMs."""
    total = profile.total
    rows: List[Sequence[object]] = [
        [*_cells(cost, total), f"{os.path.basename(file)}:{line}" if file else "no line (ganger-cc -g)"]
        for (file, line), cost in profile.lines().items()]
    parts = [table((*_COSTS, "line"), rows[:most]),
             table((*_COSTS, "function"), [[*_cells(cost, total), name] for name, cost in profile.functions().items()][:most]),
             table((*_COSTS, "SM", "CTAs"), [[*_cells(cost, total), sm, profile.ctas[sm]] for sm, cost in enumerate(profile.sms())]),
             f"{total.instructions:,} instructions, {total.loaded:,} bytes loaded, {total.stored:,} bytes stored; "
             f"{profile.intensity:.2f} instructions a byte; busiest SM: {profile.imbalance:.2f} times the mean"]
    return "\n\n".join([*parts, *_work(profile, most)])


def _work(profile: Profile, most: int) -> List[str]:
    """The same for barriers, work-items and CTAs: the CTAs with the most instructions, and one line of all."""
    work = profile.work
    ctas = sorted(work.ctas, key=lambda one: -one.instructions)
    parts = []
    if work.barriers:
        parts.append(table(("arrivals", "waited", "barrier"), [[f"{one.arrivals:,}", f"{one.waited:,}", profile.place(one.offset)]
                                                               for one in profile.barriers()][:most]))
    if work.groups():
        parts += [table(("instructions", "least", "most", "side by side", "work-items"),
                        [[f"{one.instructions:,}", f"{one.least:,}", f"{one.most:,}", f"{one.together:,}",
                          f"{one.first} and on"] for one in work.groups()][:most]),
                  table(("instructions", "least", "most", "waited", "CTA", "SM"),
                        [[f"{one.instructions:,}", f"{min(one.items.values()):,}", f"{max(one.items.values()):,}", f"{one.waited:,}", one.cta,
                          one.sm] for one in ctas[:5]]),
                  f"CTAs of {ctas[-1].instructions:,} to {ctas[0].instructions:,} instructions; work-items side by side in groups of "
                  f"{work.group} take {work.divergence:.2f} times as many as they execute"]
    if profile.lost[0]:
        parts.append(f"There was no room for {profile.lost[0]:,} turns of work-items: what is said of CTAs and work-items is not all.")
    if profile.lost[1]:
        parts.append(f"There was no room for the calls of {profile.lost[1]:,} instructions: the flame graph is not complete.")
    return parts


def estimate_text(estimate: Estimate, like: str, spread: Optional[int], most: int = 20) -> str:
    """The estimate: functions, and the whole."""
    ctas = sum(estimate.ctas)
    sms = spread or sum(1 for one in estimate.ctas if one)
    rows = [[f"{cycles:,.0f}", f"{100 * cycles / (estimate.total or 1):.1f}", name] for name, cycles in estimate.functions.items()]
    return "\n\n".join([table(("cycles", "%", "function"), rows[:most]),
                        f"as on {like}: {estimate.total:,.0f} cycles in kernels, {estimate.cta():,.0f} for each CTA; {ctas:,} CTAs on {sms:,} SMs: "
                        f"{estimate.span(spread):,.0f} cycles from the first start to the last end"])


def _flame(profile: Union[Profile, CycleProfile], name: str, options: Options) -> str:
    return profile.folded() if options.flame.endswith(".folded") else profile.flame(name)


def _save_files(profile: Profile, name: str, options: Options) -> None:
    made: Dict[str, Callable[[], str]] = {
        "callgrind": profile.callgrind, "flame": lambda: _flame(profile, name, options), "perfetto": profile.perfetto,
        "roofline": lambda: profile.roofline(options.peak, options.bandwidth, name)}
    for option, content in made.items():
        path = getattr(options, option)
        if path:
            save(path, content())


def _prof_on(device: Device, profiler: Profiler, options: Options) -> int:
    arguments, kernel = Arguments(device, options.arg), kernel_of(device, options)
    assert kernel.module is not None
    profiler.watch(device, kernel.module)
    wait_with_progress(device, post(device, kernel, options, arguments), options.timeout)
    profile, files = profiler.read(device), arguments.write()
    _save_files(profile, kernel.name, options)
    estimate = estimate_cycles(profile, options.like, options.memory) if options.like else None
    if options.json:
        more = {"estimate": estimate.as_dict(options.spread)} if estimate else {}
        print_json({"kernel": kernel.name, **profile.as_dict(), **more, "files": files})
    else:
        print(text_of(profile))
        if estimate:
            print("\n" + estimate_text(estimate, options.like, options.spread))
        block = options.block or kernel.block or (1,)
        if math.prod(block) > 1 and profile.looped:
            print("\nThe kernel is a loop over its work-items: what each of them executed is not exact, and its barriers are not counted. "
                  "Build it with `ganger-cc -fno-loops` for both.")
    return 0


def cycles_text(profile: CycleProfile, most: int = 20) -> str:
    """Tables: tasks, SMs, sections, and the `most` CTAs with the most cycles."""
    sms, ctas = profile.sms(), sorted(profile.ctas, key=lambda one: -one.cycles)
    total = sum(one.cycles for one in ctas)
    parts = [table(("cycles", "least", "middle", "most", "span", "whole", "CTAs", "task"),
                   [[f"{one.cycles:,}", f"{one.least:,}", f"{one.middle:,}", f"{one.most:,}", f"{one.span:,}",
                     "n/a" if one.whole is None else f"{one.whole:,}", f"{one.ctas:,}", one.task] for one in profile.tasks()]),
             table(("busy", "cycles", "CTAs", "SM"), [[f"{one.busy:,}", f"{one.cycles:,}", f"{one.ctas:,}", one.sm] for one in sms])]
    if profile.sections():
        parts.append(table(("cycles", "%", "least", "most", "times", "CTAs", "section"),
                           [[f"{one.cycles:,}", f"{100 * one.cycles / max(1, total):.1f}", f"{one.least:,}", f"{one.most:,}", f"{one.times:,}",
                             f"{one.ctas:,}", one.section] for one in profile.sections()]))
    parts += [table(("cycles", "start", "CTA", "SM"), [[f"{one.cycles:,}", f"{one.start:,}", one.cta, one.sm] for one in ctas[:most]]),
              f"{total:,} cycles of CTAs, of a clock of {profile.hz:,} Hz; busiest SM: {profile.imbalance:.2f} times the mean"]
    if profile.lost:
        parts.append(f"{profile.lost:,} records were overwritten before they were read: their CTAs are missing.")
    return "\n\n".join(parts)


def _prof_cycles(options: Options) -> int:
    """On a device that counts cycles."""
    for name in ("callgrind", "perfetto", "roofline"):
        if getattr(options, name):
            raise Error("ERR_ARGUMENT", f"--{name} needs counts of instructions, which there are in QEMU only. With --connect there is "
                        "--flame; `ganger trace` writes the time line.", name)
    with Device.connect(options.connect) as device:
        arguments, kernel = Arguments(device, options.arg), kernel_of(device, options)
        marks = Sections(device, options.sections, math.prod(options.grid)) if options.sections else None
        arguments.list += [marks.buffer] if marks else []
        device.trace_on(options.timeout, most=MOST)
        task = post(device, kernel, options, arguments)
        wait_with_progress(device, task, options.timeout)
        device.trace_off(options.timeout)
        profile, files = CycleProfile.of(device, device.trace(), {task.tag: marks} if marks else None), arguments.write()
    if options.flame:
        save(options.flame, _flame(profile, kernel.name, options))
    if options.json:
        print_json({"kernel": kernel.name, **profile.as_dict(), "files": files})
    else:
        print(cycles_text(profile))
    return 0


def prof(options: Options) -> int:
    """`ganger prof`."""
    kernels.elf_info(options.elf)  # A bad file is reported before anything boots.
    if options.like and options.connect:
        raise Error("ERR_ARGUMENT", "--like estimates cycles of what runs in QEMU; a device at --connect tells its own.", "like", options.like)
    if options.like:
        core_of(options.like)
    if options.connect:
        return _prof_cycles(options)
    if options.sections:
        raise Error("ERR_ARGUMENT", "--sections are cycles, which QEMU has not: it needs --connect.", "sections")
    with Profiler() as profiler, Device.boot(**boot_keywords(options), plugin=profiler.plugin()) as device:
        return _prof_on(device, profiler, options)
