# SPDX-License-Identifier: Apache-2.0
"""Hang reports: kernels that hang on purpose, what the report says of each, and the program that runs after it."""
import json
import subprocess
import sys

import pytest

import ganger
from ganger.hang_sms import Seer
from support import LONG, expect, run_ganger, run_good_task, until, zeros
from test_reset import ANSWER_MS, hung

SOURCE = "tests/kernels/hang.c"
PRINTS = 1 << 20
SMS = 4


@pytest.fixture(scope="module")
def lines(request):
    """Line of hang.c with a text."""
    text = (request.config.rootpath / SOURCE).read_text()
    return lambda what: text[:text.index(what)].count("\n") + 1


@pytest.fixture(scope="module")
def elf(request, xlen, tmp_path_factory):
    """hang.c with debug information."""
    path, root = tmp_path_factory.mktemp("hang") / "hang.elf", request.config.rootpath
    subprocess.run([sys.executable, root / "firmware/kernel/ganger-cc", "-g", "-fno-loops", "--xlen", str(xlen), "-o", path,
                    root / SOURCE], check=True, timeout=300)
    return path


@pytest.fixture
def dev(device):
    """The device that most tests share."""
    return device(SMS)


def seen(dev, wanted, *elfs, ctas=1):
    """A report with a CTA that `wanted` is true for, and that CTA: what runs is a moment's picture. In this one as many
    CTAs as `ctas` are on SMs, and each SM with a CTA has answered."""
    found = []

    def look():
        report = dev.hang(elfs)
        found[:] = [(report, cta) for row in report.sms for cta in row["ctas"] if wanted(cta) and report.tasks
                    and sum(row["resident"] for row in report.sms) >= ctas and not any(row["silent"] for row in report.sms)]
        return found

    until(look, "the report shows the CTA")
    return found[0]


def places(cta):
    """Functions and lines that the report names for a CTA and its work-items."""
    return {(place["symbol"], place["line"]) for one in [cta, *cta.get("work_items", [])] for place in one["places"]}


def after(dev, load):
    """Another program runs right, and the report says that nothing is left, as soon as the SMs whose CTAs had ended by
    themselves have seen that they were asked to stop."""
    run_good_task(dev, load(dev, "work"))
    until(lambda: dev.hang().stages == [], "nothing is waited for")
    report = dev.hang()
    assert report.stages == [] and report.tasks == [] and "waits for nothing" in str(report)


def test_a_barrier_that_half_never_meets(dev, load, elf, lines):
    """S3-R121: who waits at the barrier, who spins, and who had no turn yet, each with function and line; ends by CANCEL."""
    task = dev.submit(dev.load(elf)["half_barrier"], block=8, args=[zeros(dev, 1)])
    report, cta = seen(dev, lambda cta: ("await", lines("spins here")) in places(cta) and len(cta["work_items"]) == 3)
    assert (cta["kernel"], cta["tag"], cta["threads"], cta["returned"]) == ("half_barrier", task.tag, 8, 0)
    found = {one["state"]: one for one in cta["work_items"]}
    assert {state: (one["count"], one["first"]) for state, one in found.items()} == {
        "at a barrier": (4, 0), "running": (1, 4), "has not begun": (3, 5)}
    for state, function, what in (("at a barrier", "half_barrier", "half of them wait here"), ("running", "await", "spins here")):
        assert (function, lines(what)) in [(place["symbol"], place["line"]) for place in found[state]["places"]]
    text = str(report)
    assert "4 work-items from 0 on of 8: at a barrier in " in text and "work-item 4 of 8: running in await" in text
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    after(dev, load)


def test_a_spin_on_memory(dev, load, elf, lines):
    """S3-R121: the line of the spin before the time limit acts; function and line of the record after it."""
    module = dev.load(elf)
    task = dev.submit(module["spin"], grid=3, args=[zeros(dev, 1)])
    report, _cta = seen(dev, lambda cta: ("await", lines("spins here")) in places(cta), ctas=3)
    assert sum(row["resident"] for row in report.sms) == 3
    assert [one["stage"] for one in report.stages if one["stage"] != "issue"] == ["collect"] * len({row["sm"] for row in report.sms if row["resident"]})
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    limited = dev.submit(module["spin"], args=[zeros(dev, 1)], time_limit_ms=500)
    error = expect("ERR_TIME_LIMIT", limited.wait, LONG)
    fault = [one for one in dev.hang().faults if one["tag"] == limited.tag]
    assert [(one["status"], one["symbol"], one["line"]) for one in fault] == [("ERR_TIME_LIMIT", "await", lines("spins here"))]
    assert fault[0]["text"] == str(error.record)
    after(dev, load)


