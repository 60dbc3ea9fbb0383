# SPDX-License-Identifier: Apache-2.0
"""CTAs that never end."""
from support import LONG, configured, expect, run_good_task, words, zeros

SHORT_MS = 50
# Where good CTAs, which take microseconds, have the limit, too: a busy machine may stop a hart for long.
SHARED_MS = 2000


def run_forever(dev, module, **keywords):
    """Sixteen CTAs of which number 5 never ends: the error, and who ran."""
    counts = zeros(dev, 16)
    task = dev.submit(module["forever"], grid=(16,), block=(1,), args=[counts, 5], **keywords)
    return expect("ERR_TIME_LIMIT", task.wait, LONG), words(counts.read())


def test_time_limit(device, load):
    """S3-R121: a CTA that passes its time limit ends its task, with a record; its SM goes on."""
    dev = device(8)
    module = load(dev, "work")
    for _round in range(2):
        error, counts = run_forever(dev, module, time_limit_ms=SHARED_MS)
        assert error.record.status == "ERR_TIME_LIMIT" and error.record.cta == 5
        assert counts[5] == 0 and error.done.ctas <= 15
        assert module.base <= error.record.pc < module.base + module.code_bytes
    run_good_task(dev, module)


def test_time_limit_of_the_device(device, load):
    """S3-R121, S0-R33: a task without a limit has the device's, which can be changed at run time."""
    dev = device(8)
    module = load(dev, "work")
    with configured(dev, time_limit_us=1000 * SHARED_MS):
        error, _counts = run_forever(dev, module)
        assert error.record.cta == 5
    with configured(dev, time_limit_us=3_600_000_000):
        error, _counts = run_forever(dev, module, time_limit_ms=SHARED_MS)
        assert error.record.cta == 5


def test_limit_is_not_reached(device, load):
    """S3-R121: CTAs below the limit are left alone, also many on one SM."""
    dev = device(1)
    out = zeros(dev, 200 * 32)
    done = dev.submit(load(dev, "work")["hash"], grid=(200,), block=(32,), args=[out, 3, 100],
                      time_limit_ms=20_000).wait(LONG)
    assert done.ctas == 200


def test_neighbours_of_an_endless_cta(device, load):
    """S3-R121, S3-R66: while one CTA spins to its limit others on its SM run and end well."""
    dev = device(1)
    module = load(dev, "work")
    counts, out = zeros(dev, 1), zeros(dev, 100)
    endless = dev.submit(module["forever"], grid=(1,), block=(1,), args=[counts, 0],
                         time_limit_ms=2000)
    tasks = [dev.submit(module["count"], grid=(100,), block=(1,), args=[out]) for _task in range(5)]
    assert all(task.wait(LONG).ctas == 100 for task in tasks)
    expect("ERR_TIME_LIMIT", endless.wait, LONG)
    assert words(out.read()) == [5] * 100


def test_many_endless_ctas(device, load):
    """S3-R121, S0-R15: every SM full of endless CTAs; the device is whole again after the limit, without the host."""
    dev = device(8)
    module = load(dev, "work")
    tasks = [dev.submit(module["forever"], grid=(1,), block=(1,), args=[zeros(dev, 1), 0],
                        time_limit_ms=SHORT_MS) for _task in range(80)]
    for task in tasks:
        expect("ERR_TIME_LIMIT", task.wait, LONG)
    run_good_task(dev, module)
