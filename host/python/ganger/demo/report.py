# SPDX-License-Identifier: Apache-2.0
"""What the demo shows: the table, and the files of the run."""

import array
import json
from pathlib import Path
from typing import Any, Dict, List, Sequence

from ..cli.common import table
from ..pictures import Picture, write_pgm, write_png
from .pipeline import Outcome
from .problem import Job

CHART_HEIGHT = 120


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f}"


def _verdict(outcomes: List[Outcome]) -> str:
    wrong = sum(outcome.wrong for outcome in outcomes)
    return "right" if wrong == 0 else f"{wrong} WRONG"


def make_table(jobs: Dict[str, Job], together: Dict[str, Outcome],
               alone: Dict[str, Outcome]) -> str:
    """Times of the run together; instructions of the run alone."""
    rows: List[Sequence[Any]] = []
    for name, job in jobs.items():
        done, single = together[name].done, alone[name]
        spent = "n/a" if single.instructions is None else f"{single.instructions:,}"
        rows.append((name, job.priority, job.channel, done.ctas, done.sms, _ms(done.times.wait),
                     _ms(done.times.run), _ms(done.times.total), spent,
                     _verdict([together[name], single])))
    return table(("task", "priority", "channel", "CTAs", "SMs", "wait ms", "run ms", "total ms",
                  "CP instr. alone", "result"), rows)


def _chart(counts: Sequence[int]) -> Picture:
    """A histogram as a picture: 256 bars, two pixels wide."""
    top = max(counts) or 1
    heights = [count * CHART_HEIGHT // top for count in counts for _ in range(2)]
    return Picture(512, CHART_HEIGHT, b"".join(
        bytes(40 if CHART_HEIGHT - row <= height else 250 for height in heights)
        for row in range(CHART_HEIGHT)))


def write_pictures(picture: Picture, outcomes: Dict[str, Outcome], folder: Path) -> List[str]:
    """Input and results as PGM and PNG; returns the names."""
    width, height, _pixels = picture
    pictures = {
        "input": picture,
        "blurred": Picture(width, height, outcomes["blur"].data),
        "edges": Picture(width, height, outcomes["sobel"].data),
        "histogram": _chart(array.array("I", outcomes["histogram"].data)),
    }
    for name, one in pictures.items():
        write_pgm(folder / f"{name}.pgm", one)
        write_png(folder / f"{name}.png", one)
    return [f"{name}.png" for name in pictures]


def write_results(jobs: Dict[str, Job], together: Dict[str, Outcome], alone: Dict[str, Outcome],
                  path: Path) -> None:
    """The table as JSON."""
    path.write_text(json.dumps([{
        "task": name, "priority": job.priority, "channel": job.channel,
        "together": together[name].done.as_dict(), "alone": alone[name].done.as_dict(),
        "cp_instructions_alone": alone[name].instructions,
        "wrong": together[name].wrong + alone[name].wrong,
    } for name, job in jobs.items()], indent=2), encoding="utf-8")
