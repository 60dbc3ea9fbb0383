# SPDX-License-Identifier: Apache-2.0
"""run, submit, wait: kernels on a device."""

import sys
import time
from contextlib import suppress
from typing import List, Tuple

from .. import kernels
from ..clib import Deadline
from ..clusters import DOMAINS
from ..device import Device
from ..errors import Error
from ..kernels import Kernel
from ..modes import MODES
from ..places import default_path
from ..sharing import hosts
from ..tasks import Done, Task
from ..trace_buffer import MOST
from ..typed import Json
from . import interrupt, jobs
from .arguments import HELP, Arguments, parse
from .common import (add_boot_options, add_device_option, attached, boot_keywords, cancelled_by_interrupt, dimensions,
                     numbers, positive, print_json, seconds, size, table)
from .page import Commands, Options, Page, add_command

_HANGS = ("ERR_TIMEOUT", "ERR_TIME_LIMIT", "ERR_SM_LOST")  # What the device does is shown.
BAR = 30  # Characters of the bar that shows how far a grid is.


def add_task_options(parser: Page) -> None:
    """What a task is: for run, submit, prof and race."""
    parser.add_argument("elf", help="kernel ELF made by ganger-cc")
    parser.add_argument("--kernel", metavar="NAME", help="not needed if there is only one")
    parser.add_argument("--grid", type=dimensions, default=(1,), metavar="N[xN[xN]]",
                        help="CTAs (default 1)")
    parser.add_argument("--block", type=dimensions, metavar="N[xN[xN]]",
                        help="threads of a CTA (default: the kernel's, or 1)")
    parser.add_argument("--arg", type=parse, action="append", default=[], metavar="SPEC",
                        help="of the kernel, in order: 7, f32:2.5, in:FILE, …")
    group = parser.add_argument_group("scheduling")
    group.add_argument("--priority", type=int, default=5, metavar="N", help="1 (highest) to 10 (default 5)")
    group.add_argument("--channel", type=int, default=0, metavar="N", help="of the mailbox (default 0)")
    group.add_argument("--mode", choices=tuple(MODES), default="device",
                       help="how CTAs get to the SMs (default device: as it decides)")
    group.add_argument("--chunk", type=int, metavar="N", help="CTAs that an SM pulls at once")
    group.add_argument("--cluster", type=dimensions, action="append", metavar="N[xN[xN]]",
                       help="CTAs of a cluster; again: clusters of a larger one")
    group.add_argument("--cluster-in", choices=tuple(DOMAINS), action="append",
                       help="what holds each --cluster (default gpc; nested gpc, gpu)")
    group.add_argument("--time-limit-ms", type=positive, metavar="MS", help="longest time of a CTA")
    group.add_argument("--retry", type=int, default=0, metavar="N", help="times that CTAs of lost SMs run again")
    group.add_argument("--quota", type=int, default=0, metavar="N",
                       help="CTAs that it gets at a turn (default 0: no limit)")
    group.add_argument("--sequential", action="store_true", help="one CTA at a time")
    group.add_argument("--throttle", action="store_true",
                       help="in throttle mode only: fewer SMs, each with more memory")
    group.add_argument("--affinity", type=numbers, metavar="SM,…", help="SMs that may run it")
    group.add_argument("--gpcs", type=numbers, metavar="GPC,…", help="GPCs that may run it")
    group.add_argument("--offset", type=dimensions, metavar="N[xN[xN]]", help="global id of the first thread")
    parser.tell("arguments", HELP)


def add_commands(commands: Commands) -> None:
    """run, submit, wait."""
    parser = add_command(
        commands, "run", run, "Boot a device and run one kernel on any files.",
        "ganger run vecadd.elf --grid 8 --block 128 --arg in:a.bin \\\n"
        "    --arg in:b.bin --arg out:4K:c.bin --arg i32:1024")
    add_task_options(parser)
    parser.add_argument("--timeout", type=seconds, default=60, metavar="S",
                        help="seconds that the task may take (default %(default)s)")
    parser.add_argument("--trace", action="append", default=[], metavar="FILE",
                        help="a trace: .json (Perfetto), .html, .svg, .vcd; repeatable")
    group = parser.add_argument_group("output")
    group.add_argument("--prints", type=size, default=65536, metavar="BYTES",
                       help="bytes that its kernels may print (default 64K)")
    group.add_argument("--core", metavar="FILE", help="after a fault: a core file for gdb-multiarch")
    add_boot_options(parser, other=True)
    parser = add_command(commands, "submit", submit,
                         "Post a kernel to a device that is up and do not wait.",
                         "ganger submit vecadd.elf --grid 8 --block 128 --arg in:a.bin \\\n"
                         "    --arg in:b.bin --arg out:4K:c.bin --arg i32:1024")
    add_task_options(parser)
    add_device_option(parser)
    parser = add_command(commands, "wait", wait, "Wait for a submitted task; write its results.",
                         "ganger wait 1 --timeout 60")
    parser.add_argument("tag", type=int, help="number that `submit` printed")
    parser.add_argument("--timeout", type=seconds, default=60, metavar="S", help="seconds")
    add_device_option(parser)


