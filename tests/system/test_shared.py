# SPDX-License-Identifier: Apache-2.0
"""Shared memory of CTAs, and several CTAs on one SM."""
import random

import pytest

import ganger
from support import LONG, words, zeros

SECRET = 0x5EC4E7AA


@pytest.mark.parametrize("threads", [1, 32, 512])
def test_each_cta_has_its_own(device, load, threads):
    """S0-R40, S0-R41, S3-R76, S3-C11, S3-R119: CTAs that take turns on one SM see only their own shared memory."""
    dev = device(1)
    wrong = zeros(dev, 1)
    done = dev.submit(load(dev, "shared")["own"], grid=(40,), block=(threads,),
                      args=[wrong, 50]).wait(LONG)
    assert done.ctas == 40 and words(wrong.read()) == [0]


def test_parameters_and_variables_do_not_overlap(device, load):
    """S3-R74, S3-R30: two `__local` parameters and a variable are three pieces of memory."""
    dev = device(8)
    wrong = zeros(dev, 1)
    kernel = load(dev, "shared")["three"]
    assert kernel.shared_bytes >= 256
    assert [one.kind for one in kernel.parameters] == ["buffer", "local", "local", "value"]
    for n in (1, 63, 100, 1001):
        dev.submit(kernel, grid=(30,), block=(16,),
                   args=[wrong, ganger.local(4 * n), ganger.local(n), n]).wait(LONG)
    assert words(wrong.read()) == [0]


def test_atomics_on_shared_memory(device, load):
    """S0-R40: a histogram by atomics on shared, then on device memory."""
    dev = device(8)
    data = random.Random(4).randbytes(20_000)
    bins = zeros(dev, 256)
    dev.submit(load(dev, "shared")["histogram"], grid=(10,), block=(64,),
               args=[dev.buffer(data), bins, len(data)]).wait(LONG)
    assert words(bins.read()) == [data.count(value) for value in range(256)]


@pytest.mark.parametrize("nbytes, at_once", [(0, 8), (1, 8), (8192, 8), (8193, 6), (16384, 4),
                                             (20000, 3), (32768, 2), (40000, 1), (65536, 1)])
def test_resident_ctas_by_need(device, load, nbytes, at_once):
    """S0-R35, S0-R41, S0-R31, S3-R118: an SM holds as many CTAs as fit, and never more."""
    dev = device(1)
    module = load(dev, "shared")
    most = dev.info.sm_shared_bytes
    if nbytes:
        units = -(-nbytes // (most // dev.info.sm_units))
        assert min(dev.info.sm_ctas, dev.info.sm_units // units) == at_once
    found = zeros(dev, 1)
    args = [SECRET, ganger.local(nbytes) if nbytes else ganger.local(4), 0, found]
    dev.trace_on()
    dev.submit(module["seek"], grid=(40,), block=(1,), args=args).wait(LONG)
    dev.trace_off()
    assert resident_at_once(dev.trace()) <= at_once


def resident_at_once(trace):
    """Most CTAs of a launch packet: what the CP thought to fit at once."""
    return max(event.extra for event in trace.of_type("LAUNCH"))


def test_next_context_finds_no_secret(fresh, load, kernel_path):
    """S3-T7, S3-R77, S3-R95: shared memory that another context used is zero; S3-R22 contexts are apart."""
    dev = fresh(1)
    first, second = dev.default_context, dev.context(1 << 20)
    most = dev.info.sm_shared_bytes
    hide = load(dev, "shared")["hide"]
    first.submit(hide, grid=(4,), block=(1,), args=[SECRET, ganger.local(most), most // 4]).wait(LONG)
    found = first.buffer(bytes(4))
    first.submit(load(dev, "shared")["seek"], grid=(1,), block=(1,),
                 args=[SECRET, ganger.local(most), most // 4, found]).wait(LONG)
    assert words(found.read())[0] > most // 8, "the test would find nothing in any case"
    module = second.load(kernel_path("shared"))
    found = second.buffer(bytes(4))
    second.submit(module["seek"], grid=(4,), block=(1,),
                  args=[SECRET, ganger.local(most), most // 4, found]).wait(LONG)
    assert words(found.read()) == [0]


def test_spinning_neighbours_get_their_turn(device, load):
    """S3-R66, S0-R41: all CTAs of an SM wait for one another without a barrier: time slices let them meet."""
    dev = device(1)
    ctas = dev.info.sm_ctas
    arrived = zeros(dev, 1)
    done = dev.submit(load(dev, "work")["meet"], grid=(ctas,), block=(1,),
                      args=[arrived, ctas]).wait(LONG)
    assert done.ctas == ctas


def test_spinning_ctas_of_two_sms(device, load):
    """S3-C4, S3-R115, S3-R66: as many CTAs as both SMs hold, meeting across SMs."""
    dev = device(2)
    ctas = 2 * dev.info.sm_ctas
    arrived = zeros(dev, 1)
    assert dev.submit(load(dev, "work")["meet"], grid=(ctas,), block=(33,),
                      args=[arrived, ctas]).wait(LONG).ctas == ctas
