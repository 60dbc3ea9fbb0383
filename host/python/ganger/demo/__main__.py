# SPDX-License-Identifier: Apache-2.0
"""`python -m ganger.demo`: the last line says PASS or FAIL; so does the exit code (0, 1)."""

import argparse
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Tuple

from .. import Device, Error, Stage, StageProfiler, Trace
from ..counter import plugin_path
from ..pictures import read_pgm
from ..places import build_folder, root
from . import report
from .pipeline import Outcome, Pipeline
from .problem import Job, make_jobs

PICTURE = root() / "host" / "demo" / "harbour.pgm"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m ganger.demo", description=__doc__)
    parser.add_argument("--board", default="qemu-virt64")
    parser.add_argument("--sms", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path("build/run"), help="folder of the results")
    parser.add_argument("--picture", type=Path, default=PICTURE, help="a binary PGM")
    return parser.parse_args()


def _boot(options: argparse.Namespace, note: str = "", **how: Any) -> Device:
    begin = time.monotonic()
    device = Device.boot(options.board, sms=options.sms, **how)
    print(f"{options.board}: 1 + {device.info.sms} harts, rv{device.info.xlen}, booted in "
          f"{(time.monotonic() - begin) * 1000:.0f} ms"
          f"{note}", flush=True)
    return device


def _kernels(device: Device) -> Path:
    folder = build_folder() / "kernels"
    return folder if device.info.xlen == 64 else folder / "rv32"


def _traced(device: Device, pipeline: Pipeline) -> Tuple[Dict[str, Outcome], Trace]:
    device.trace_on()
    outcomes = pipeline.run_together()
    device.trace_off()
    return outcomes, device.reported()


def _save(trace: Trace, folder: Path) -> None:
    for name in ("timeline.svg", "trace.json", "trace.vcd", "report.html"):
        trace.save(folder / name)


def _stages(options: argparse.Namespace, jobs: Dict[str, Job]) -> List[Stage]:
    """What the control processor executes for all jobs together, by stage."""
    with StageProfiler(options.board) as profiler:
        with _boot(options, ", stages of the control processor counted", plugin=profiler.plugin()) as device:
            pipeline = Pipeline(device, _kernels(device), jobs)
            profiler.begin()
            pipeline.run_together()
            return profiler.stages()


def _measure(options: argparse.Namespace,
             jobs: Dict[str, Job]) -> Tuple[Dict[str, Outcome], Dict[str, Outcome]]:
    """All jobs together; then each alone, on a second device that counts instructions where the
    plugin for that is built: counting costs time. So stages are counted on a third one."""
    counted = plugin_path(build_folder()).exists()
    with _boot(options) as device:
        pipeline = Pipeline(device, _kernels(device), jobs)
        together, trace = _traced(device, pipeline)
        if not counted:
            _save(trace, options.out)
            return together, pipeline.run_alone()
    trace.stages = _stages(options, jobs)
    _save(trace, options.out)
    with _boot(options, ", instructions counted", count=True) as device:
        return together, Pipeline(device, _kernels(device), jobs).run_alone()


def _run(options: argparse.Namespace) -> bool:
    picture = read_pgm(options.picture)
    options.out.mkdir(parents=True, exist_ok=True)
    jobs = make_jobs(picture)
    print(f"Picture of {picture.width} x {picture.height}; {len(jobs)} tasks together, then each "
          "alone on the idle device.", flush=True)
    together, alone = _measure(options, jobs)
    print(f"\n{report.make_table(jobs, together, alone)}\n")
    report.write_results(jobs, together, alone, options.out / "results.json")
    names = report.write_pictures(picture, together, options.out)
    print(f"{options.out}: {', '.join(names)}, timeline.svg, trace.json (Perfetto), trace.vcd "
          "(GTKWave), results.json")
    print(f"{options.out}/report.html: the run to look at, in any browser")
    outcomes = [*together.values(), *alone.values()]
    return all(outcome.wrong == 0 and outcome.done.status == "OK" for outcome in outcomes)


def main() -> int:
    """Runs the demo."""
    options = _options()
    try:
        good = _run(options)
    except (Error, OSError, ValueError) as error:
        print(f"ganger.demo: {error}", file=sys.stderr)
        good = False
    print("PASS" if good else "FAIL")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
