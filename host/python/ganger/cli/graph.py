# SPDX-License-Identifier: Apache-2.0
"""graph check, asm, dis, show, run: task graphs."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

from ..device import Device
from ..errors import Error
from ..graph.dis import disassemble
from ..graph.draw import dot_text, picture, save_picture
from ..graph.launch import Launchable
from ..graph.model import Model, run_model
from ..graph.report import GraphReport
from ..graph.room import check_room
from ..graph.task import GraphTask
from ..graph.text import read_graph
from ..tasks import Done
from ..typed import Json
from . import interrupt
from .arguments import HELP, Arguments, Spec, parse
from .common import add_boot_options, attached, boot_keywords, cancelled_by_interrupt, print_json, save, seconds, size, table
from .page import Commands, Options, Page, add_command

_FILE_HELP = "graph: text, assembler, or assembled (docs/GRAPHS.md)"
_ARGUMENT_HELP = "argument of the graph: 7, in:FILE, out:NBYTES:FILE, …"


def _named(text: str) -> Tuple[str, Spec]:
    name, equals, spec = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=SPEC")
    return name, parse(spec)


def _action(actions: Commands, name: str, function: Callable[[Options], int], text: str, example: str) -> Page:
    parser = add_command(actions, name, function, text, example)
    parser.add_argument("file", metavar="FILE", help=_FILE_HELP)
    parser.add_argument("--elf", action="append", default=[], metavar="FILE",
                        help="kernels that the graph names; may be repeated")
    return parser


def _add_arguments(parser: Page) -> None:
    parser.add_argument("--arg", type=_named, action="append", default=[], metavar="NAME=SPEC",
                        help=_ARGUMENT_HELP)
    parser.tell("arguments", HELP)


def _add_run_options(parser: Page) -> None:
    group = parser.add_argument_group("limits")
    group.add_argument("--emphasis", choices=("speed", "resource"), default="speed",
                        help="speed, or few resources at once (default %(default)s)")
    group.add_argument("--memory", type=size, metavar="BYTES",
                        help="for transient buffers (default: what all of them take)")
    group.add_argument("--at-once", type=int, default=0, metavar="N", help="most passes at once")
    group.add_argument("--split", type=int, default=0, metavar="CTAS",
                        help="plain grids of more CTAs are split (default: none)")
    group.add_argument("--time-limit-ms", type=int, default=0, metavar="MS", help="longest time of the run")
    group.add_argument("--priority", type=int, default=5, metavar="N", help="1 (highest) to 10 (default 5)")
    parser.add_argument("--timeout", type=seconds, default=60, metavar="S",
                        help="seconds that it may take (default %(default)s)")
    add_boot_options(parser, other=True)


def add_commands(commands: Commands) -> None:
    """graph with its actions."""
    group = commands.add_parser("graph", help="Task graphs from files: check, asm, dis, show, run.",
                                usage="ganger graph ACTION [OPTION…] FILE",
                                description="Task graphs from files.",
                                epilog="`ganger graph ACTION --help` tells the options of an action and has an "
                                "example.")
    actions = group.add_subparsers(dest="action", metavar="ACTION", required=True, prog="ganger graph")
    parser = _action(actions, "check", check, "Check a graph without a device, and show what it makes.",
                     "ganger graph check image.graph --arg n=1024")
    _add_arguments(parser)
    parser = _action(actions, "asm", assemble_file, "Assemble a graph in any form.",
                     "ganger graph asm image.graph -o image.ggp")
    parser.add_argument("-o", dest="output", metavar="FILE", help="assembled program")
    parser = _action(actions, "dis", disassemble_file, "Print a graph in the assembler's form.",
                     "ganger graph dis image.ggp")
    parser.add_argument("-o", dest="output", metavar="FILE", help="file (default: print)")
    parser = _action(actions, "show", show, "Draw passes and resources.",
                     "ganger graph show image.graph -o image.svg --arg n=1024")
    parser.add_argument("-o", dest="output", metavar="FILE",
                        help=".dot, .svg, or .png with Graphviz (default: print DOT)")
    parser.add_argument("--run", action="store_true", help="run it; draw times, critical path")
    parser.add_argument("--report", metavar="FILE", help="times of a run: JSON of `graph run`")
    _add_arguments(parser)
    _add_run_options(parser)
    parser = _action(actions, "run", run, "Run a graph on any files.",
                     "ganger graph run image.graph --arg src=in:a.raw \\\n"
                     "    --arg dst=out:64K:b.raw --arg n=1024")
    parser.add_argument("--report", metavar="FILE", help="also write the report, as JSON")
    _add_arguments(parser)
    _add_run_options(parser)


# ---- without a device ----


def _arguments(options: Options) -> Dict[str, Spec]:
    given: Dict[str, Spec] = {}
    for name, spec in options.arg:
        if name in given:
            raise Error("ERR_ARGUMENT", "The argument is given twice.", "argument", name)
        given[name] = spec
    return given


def _word(spec: Spec) -> int:
    if spec.kind != "value":
        return 0
    data = getattr(spec.value, "data", None)
    return int.from_bytes(data[:8], "little") if data else int(spec.value)


def _model(graph: Launchable, options: Options) -> Model:
    """The graph that a program makes of the arguments; LOAD sees the files, else zeros."""
    program, given = graph.program, _arguments(options)
    names = [one.name for one in program.arguments]
    for name in given:
        if name not in names:
            raise Error("ERR_ARGUMENT", f"The graph has the arguments {', '.join(names)}.",
                        "argument", name)
    buffers = {one.argument for one in program.resources if one.kind == "ARGUMENT"}
    for number, (name, kind) in enumerate(program.arguments):
        if number not in buffers and kind == "int" and name not in given:
            raise Error("ERR_ARGUMENT_COUNT", "What the graph makes depends on this number: give it, as in "
                        f"--arg {name}=1.", "argument", name)
    files = {name: Path(spec.source).read_bytes() for name, spec in given.items() if spec.source}

    def load(resource: int, at: int) -> int:
        one = program.resources[resource]
        data = files.get(names[one.argument], b"") if one.kind == "ARGUMENT" else b""
        return int.from_bytes(data[at:at + 4], "little")

    bound = program.copy()
    bound.resources = [one._replace(nbytes=len(files.get(names[one.argument], b"")) or 1 << 40)
                       if one.kind == "ARGUMENT" and not one.nbytes else one
                       for one in program.resources]
    model = run_model(bound, {name: _word(spec) for name, spec in given.items()}, load)
    for at, one in enumerate(program.resources):
        if not one.nbytes and model.sizes[at] == 1 << 40:
            model.sizes[at] = 0
    return model


def _facts(model: Model) -> Dict[str, Any]:
    program = model.program
    passes = [{"number": number, "name": one.name, "commands": [cmd.op for cmd in one.commands],
               "reads": sorted(program.resource_name(r) for r, how in one.uses.items()
                               if "READ" in how),
               "writes": sorted(program.resource_name(r) for r, how in one.uses.items()
                                if how - {"READ"}),
               "after": one.after, "waits": sorted(model.order.before[number])}
              for number, one in enumerate(model.passes)]
    return {"graph": program.name, "steps": model.steps, "passes": passes,
            "resources": [program.resource_name(one) for one in model.resources],
            "reads": len(model.reads), "writes": len(model.writes)}


def check(options: Options) -> int:
    """`ganger graph check`."""
    model = _model(read_graph(options.file, options.elf), options)
    check_room(model)
    facts = _facts(model)
    if options.json:
        print_json(facts)
        return 0
    print(table(("pass", "name", "commands", "reads", "writes", "waits for"), [
        (one["number"], one["name"], " ".join(one["commands"]).lower(), " ".join(one["reads"]),
         " ".join(one["writes"]), " ".join(map(str, one["waits"]))) for one in facts["passes"]]))
    print(f"{facts['graph']}: {len(facts['passes'])} passes, {len(facts['resources'])} resources, "
          f"{facts['reads']} + {facts['writes']} edges, {facts['steps']} steps")
    return 0


def assemble_file(options: Options) -> int:
    """`ganger graph asm`."""
    program = read_graph(options.file, options.elf).program
    output = options.output or str(Path(options.file).with_suffix(".ggp"))
    data = program.save()
    save(output, data)
    facts = {"file": output, "bytes": len(program.encode()), "steps": len(program.steps),
             "definitions": len(program.definitions), "states": [one.kernel for one in
                                                                 program.states],
             "resources": len(program.resources),
             "arguments": [one.name for one in program.arguments]}
    if options.json:
        print_json(facts)
    else:
        print(f"{output}: {facts['bytes']} bytes, {facts['steps']} steps")
    return 0


def disassemble_file(options: Options) -> int:
    """`ganger graph dis`."""
    text = disassemble(read_graph(options.file, options.elf).program)
    if options.output:
        save(options.output, text)
    if options.json:
        print_json({"file": options.output, "text": text})
    elif not options.output:
        sys.stdout.write(text)
    return 0


# ---- with a device ----

Ran = Tuple[Tuple[Done, str], GraphReport, List[Json]]  # With what kernels printed, and files.


def _run_on(device: Device, graph: Launchable, options: Options) -> Ran:
    given = _arguments(options)
    buffers = Arguments(device, list(given.values()))
    posted: List[GraphTask] = []
    with cancelled_by_interrupt(options, posted):
        with interrupt.whole():
            posted.append(graph.launch(
                device, modules=options.elf, arguments=dict(zip(given, buffers.list)),
                emphasis=options.emphasis, memory=options.memory, at_once=options.at_once,
                split=options.split, time_limit_ms=options.time_limit_ms,
                priority=options.priority, prints=65536))
        done = posted[0].wait(options.timeout)
    return (done, posted[0].output), posted[0].report, buffers.write()


def _run_anywhere(graph: Launchable, options: Options) -> Ran:
    if options.device or options.connect:
        with attached(options) as device:
            return _run_on(device, graph, options)
    with Device.boot(**boot_keywords(options)) as device:
        return _run_on(device, graph, options)


def run(options: Options) -> int:
    """`ganger graph run`."""
    graph = read_graph(options.file, options.elf)
    (done, output), report, files = _run_anywhere(graph, options)
    if options.report:
        save(options.report, json.dumps(report.as_dict(), indent=2))
    if options.json:
        print_json({"graph": graph.program.name, "done": done.as_dict(), "output": output,
                    "report": report.as_dict(), "files": files})
        return 0
    sys.stdout.write(output)
    begin = report.started or 0.0
    print(table(("pass", "name", "state", "CTAs", "ready ms", "start ms", "end ms", "critical"), [
        (one.number, one.name, one.state.lower(), one.ctas,
         *(f"{(at - begin) * 1000:.3f}" if at else "n/a"
           for at in (one.ready, one.started, one.ended)),
         "*" if one.number in report.critical else "") for one in report.passes]))
    print(f"{graph.program.name}: {report.total} passes, {report.time * 1000:.3f} ms, at most "
          f"{report.at_once} at once; transient buffers {report.sum_bytes} bytes in "
          f"{report.peak_bytes}")
    for one in files:
        print(f"{one['file']}: {one['nbytes']} bytes")
    return 0


def show(options: Options) -> int:
    """`ganger graph show`."""
    graph = read_graph(options.file, options.elf)
    model, report = _model(graph, options), None
    if options.report:
        try:
            report = GraphReport.from_dict(json.loads(Path(options.report).read_text("utf-8")))
        except (ValueError, TypeError, KeyError) as error:
            raise Error("ERR_ARGUMENT", f"No report of a graph: {error}.", "report",
                        options.report) from None
    elif options.run:
        _done, report, _files = _run_anywhere(graph, options)
    drawn = picture(model, report)
    if options.output:
        with interrupt.whole():
            facts = save_picture(drawn, options.output)
        if options.json:
            print_json({"file": options.output, **facts})
        else:
            print(options.output)
    elif options.json:
        print_json({**_facts(model), "title": drawn.title,
                    "critical": [node.lines[0] for node in drawn.nodes
                                 if node.marked and not node.round]})
    else:
        sys.stdout.write(dot_text(drawn))
    return 0
