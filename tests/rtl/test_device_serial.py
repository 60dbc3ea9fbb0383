# SPDX-License-Identifier: Apache-2.0
"""The serial link on RTL: the line of a core is the only way to it (an image with the board's link.c), good and bad."""
import sys

import pytest
from device_support import BUILD, LONG, ROOT, Machine, numbers_of, simulation, words, zeros

sys.path.append(str(ROOT / "tests/system"))
from serial_proxy import SerialProxy  # noqa: E402  # pylint: disable=wrong-import-position

BOARD = "refsoc-vexmin"  # RTL_SERIAL of rtl.mk
IMAGE = BUILD / "rtl/serial" / BOARD / "flash.bin"


@pytest.fixture
def line(tmp_path):
    """A simulation whose line is the Unix socket `line`."""
    with simulation(BOARD, tmp_path, image=IMAGE, uart=f"unix:{tmp_path / 'line'}") as sim:
        yield sim


def work(machine, rounds):
    """vecadd, a fault and counts; all results are right."""
    dev, count = machine.dev, 40
    left, right, total = (dev.buffer(numbers_of([factor * at for at in range(count)])) for factor in (3, 4, 0))
    machine.run("vecadd", "vecadd", grid=5, block=8, args=[left, right, total, count])
    assert words(total.read()) == [7 * at for at in range(count)]
    counts = zeros(dev, 36)
    for _round in range(rounds):
        tasks = [dev.submit(machine.kernel("count"), grid=12, priority=3 - at, args=[counts.address + 48 * at])
                 for at in range(3)]
        assert [machine.finish(task).ctas for task in tasks] == [12] * 3
    assert words(counts.read()) == [rounds] * 36
    task = dev.submit(machine.kernel("fault"), grid=4, args=[counts, 3, 0, 2, 0])
    with pytest.raises(Exception) as error:
        machine.finish(task)
    assert (error.value.status, error.value.record.cta) == ("ERR_FAULT_ILLEGAL", 2)
    machine.works()
    machine.at_rest()


def test_a_task(line, tmp_path):
    """S3-R22, S3-R49: boot, memory and a kernel over the 16550 of the SoC."""
    with line.connect(f"serial:unix:{tmp_path / 'line'}") as dev:
        data = bytes(range(256))
        assert (dev.state, dev.info.sms, dev.buffer(data).read()) == ("READY", 2, data)
        machine, counts = Machine(line, dev), zeros(dev, 4)
        assert machine.run("count", grid=4, args=[counts]).ctas == 4
        assert words(counts.read()) == [1] * 4


def test_line(line, tmp_path):
    """S3-R22, S3-R49: boot, memory, kernels, tasks and faults over the 16550 of the SoC."""
    with line.connect(f"serial:unix:{tmp_path / 'line'}") as dev:
        assert (dev.state, dev.info.sms, dev.info.xlen) == ("READY", 2, 32)
        data = bytes(range(256)) * 4
        assert dev.buffer(data).read() == data
        work(Machine(line, dev), 2)
    with line.connect(f"serial:unix:{tmp_path / 'line'}") as dev:
        assert dev.state == "READY" and dev.alive(LONG)


def test_bad_line(line, tmp_path):
    """S3-R22: with bytes lost, doubled, changed, exchanged and late, results and counts are as without."""
    with SerialProxy(tmp_path / "bad", tmp_path / "line", 8, 1 / 500, 1 / 12) as bad:
        with line.connect(f"serial:unix:{tmp_path / 'bad'}") as dev:
            work(Machine(line, dev), 3)
        print(f"{bad.faults} faults")
        assert bad.faults >= 30