def kernel_of(device: Device, options: Options) -> Kernel:
    """Loads the ELF; the kernel that --kernel names, or the only one."""
    module = device.load(options.elf)
    if options.kernel is None and len(module) == 1:
        return module[module.kernels[0]]
    if options.kernel is None:
        raise Error("ERR_KERNEL_NAME", f"--kernel is one of {', '.join(module.kernels)}.")
    return module[options.kernel]


def task_keywords(kernel: Kernel, options: Options) -> Json:
    """Keywords of Device.submit() but for `args` and `prints`."""
    return {"grid": options.grid, "block": options.block or kernel.block or (1,), "offset": options.offset,
            "priority": options.priority, "channel": options.channel,
            "mode": options.mode, "chunk": options.chunk, "time_limit_ms": options.time_limit_ms, "quota": options.quota,
            "sequential": options.sequential, "throttle": options.throttle, "affinity": options.affinity,
            "gpcs": options.gpcs, "cluster": options.cluster, "cluster_in": options.cluster_in, "retry_limit": options.retry}


def post(device: Device, kernel: Kernel, options: Options, arguments: Arguments, prints: int = 0) -> Task:
    """Submits what the options say."""
    return device.submit(kernel, args=arguments.list, prints=prints, **task_keywords(kernel, options))


def how_far(task: Task, seconds: float) -> str:
    """What a terminal is shown of a task on its way: its time, and a bar of its CTAs if the device
    can tell them."""
    text = f"{task.kernel}: {seconds:.0f} s"
    if not task.has_progress:
        return text
    progress = task.progress()
    full = int(BAR * progress.fraction)
    return f"{text} [{'#' * full}{'.' * (BAR - full)}] {progress.ctas:,} of {progress.total:,} CTAs"


def wait_with_progress(device: Device, task: Task, timeout: float) -> Done:
    """Waits; a terminal is shown how far it is."""
    begin, deadline = time.monotonic(), Deadline(device.handle, timeout)
    shown = False
    try:
        while True:
            left = deadline.left()
            try:
                return task.wait(min(1.0, left))
            except Error as error:
                if error.status != "ERR_TIMEOUT" or task.done:
                    raise
            if left <= 1.0:
                raise Error("ERR_TIMEOUT", f"Task {task.tag} did not complete in {timeout:g} s; "
                            "--timeout gives it longer.")
            if sys.stderr.isatty():
                shown = True
                print(f"\r{how_far(task, time.monotonic() - begin)}", end="", file=sys.stderr,
                      flush=True)
    finally:
        if shown:
            print(file=sys.stderr)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.3f}"


def done_table(name: str, done: Done) -> str:
    """A completion as one row."""
    times = done.times
    return table(("task", "tag", "status", "CTAs", "SMs", "packets", "wait ms", "run ms",
                  "total ms"),
                 [(name, done.tag, done.status, done.ctas, done.sms, done.packets,
                   _ms(times.wait), _ms(times.run), _ms(times.total))])