def test_an_sm_that_has_just_answered(dev, load, elf, lines, monkeypatch):
    """S3-R121: an SM has saved registers, but not said yet that they are those of this turn: it is looked at again."""
    task = dev.submit(dev.load(elf)["spin"], args=[zeros(dev, 1)])
    seen(dev, lambda cta: ("await", lines("spins here")) in places(cta))
    look, looks = Seer.ctas, []

    def early(seer, sm):
        found = look(seer, sm)
        looks.append(sm)
        return found if looks.count(sm) > 1 else [{key: value for key, value in cta.items() if key != "registers"} for cta in found]

    with monkeypatch.context() as patched:
        patched.setattr(Seer, "ctas", early)
        ctas = [cta for row in dev.hang().sms for cta in row["ctas"]]
    assert len(ctas) == 1 and "registers" in ctas[0] and len(looks) == 2
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    after(dev, load)


@pytest.mark.parametrize("prints", [0, PRINTS])
def test_endless_prints(dev, load, elf, lines, prints):
    """S3-R121: the kernel's line shows under the function that prints; the flood ends it, or CANCEL."""
    task = dev.submit(dev.load(elf)["print_endless"], args=[7], prints=prints)
    _report, cta = seen(dev, lambda cta: cta["pc"] and ("print_endless", lines("prints here")) in places(cta))
    assert cta["kernel"] == "print_endless"
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    after(dev, load)


def test_a_queue_that_feeds_itself(dev, load, elf, lines):
    """S0-R05, S3-R121: the queue's task is in the report, and the line at which it waits for the answer to its push."""
    counts, at = zeros(dev, 1), dev.buffer(nbytes=256, align=256)
    tmd = dev.tmd(dev.load(elf)["feed_itself"], args=[at, counts], queue=ganger.Queue(16, 4, 1, initial=b"\0\0\0\0"))
    tmd.store(at.address)
    task = dev.submit_tmd(tmd, address=at.address)
    report, cta = seen(dev, lambda cta: cta["pc"] and ("feed_itself", lines("pushes here")) in places(cta))
    assert cta["tag"] == task.tag == report.tasks[0]["tag"] and report.tasks[0]["kernel"] == "feed_itself"
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    after(dev, load)


def test_a_silent_sm(fresh, load):
    """S3-R25: an SM in machine mode with interrupts off is said to be silent; after the reset that could not work the
    report says that it is written off. The command `ganger reset` says so with its exit status, and others go on."""
    dev = fresh(SMS)
    dev.config(answer_ms=ANSWER_MS, watch_ms=0)
    task, error = hung(dev, load, 1)
    assert error.status == "ERR_SM_LOST"
    report = dev.hang(patience=0.5)
    row = report.sms[1]
    assert (row["hart"], row["stop"], report.done["sms_lost"]) == ("STOPPED", "itself", 1)
    assert row["silent"] or row["resident"] == 0
    assert "SM 1: STOPPED" in str(report) and "asked to stop itself" in str(report)
    task.cancel()
    expect("ERR_CANCELLED", task.wait, LONG)
    run_good_task(dev, load(dev, "work"))


def test_beside_another_host(board, kernel_path, elf, lines, tmp_path):
    """S3-R25, S3-R121: an observer sees the same with the ELF at hand, while another process holds the device, and writes nothing."""
    path = str(tmp_path / "device")
    ganger.Device.up(path, board, sms=SMS)
    try:
        with ganger.Device.attach(path) as dev:
            task = dev.submit(dev.load(elf)["spin"], args=[zeros(dev, 1)])
            seen(dev, lambda cta: ("await", lines("spins here")) in places(cta))
            commands = dev.stat()["commands"]
            done = run_ganger("hang", "--device", path, "--elf", elf, "--json")
            assert done.returncode == 0, done.stderr
            found = json.loads(done.stdout)
            ctas = [cta for row in found["sms"] for cta in row["ctas"]]
            assert [cta["kernel"] for cta in ctas] == ["spin"] and ("await", lines("spins here")) in places(ctas[0])
            assert not found["control"]["asked"] and dev.stat()["commands"] == commands
            shown = run_ganger("hang", "--device", path, "--elf", kernel_path("work"))
            assert shown.returncode == 0 and "kernel not known" in shown.stdout and "only looks on" in shown.stdout
            assert run_ganger("hang", "--device", path, "--ask").returncode == 1
            task.cancel()
            expect("ERR_CANCELLED", task.wait, LONG)
        asked = run_ganger("hang", "--device", path, "--ask", "--json")
        assert asked.returncode == 0 and json.loads(asked.stdout)["control"] ["asked"]
    finally:
        ganger.Device.down(path)


def test_run_shows_it(board, elf, lines):
    """S3-R49: `ganger run` that waits in vain shows the report before it gives up."""
    done = run_ganger("run", elf, "--board", board, "--sms", 1, "--kernel", "spin", "--arg", "zero:64", "--timeout", 3)
    assert done.returncode == 1
    assert f"in await (hang.c:{lines('spins here')})" in done.stderr and "ERR_TIMEOUT" in done.stderr.splitlines()[-1]
