# SPDX-License-Identifier: Apache-2.0
"""`python -m ganger.demo`: the last line says PASS or FAIL; so does the exit code (0, 1)."""

import argparse
import sys
import time
from pathlib import Path

from .. import Device, Error, clib
from ..counter import plugin_path
from ..pictures import Picture, read_pgm
from . import report
from .pipeline import Pipeline

PICTURE = Path(__file__).resolve().parents[3] / "demo" / "harbour.pgm"


def _options():
    parser = argparse.ArgumentParser(prog="python -m ganger.demo", description=__doc__)
    parser.add_argument("--board", default="qemu-virt64")
    parser.add_argument("--sms", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path("build/run"), help="folder of the results")
    parser.add_argument("--picture", type=Path, default=PICTURE, help="a binary PGM")
    return parser.parse_args()


def _boot(options) -> Device:
    counted = plugin_path(clib.build_folder()).exists()
    begin = time.monotonic()
    device = Device.boot(options.board, sms=options.sms, count=counted)
    print(f"{options.board}: 1 + {device.info.sms} harts, rv{device.info.xlen}, booted in "
          f"{(time.monotonic() - begin) * 1000:.0f} ms")
    return device


def _run(device: Device, picture: Picture, folder: Path) -> bool:
    kernels = clib.build_folder() / "kernels"
    pipeline = Pipeline(device, kernels if device.info.xlen == 64 else kernels / "rv32", picture)
    print(f"picture of {picture.width} x {picture.height}; {len(pipeline.steps)} tasks together, "
          "then each alone on the idle device\n", flush=True)
    device.trace_on()
    together = pipeline.run_together()
    device.trace_off()
    trace = device.trace(folder / "timeline.svg")
    trace.save(folder / "trace.json")
    trace.save(folder / "trace.vcd")
    alone = pipeline.run_alone()
    print(report.make_table(pipeline, together, alone))
    report.write_results(pipeline, together, alone, folder / "results.json")
    names = report.write_pictures(pipeline, together, folder)
    print(f"\n{folder}: {', '.join(names)}, timeline.svg, trace.json (Perfetto), trace.vcd "
          "(GTKWave), results.json")
    outcomes = [*together.values(), *alone.values()]
    return all(outcome.wrong == 0 and outcome.done.status == "OK" for outcome in outcomes)


def main() -> int:
    """Runs the demo."""
    options = _options()
    try:
        picture = read_pgm(options.picture)
        options.out.mkdir(parents=True, exist_ok=True)
        with _boot(options) as device:
            good = _run(device, picture, options.out)
    except (Error, OSError, ValueError) as error:
        print(f"ganger.demo: {error}", file=sys.stderr)
        good = False
    print("PASS" if good else "FAIL")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
