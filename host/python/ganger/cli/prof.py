# SPDX-License-Identifier: Apache-2.0
"""prof: where a kernel spends its instructions."""

import os
from typing import List, Sequence

from .. import kernels
from ..device import Device
from ..profile import Cost, Profile, Profiler
from .arguments import Arguments
from .common import add_boot_options, boot_keywords, print_json, save, table
from .page import Commands, Options, add_command
from .run import add_task_options, kernel_of, post, wait_with_progress

_COSTS = ("instructions", "%", "loaded", "stored")


def add_commands(commands: Commands) -> None:
    """prof."""
    parser = add_command(commands, "prof", prof, "Count a kernel's instructions by line, function and SM.",
                         "ganger prof vecadd.elf --grid 8 --block 128 --arg in:a.bin \\\n"
                         "    --arg in:b.bin --arg out:4K:c.bin --arg i32:1024")
    add_task_options(parser)
    parser.add_argument("--callgrind", metavar="FILE", help="for callgrind_annotate and KCachegrind")
    parser.add_argument("--timeout", type=float, default=600, metavar="S",
                        help="seconds that the task may take (default %(default)s)")
    add_boot_options(parser)


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
    return "\n\n".join(parts)


def _prof_on(device: Device, profiler: Profiler, options: Options) -> int:
    arguments, kernel = Arguments(device, options.arg), kernel_of(device, options)
    assert kernel.module is not None
    profiler.watch(kernel.module)
    wait_with_progress(post(device, kernel, options, arguments), options.timeout)
    profile, files = profiler.read(device), arguments.write()
    if options.callgrind:
        save(options.callgrind, profile.callgrind())
    if options.json:
        print_json({"kernel": kernel.name, **profile.as_dict(), "files": files})
    else:
        print(text_of(profile))
    return 0


def prof(options: Options) -> int:
    """`ganger prof`."""
    kernels.elf_info(options.elf)  # A bad file is reported before anything boots.
    with Profiler() as profiler, Device.boot(**boot_keywords(options), plugin=profiler.plugin()) as device:
        return _prof_on(device, profiler, options)