def _run_on(device: Device, options: Options) -> int:
    device.console()  # Drops what the device printed at boot: it is not the kernel's.
    if options.trace:
        device.trace_on(most=MOST)
    arguments, posted = Arguments(device, options.arg), list[Task]()
    try:
        with cancelled_by_interrupt(options, posted):
            with interrupt.whole():
                posted.append(post(device, kernel_of(device, options), options, arguments, options.prints))
            done = wait_with_progress(device, posted[0], options.timeout)
    except Error as error:
        if posted and not options.json:
            sys.stdout.write(posted[0].output)
        if posted and error.status in _HANGS and not options.json:
            with interrupt.whole(), suppress(Error):
                print(device.hang(), file=sys.stderr)
        if options.core and error.record is not None:
            with interrupt.whole():
                print(device.core(error.record, options.core), file=sys.stderr)
        raise
    files, task = arguments.write(), posted[0]
    with interrupt.whole():
        for path in options.trace:
            device.trace(path)
    printed = device.console()
    if options.json:
        print_json({"kernel": task.kernel, "done": done.as_dict(), "files": files,
                    "traces": options.trace, "output": task.output, "console": printed})
        return 0
    sys.stdout.write(printed + task.output)
    print(done_table(task.kernel or "", done))
    waits = [f"{name} {turns}" for name, turns in done.not_issued.items() if turns]
    if waits:
        print(f"turns that kept CTAs back: {', '.join(waits)}")
    for one in files:
        print(f"{one['file']}: {one['nbytes']} bytes")
    return 0


def run(options: Options) -> int:
    """`ganger run`."""
    kernels.elf_info(options.elf)  # A bad file is reported before anything boots.
    if options.device or options.connect:
        with attached(options) as device:
            if options.device:
                jobs.note_elf(options.device, options.elf)
            return _run_on(device, options)
    with Device.boot(**boot_keywords(options)) as device:
        return _run_on(device, options)


def submit(options: Options) -> int:
    """`ganger submit`."""
    path = options.device or default_path()
    if len(hosts(path)) > 1:
        raise Error("ERR_UNSUPPORTED", "Several hosts share the device, and what one leaves behind is ended: `ganger run "
                    "--device` waits for its task.")
    posted: List[Tuple[Device, Task, Json]] = []

    def last() -> None:
        """Keeps the results of a task that has ended already: no other process will get its completion."""
        for device, task, record in posted:
            done = task.poll()
            if done:
                jobs.finish(device, path, record, done)

    with attached(options, last) as device:
        _settle(device, path)
        arguments = Arguments(device, options.arg)
        with interrupt.whole():
            task = post(device, kernel_of(device, options), options, arguments)
            record = {"tag": task.tag, "kernel": task.kernel, "done": None,
                      "resets": jobs.resets_of(device), "address": task.address, "generation": task.generation,
                      "outputs": arguments.outputs()}
            jobs.save(path, record)
            jobs.note_elf(path, options.elf)
            posted.append((device, task, record))
    if options.json:
        print_json({"tag": task.tag, "kernel": task.kernel})
    else:
        print(task.tag)
    return 0


def _settle(device: Device, path: str, timeout: float = 10) -> None:
    """The memory of earlier tasks is used again, so their results are brought in first."""
    deadline = time.monotonic() + timeout
    while jobs.pending(path) and time.monotonic() < deadline:
        jobs.collect(device, path)
        time.sleep(0.02)
    if jobs.pending(path):
        raise Error("ERR_BUSY", "An earlier task is still on its way, so its memory cannot be used "
                    "yet: `ganger wait` for it, or `ganger cancel` it.", "tag", jobs.pending(path)[0]["tag"])


def wait(options: Options) -> int:
    """`ganger wait`."""
    path = options.device or default_path()
    record = jobs.load(path, options.tag)
    if record is None:
        raise Error("ERR_ARGUMENT", "No task of that number was submitted: `ganger submit` prints it.", "tag", options.tag)
    if record["done"] is None:
        with attached(options) as device:
            deadline = Deadline(device.handle, options.timeout)
            while record["done"] is None and deadline.left():
                time.sleep(0.02)
                jobs.collect(device, path)
                record = jobs.load(path, options.tag) or record
    if record["done"] is None:
        raise Error("ERR_TIMEOUT", f"The task has not completed in {options.timeout:g} s; `ganger wait` again, or "
                    f"`ganger cancel {options.tag}`.", "tag", options.tag)
    jobs.remove(path, options.tag)
    return _show_record(record, options)


def _show_record(record: Json, options: Options) -> int:
    done = record["done"]
    if done["status"] != "OK":
        raise Error(done["status"], "", done["field"], done["value"] if done["field"] else None)
    if options.json:
        print_json({"kernel": record["kernel"], "done": done, "files": record["outputs"]})
        return 0
    print(table(("task", "tag", "status", "CTAs", "SMs"),
                [(record["kernel"], done["tag"], done["status"], done["ctas"], done["sms"])]))
    for one in record["outputs"]:
        print(f"{one['file']}: {one['nbytes']} bytes")
    return 0
