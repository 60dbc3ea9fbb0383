# SPDX-License-Identifier: Apache-2.0
"""lab run: workloads, played through scheduling policies."""

from pathlib import Path
from typing import List

from ..errors import Error
from ..lab import figures, images, on_device, player, plot, policies, recorded, workload, workloads
from ..typed import Json
from .common import positive, print_json, save, table
from .page import Commands, Options, Page, add_command

_COLUMNS = ("workload", "policy", "makespan ms", "wait 50%", "95%", "99%", "mean ms", "fair", "busy", "evicted", "packets",
            "blocks/CTA")


def _add_options(parser: Page) -> None:
    parser.add_argument("--policy", action="append", default=[], metavar="NAME",
                        help="a policy, or a file of C or Python that defines one; may be repeated (default: all)")
    parser.add_argument("--workload", action="append", default=[], metavar="NAME",
                        help="a workload, a file .jsonl of tasks, or a device's trace .json; may be repeated (default: all that are made)")
    parser.add_argument("--device", action="store_true", help="also on a device in QEMU, with kernels that take as long")
    parser.add_argument("--pace", type=float, metavar="N",
                        help=f"with --device: its times are N times those of the workload (default {on_device.PACE:g})")
    parser.add_argument("--plot", metavar="FILE", help="draw the results: an SVG file")
    parser.add_argument("--save", metavar="FOLDER", help="write the workloads there, as JSON lines")
    parser.add_argument("--timeout", type=positive, default=600, metavar="S",
                        help="seconds that a policy may take for a workload (default %(default)s)")
    group = parser.add_argument_group("workloads")
    group.add_argument("--tasks", type=int, metavar="N",
                       help="tasks of a workload that is made (default 1000; with --device 100)")
    group.add_argument("--load", type=positive, default=0.8, metavar="PART",
                       help="share of the device that it needs; above 1, tasks pile up (default %(default)s)")
    group.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed makes the same tasks (default %(default)s)")
    group = parser.add_argument_group("device")
    group.add_argument("--sms", type=int, metavar="N", help="SMs, 1 to 16384 (default 64; with --device 8)")
    group.add_argument("--board", default="qemu-virt64", metavar="NAME", help="of --device (default %(default)s)")
    group.add_argument("--slots", type=int, default=8, metavar="N", help="CTAs that an SM holds (default %(default)s)")
    group.add_argument("--lanes", type=int, default=4, metavar="N",
                       help="CTAs that an SM runs at full speed; more share it (default %(default)s)")
    group.add_argument("--block-ns", type=int, default=0, metavar="NS",
                       help="time of the control processor for a basic block (default %(default)s: none)")
    about = "\n".join(f"  {name:10}{text}" for name, text in workloads.ABOUT.items())
    parser.tell("files", "--policy FILE.c      `const struct policy policy_NAME = { … };`, as in\n"
                "                     firmware/cp/policy\n"
                "--policy FILE.py     a class with sm() or next(): docs/POLICIES.md\n--workload FILE.jsonl\n"
                "  {\"format\": \"ganger workload\", \"version\": 1}\n  {\"at_ns\": 0, \"ctas\": 64, \"cta_ns\": 100000, \"priority\": 5}\n"
                "  …: also threads, shared_bytes, name; cta_ns may be a list. docs/POLICIES.md\n"
                "--workload FILE.json   of `ganger trace`: the run of a device, again\n\nworkloads that are made:\n" + about)


def add_commands(commands: Commands) -> None:
    """lab with its actions."""
    group = commands.add_parser("lab", help="The policy laboratory: lab run plays workloads through policies.",
                                usage="ganger lab ACTION [OPTION…]", description="The policy laboratory.",
                                epilog="`ganger lab ACTION --help` tells the options of an action and has an example.")
    actions = group.add_subparsers(dest="action", metavar="ACTION", required=True, prog="ganger lab")
    parser = add_command(actions, "run", run, "Play workloads through policies, with simulated SMs.",
                         "ganger lab run --workload bursts --policy balance --policy round-robin")
    _add_options(parser)


