# SPDX-License-Identifier: Apache-2.0
"""Kernel ELFs that are cut, wrong or not ours: a clear refusal, never a crash."""
import subprocess
import sys

import pytest

import ganger
from conftest import ROOT
from support import LONG, expect, free_bytes, run_good_task

REFUSED = ("ERR_ELF_TRUNCATED", "ERR_ELF_FORMAT", "ERR_ELF_XLEN", "ERR_ELF_ISA", "ERR_NO_MEMORY", "ERR_UNSUPPORTED")


def test_cut_everywhere(device, load, kernel_path):
    """S3-R40, S3-R41: a kernel ELF cut at any of many places is refused, the heap as before."""
    dev = device(1)
    data = kernel_path("values").read_bytes()
    before = free_bytes(dev)
    places = {*range(0, 80), *range(80, len(data), max(1, len(data) // 300)), len(data) - 1}
    for place in sorted(places):
        error = expect_refusal(dev, data[:place])
        assert error.status in ("ERR_ELF_TRUNCATED", "ERR_ELF_FORMAT"), (place, error)
        assert error.message
        if place >= 64:
            assert error.status == "ERR_ELF_TRUNCATED" and error.field, (place, error)
    assert free_bytes(dev) == before
    dev.load(data).unload()
    run_good_task(dev, load(dev, "work"))


def expect_refusal(dev, data):
    """The error of loading that."""
    with pytest.raises(ganger.Error) as caught:
        dev.load(data)
    return caught.value


@pytest.mark.parametrize("name", ["values", "shared", "barrier"])
def test_changed_bytes(device, load, kernel_path, seed, name):
    """S3-R41: 400 ELFs with changed bytes: each loads or is refused; the process and the device survive."""
    dev = device(1)
    data = kernel_path(name).read_bytes()
    before, loaded = free_bytes(dev), 0
    for _change in range(400):
        bad = bytearray(data)
        for _byte in range(seed.choice((1, 1, 2, 8))):
            end = seed.choice((64, 300, len(bad), len(bad)))
            bad[seed.randrange(end)] = seed.choice((0, 0xff, seed.randrange(256)))
        try:
            dev.load(bytes(bad)).unload()
            loaded += 1
        except ganger.Error as error:
            assert error.status in REFUSED, error
            assert error.message
    print(f"{loaded} of 400 loaded")
    assert free_bytes(dev) == before
    run_good_task(dev, load(dev, "work"))


def test_wrong_xlen(device, load, kernel_path, xlen):
    """S3-R41: a kernel for the other XLEN, by path and from memory."""
    dev = device(1)
    path = kernel_path("work", 96 - xlen)
    for source in (path, path.read_bytes()):
        error = expect("ERR_ELF_XLEN", dev.load, source)
        assert error.field and error.value == 96 - xlen
    assert ganger.elf_info(path).xlen == 96 - xlen
    run_good_task(dev, load(dev, "work"))


@pytest.mark.parametrize("content", [b"", b"\x7f", b"\x7fELF", b"#!/bin/sh\n", b"\0" * 5000,
                                     b"\xff" * 100, b"\x7fELF\x02\x01\x01" + b"\0" * 200])
def test_not_an_elf(device, content, tmp_path):
    """S3-R41: files that are something else."""
    dev = device(1)
    path = tmp_path / "kernel.elf"
    path.write_bytes(content)
    for call in (lambda: dev.load(content), lambda: dev.load(path), lambda: ganger.elf_info(path)):
        with pytest.raises(ganger.Error) as caught:
            call()
        assert caught.value.status in ("ERR_ELF_FORMAT", "ERR_ELF_TRUNCATED")
        assert caught.value.message


def test_other_elfs(device, build, board):
    """S3-R41: ELFs that are no kernels: a program of the host, the firmware itself."""
    dev = device(1)
    for path in (sys.executable, build / board / "cp.elf"):
        error = expect("ERR_ELF_FORMAT", dev.load, path)
        assert error.message


def test_no_such_file(device, tmp_path):
    """S3-R40: paths that lead nowhere."""
    dev = device(1)
    for path in (tmp_path / "none.elf", tmp_path, tmp_path / "none" / "none.elf"):
        expect("ERR_IO", dev.load, path)
        expect("ERR_IO", ganger.elf_info, path)


# The compiler without its own limits, which are given as the first argument.
UNLIMITED = """
import sys
sys.path.insert(0, sys.argv[1])
from gangercc import driver
driver.NAME_MOST, driver.ARGUMENT_BYTES_MOST = 1 << 20, 1 << 20
sys.exit(driver.main(sys.argv[2:]))
"""


@pytest.mark.parametrize("source, field, value", [
    (f"kernel void {'k' * 127}a(void) {{}}\nkernel void {'k' * 127}b(void) {{}}\n", "name", 128),
    ("struct s { char c[65537]; };\nkernel void large(struct s s) {}\n", "argument_bytes", 65537)])
def test_limits_of_a_kernel(device, tmp_path, xlen, source, field, value):
    """S3-R41: an ELF with more than the library takes: refused in the words of ganger-cc, which refuses it first."""
    compiler = ROOT / "firmware" / "kernel"
    (tmp_path / "k.c").write_text(source)
    arguments = ["--xlen", str(xlen), "-o", tmp_path / "k.elf", tmp_path / "k.c"]
    refused = subprocess.run([sys.executable, compiler / "ganger-cc", *arguments], capture_output=True, text=True,
                             timeout=LONG, check=False)
    subprocess.run([sys.executable, "-c", UNLIMITED, compiler, *arguments], timeout=LONG, check=True)
    for call in (device(1).load, ganger.elf_info):
        error = expect("ERR_UNSUPPORTED", call, tmp_path / "k.elf")
        assert (error.field, error.value) == (field, value)
        assert refused.stderr == f"ganger-cc: error: {error.message}\n"


def test_kernels_of_a_module(device, load, kernel_path):
    """S3-R21, S3-R44, S3-R46: names, parameters and needs of each kernel are known before it runs."""
    dev = device(1)
    path = kernel_path("barrier")
    info = ganger.elf_info(path)
    module = load(dev, "barrier")
    assert list(info.kernels) == module.kernels == list(module)
    assert set(module.kernels) == {"reduce", "rotate", "called", "survive", "leave_early", "one_more"}
    assert module["rotate"].shared_bytes >= 4096 and module["rotate"].barrier
    assert module["reduce"].argument_bytes > 0 and module["reduce"].block is None
    assert [one.name for one in module["rotate"].parameters] == ["out", "rounds"]
    error = expect("ERR_KERNEL_NAME", lambda: module["nothing"])
    assert error.value == "nothing" and "rotate" in error.message


def test_module_that_was_unloaded(device, load, kernel_path):
    """S3-R21: a kernel of an unloaded module cannot be posted; its memory is free again."""
    dev = device(1)
    before = free_bytes(dev)
    module = dev.load(kernel_path("order"))
    kernel = module["order_plain"]
    assert free_bytes(dev) < before
    module.unload()
    module.unload()
    assert free_bytes(dev) == before
    expect("ERR_HANDLE", dev.submit, kernel, grid=(1,), block=(1,), args=[None])
    run_good_task(dev, load(dev, "work"))


def test_loaded_many_times(device, kernel_path):
    """S3-R71, S3-R72: the same module at many places: each is relocated for its own place."""
    dev = device(2)
    modules = [dev.load(kernel_path("values")) for _copy in range(10)]
    assert len({module.base for module in modules}) == 10
    outs = [dev.buffer(bytes(8)) for _module in modules]
    tasks = [dev.submit(module["relocated"], grid=(1,), block=(1,), args=[out])
             for module, out in zip(modules, outs)]
    for task, out in zip(tasks, outs):
        task.wait(LONG)
        first, second = memoryview(out.read()).cast("I")
        assert (first, second) == (ord("o") + ord("w"), 42)
