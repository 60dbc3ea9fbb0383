# SPDX-License-Identifier: Apache-2.0
"""ganger.StageProfiler: what the control processor executes, by stage."""
import pytest

import ganger
from ganger.stages import STAGES, _room
from ganger.symbols import Place


def blank(dev, sample_path, how):
    """What `how` counts for a task of one CTA after some others."""
    module = dev.load(sample_path("vecadd"))
    buffer = dev.buffer(nbytes=64)

    def run():
        dev.submit(module["vecadd"], grid=(1,), block=(1,), args=[buffer, buffer, buffer, 1]).wait()
    for _ in range(3):
        run()
    return how(run)


def test_sum(board, sample_path):
    """The stages of a task add up to exactly what the counting plugin counts of the control processor, and each is known."""
    with ganger.Device.boot(board, sms=2, icount=True, count=True) as dev:
        def counted(run):
            before = dev.counter.settled()[0]
            run()
            return dev.counter.settled()[0] - before
        expected = blank(dev, sample_path, counted)
    with ganger.StageProfiler(board) as profiler, ganger.Device.boot(board, sms=2, icount=True, plugin=profiler.plugin()) as dev:
        def staged(run):
            settled(profiler)
            profiler.begin()
            run()
            return settled(profiler)
        stages = blank(dev, sample_path, staged)
    assert sum(stage.instructions for stage in stages) == expected > 1000
    rooms = [stage.room for stage in stages]
    assert set(rooms) <= set(STAGES) and {"host", "accept", "finish", "task", "loop"} <= set(rooms) and len(set(rooms)) == len(rooms)
    assert [stage.instructions for stage in stages] == sorted((stage.instructions for stage in stages), reverse=True)
    assert all(stage.text == STAGES[stage.room] for stage in stages)


def settled(profiler):
    """What is counted once nothing more is."""
    last, same = profiler.stages(), 0
    while same < 3:
        now = profiler.stages()
        same, last = (same + 1 if now == last else 0), now
    return last


def test_rooms():
    """An instruction belongs to the innermost function of a source file; what is inline in headers, to its user."""
    def place(file):
        return Place("f", file, 1)
    assert _room((place("/x/firmware/cp/base/bits.h"), place("/x/firmware/cp/life/life.c"), place("/x/firmware/cp/loop.c"))) == "life"
    assert _room((place("firmware/cp/loop.c"),)) == "loop"
    assert _room((place("hal/mmio.c"), place(None))) == _room(()) == "other"


def test_no_image(tmp_path):
    """Without an image there is nothing to count."""
    with pytest.raises(ganger.Error) as error:
        ganger.StageProfiler("qemu-virt64", build=tmp_path)
    assert error.value.status == "ERR_IMAGE_MISSING" and str(tmp_path) in str(error.value)
