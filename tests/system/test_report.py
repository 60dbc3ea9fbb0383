# SPDX-License-Identifier: Apache-2.0
"""`ganger report` of a device that other processes use: places of their faults, and CTAs that still run."""
import json
import os
import re
import subprocess
import sys

import pytest

import ganger
from conftest import ROOT
from ganger.trace import Trace
from ganger.trace_events import CtaBar, Event
from support import LONG, run_ganger, until

pytestmark = pytest.mark.shared

SMS = 2
SOURCE = """
kernel void hold(global volatile uint *go) { atomic_inc(&go[1]); while (go[0] == 0) { } }
kernel void wild(global uint *out)
{
	*(volatile uint *)(out - 0x10000000) = 1; /* line 5 */
}
"""
# Another program: a CTA that faults, then as many that do not end as the device has room for, and it waits for a line.
PROGRAM = """
import sys, ganger
with ganger.Device.attach(sys.argv[1]) as dev:
    module, go = dev.load(sys.argv[2]), dev.buffer(bytes(8))
    try:
        dev.submit(module["wild"], grid=1, block=1, args=[go]).wait(60)
    except ganger.Error:
        pass
    ctas = dev.info.sms * dev.info.sm_ctas if sys.argv[3] == "hold" else 0
    task = dev.submit(module["hold"], grid=ctas, block=1, args=[go]) if ctas else None
    while ctas and go.read(4, offset=4) != ctas.to_bytes(4, "little"):
        pass
    print("there", flush=True)
    sys.stdin.readline()
    go.write(b"\\1\\0\\0\\0")
    if task:
        task.wait(60)
"""


@pytest.fixture
def up(board, tmp_path):
    """Path of a device that is up; it is down after the test."""
    path = tmp_path / "ganger.sock"
    ganger.Device.up(path, board, sms=SMS)
    yield path
    ganger.Device.down(path)


@pytest.fixture
def build_elf(tmp_path, xlen):
    """Builds an ELF of a source."""
    def build(name, source=SOURCE):
        (tmp_path / f"{name}.c").write_text(source)
        elf = tmp_path / f"{name}.elf"
        subprocess.run([sys.executable, ROOT / "firmware/kernel/ganger-cc", "-g", "--xlen", str(xlen), "-o", elf, tmp_path / f"{name}.c"],
                       check=True, timeout=300)
        return elf
    return build


@pytest.fixture
def program(up):
    """Starts PROGRAM and returns its process once it is there; it has ended after the test."""
    started = []

    def start(elf, what):
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, up, elf, what], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout.readline() == "there\n"
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.communicate("\n", timeout=LONG)


def report(up, *words):
    """What the command says, and what the page is given."""
    page = up.parent / "report.html"
    done = run_ganger("report", page, "--device", up, "--json", *words)
    assert done.returncode == 0, done.stderr
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(done.stdout), json.loads(data[1])


@pytest.mark.parametrize("ended", [False, True], ids=["it is there", "it has ended"])
def test_faults_of_another_program(up, build_elf, program, ended):
    """S3-R121: the source line is there once the ELF is named, also when the program has ended and device memory is cleared. An ELF
    of another text is not used."""
    elf = build_elf("wild")
    other = build_elf("other", SOURCE.replace("kernel void wild", "\n\nkernel void added(global uint *a) { a[1] = a[2]; }\nkernel void wild")
                      .replace("= 1;", "= 2;"))
    process = program(elf, "fault")
    if ended:
        process.communicate("\n", timeout=LONG)
    for words in ((), ("--elf", other)):
        _said, data = report(up, *words)
        assert len(data["faults"]) == 1 and "no source is known" in data["faults"][0] and ".c:" not in data["faults"][0]
    _said, data = report(up, "--elf", other, "--elf", elf)
    assert len(data["faults"]) == 1 and data["faults"][0].endswith(", in wild (wild.c:5)")


def test_faults_of_commands(up, build_elf):
    """S3-R121: what commands have run on the device is known without being named, as long as the file is there."""
    elf = build_elf("wild")
    assert run_ganger("run", elf, "--kernel", "wild", "--grid", 1, "--block", 1, "--arg", "out:4:o.bin", "--device", up,
                      folder=up.parent).returncode == 1
    assert report(up)[1]["faults"][0].endswith(", in wild (wild.c:5)")
    os.utime(elf, ns=(0, 0))  # It may have other code now.
    assert "no source is known" in report(up)[1]["faults"][0]
    elf.unlink()
    assert "no source is known" in report(up)[1]["faults"][0]


def test_a_file_that_is_none(up, tmp_path):
    """A file that is not there, or is no kernel ELF, is refused."""
    (tmp_path / "text.elf").write_text("text")
    for name in ("none.elf", "text.elf"):
        done = run_ganger("report", tmp_path / "r.html", "--device", up, "--elf", tmp_path / name)
        assert done.returncode == 1 and name in done.stderr and "Traceback" not in done.stderr, done.stderr
        assert not (tmp_path / "r.html").exists()


def test_ctas_that_still_run(up, build_elf, program):
    """S0-R27: what an SM has not ended is in the report, from its start to the end of the record, once each."""
    run_ganger("trace", "on", "--device", up)
    process = program(build_elf("wild"), "hold")
    said, data = report(up)
    ctas = SMS * 8
    assert (said["ctas"], said["running"], said["tasks"]) == (1, ctas, 2)
    assert [[place, early] for place, early in data["open"]] == [[place, False] for place in range(1, 1 + ctas)]
    assert [task["status"] for task in data["tasks"]] == ["ERR_FAULT_ACCESS", None] and data["tasks"][1]["end"] == data["span"]
    process.stdin.write("\n")
    process.stdin.flush()
    until(lambda: report(up)[0]["running"] == 0, "they have ended")
    assert report(up)[0]["ctas"] == 1 + ctas


def test_the_clock_of_a_device_that_nobody_has(up, build_elf):
    """Where nobody else has the device, the record of what is not over ends when the report is made, and later in the next one."""
    elf = build_elf("wild")
    run_ganger("trace", "on", "--device", up)
    submitted = run_ganger("submit", elf, "--kernel", "hold", "--grid", 1, "--block", 1, "--arg", "out:8:o.bin", "--device", up, folder=up.parent)
    until(lambda: report(up)[0]["running"] == 1, "it runs")
    spans = [report(up)[1]["span"] for _time in range(2)]
    assert 0 < spans[0] < spans[1]
    assert run_ganger("cancel", submitted.stdout.strip(), "--device", up).returncode == 0


def test_begun_before_the_record(tmp_path):
    """A CTA from before the first record begins with it, and is said to; without records its own start is the beginning."""
    record = Event("CTA", 0, 0, 1, 0, 0, 1000, 2000)
    for events, early, span in (([record], True, 2000), ([], False, 2500)):
        trace = Trace(events, 0, 1, {})
        trace.running, trace.now = [CtaBar(0, 0, 2, 7, 500, 0)], 3000
        bars = trace.ctas(running=True)
        assert [(bar.tag, bar.row, bar.end, bar.open) for bar in bars] == [(2, 0, 3000, True)] + [(1, 1, 2000, False)] * len(events)
        assert len(trace.ctas()) == len(events)
        data = ganger.report.data_of(trace, {}, [])
        assert data["open"] == [[0, early]] and data["span"] == span
        assert [task["tag"] for task in data["tasks"] if task["status"] is None and task["end"] == span] == [2]