def _workloads(options: Options) -> List[workload.Workload]:
    scale = workloads.Scale(options.sms, options.lanes, options.tasks, options.load, options.seed)
    readers = {".jsonl": workload.read_workload, ".json": recorded.read_trace}
    return [readers[Path(name).suffix](name) if Path(name).suffix in readers else workloads.make_workload(name, scale)
            for name in options.workload or workloads.WORKLOADS]


def _row(found: figures.Figures) -> List[object]:
    return [f"{value:,.2f}" if isinstance(value, float) else value for value in found]


def _save(options: Options, chosen: List[workload.Workload]) -> None:
    Path(options.save).mkdir(parents=True, exist_ok=True)
    for one in chosen:
        workload.write_workload(Path(options.save) / f"{Path(one.name).stem}.jsonl", one, save)


def _on_device(options: Options, chosen: List[policies.Policy], played: List[workload.Workload]) -> None:
    """Plays them on devices, and the same tasks, when they came there, in simulations of such devices."""
    for policy in chosen:
        images.check_policy(policy)
    runs = [on_device.play_on_device(each, policy, options.board, options.sms, options.timeout, options.pace)
            for each in played for policy in chosen]
    same = [player.play(one.workload, [one.policy], one.machine, options.timeout)[0] for one in runs]
    there, here = ([figures.figures_of(one) for one in some] for some in (runs, same))
    if options.plot:
        save(options.plot, plot.render(runs))
    if options.json:
        rows: List[List[Json]] = [[one._asdict() for one in found] for found in (there, here)]
        late: List[Json] = [dict(zip(("late_50_us", "late_most_us"), figures.late_us([one]))) for one in runs]
        device: List[Json] = [{**row, **more} for row, more in zip(rows[0], late)]
        print_json({"machine": runs[0].machine._asdict(), "pace": options.pace, "device": device, "runs": rows[1]})
        return
    half, most = figures.late_us(runs)
    print(f"{options.board}, {options.sms} SMs, pace {options.pace:g}; half of the tasks were at most {half:.1f} µs late, "
          f"the latest {most:.1f} µs:")
    print(table([*_COLUMNS[:-1], "instr./CTA"], map(_row, there)))
    print(f"\nsimulated:\n{table(_COLUMNS, map(_row, here))}\n\n{on_device.DIFFERENCES}")


def run(options: Options) -> int:
    """`ganger lab run`."""
    if options.timeout <= 0:
        raise Error("ERR_ARGUMENT", "It is a number of seconds.", "timeout", options.timeout)
    if options.pace is not None and not options.device:
        raise Error("ERR_ARGUMENT", "A pace is for --device.", "pace", options.pace)
    options.pace = on_device.PACE if options.pace is None else on_device.check_pace(options.pace)
    options.sms = (8 if options.device else 64) if options.sms is None else options.sms
    options.tasks = (100 if options.device else 1000) if options.tasks is None else options.tasks
    options.lanes = 1 if options.device else options.lanes
    machine = player.Machine(options.sms, options.slots, options.lanes, options.block_ns)
    policies.size_for(machine.sms)
    chosen = [policies.find_policy(name) for name in
              options.policy or (images.OWN if options.device else policies.POLICIES())]
    played = _workloads(options)
    if options.save:
        _save(options, played)
    if options.device:
        _on_device(options, chosen, played)
        return 0
    runs = [one for each in played for one in player.play(each, chosen, machine, options.timeout)]
    found = [figures.figures_of(one) for one in runs]
    if options.plot:
        save(options.plot, plot.render(runs))
    if options.json:
        rows: List[Json] = [one._asdict() for one in found]
        print_json({"machine": machine._asdict(), "runs": rows})
    else:
        print(table(_COLUMNS, map(_row, found)))
    return 0
