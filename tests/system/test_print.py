# SPDX-License-Identifier: Apache-2.0
"""What kernels print: every conversion, whole records, bounds, and what is no print."""
import ctypes
import re
import struct

import pytest

import ganger
from print_support import c_printf, printed
from support import LONG, expect, run_good_task, words, zeros


@pytest.fixture
def dev(device):
    """The device of these tests."""
    return device(8)


@pytest.fixture
def kernels(dev, load):
    """Module print.c."""
    return load(dev, "print")


@pytest.mark.parametrize("a, b, c, d", [
    (-42, 0xfedcba98, -5, 3.14159), (0, 0, 0, 0.0), (2**31 - 1, 1, 2**63 - 1, -1e300),
    (-2**31, 0xffffffff, -2**63, 1.5e-7), (7, 8, 9, float("inf"))])
def test_conversions(dev, kernels, xlen, a, b, c, d):
    """S3-R8: every conversion of C, with widths and precisions, as the C library of the host writes it."""
    i, u, q, f = ctypes.c_int(a), ctypes.c_uint(b), ctypes.c_longlong(c), ctypes.c_double(d)
    long_b = ctypes.c_ulong(b)
    text = "text of mine"
    expected = [
        c_printf("%d|%5d|%-5d|%05d|%+d|%i", i, i, i, i, i, i),
        c_printf("%u|%x|%#X|%o|%hhx|%hd", u, u, u, u, ctypes.c_uint(b & 0xff),
                 ctypes.c_int(ctypes.c_short(b & 0xffff).value)),
        c_printf("%lld|%llx|%zu|%ld|%lu", q, q, ctypes.c_size_t(4), ctypes.c_long(a), long_b),
        c_printf("%f|%.3f|%10.2e|%g|%a", f, f, f, f, f),
        f"{text}|{text[:3]}|      ab|cd      |x|%|0x0",
        c_printf("%*d|%.*f|%-*d|", 6, i, 2, f, 4, i), "no argument, 100%", ""]
    output = printed(dev, kernels["conversions"], args=[a, b, c, d, dev.buffer(text.encode() + b"\0")])
    assert output.split("\n") == expected
    assert xlen in (32, 64)


@pytest.mark.parametrize("kernel", ["numbers", "numbers_met"])
@pytest.mark.parametrize("grid, block, rounds", [(1, 1, 1), (3, 7, 5), (40, 33, 2), (9, 256, 1)])
def test_records_are_whole(dev, kernels, kernel, grid, block, rounds):
    """S3-R8: prints of many threads on many SMs: each comes once and whole, those of a thread in order."""
    output = printed(dev, kernels[kernel], prints=1 << 20, grid=grid, block=block, args=[rounds])
    assert re.fullmatch(r"(\[\d+ \d+ \d+\])*", output)
    found = [tuple(map(int, one.split())) for one in re.findall(r"\[(.*?)\]", output)]
    assert sorted(found) == [(cta, thread, i) for cta in range(grid) for thread in range(block)
                             for i in range(rounds)]
    for cta in range(grid):
        for thread in range(0, block, 5):
            assert [i for c, t, i in found if (c, t) == (cta, thread)] == list(range(rounds))
    if kernel == "numbers_met":  # No thread prints again before all have printed.
        for cta in range(grid):
            assert [i for c, _t, i in found if c == cta] == sorted(list(range(rounds)) * block)


def test_nobody_reads(dev, kernels):
    """Without a print buffer prints go nowhere, and nothing fails."""
    task = dev.submit(kernels["numbers"], grid=5, block=5, args=[3])
    assert task.wait(LONG).ctas == 5 and task.output == ""
    assert printed(dev, kernels["hello"], args=[0]) == ""
    assert printed(dev, kernels["hello"], grid=3, args=[2]) == "hello\n" * 2


def test_flood(dev, kernels, load):
    """S3-R121: a kernel that prints more than its task may: ERR_PRINT_FLOOD, a record, what was printed until then."""
    for prints, cta, thread in ((4, 0, 0), (400, 2, 1), (65536, 7, 3)):
        task = dev.submit(kernels["flood"], grid=8, block=4, args=[cta, thread], prints=prints)
        error = expect("ERR_PRINT_FLOOD", task.wait, LONG)
        record = error.record
        assert (record.status, record.cta, record.thread, record.tag) == (
            "ERR_PRINT_FLOOD", cta, thread, task.tag)
        assert kernels.base <= record.pc < kernels.base + kernels.code_bytes
        assert task.output == f"{cta} flood " * (prints // 40)
        assert error.done.ctas <= 7
        run_good_task(dev, load(dev, "work"))


def test_prints_that_are_cut(dev, kernels, load):
    """A task whose prints are cut completes: what fits is there, whole, and the other prints return an error."""
    for prints in (0, 4, 48, 60, 64):
        assert printed(dev, kernels["hello"], prints=prints, cut_prints=True, grid=8, args=[8]) == "hello\n" * (prints // 16)
    result = zeros(dev, 2)
    text = dev.buffer(b"x" * 100 + b"\0")
    assert printed(dev, kernels["long_and_short"], prints=64, cut_prints=True, args=[text, result]) == "short"
    assert struct.unpack("2i", result.read()) == (-8, 0), "ERR_NO_MEMORY, and no error"
    run_good_task(dev, load(dev, "work"))


def test_silent_tasks_do_not_ask_for_cut_prints(dev, kernels, load):
    """Without a print buffer the bit would only take the task off the short way."""
    at, *_, fields = ganger.abi.BLOCKS["tmd"][1]["header"]
    cut = 1 << fields["cut_prints"][0]
    for kernel, args, prints, asks in ((load(dev, "work")["blank"], (), 1 << 20, False), (kernels["hello"], [1], 0, False),
                                       (kernels["hello"], [1], 64, True)):
        task = dev.submit(kernel, args=args, prints=prints, cut_prints=True)
        task.wait(LONG)
        assert bool(int.from_bytes(dev.read(task.address + at, 4), "little") & cut) == asks


def test_exactly_full(dev, kernels):
    """The last byte of the buffer can be printed, and not one more: a record of `hello` has 16 bytes."""
    assert printed(dev, kernels["hello"], prints=48, grid=3, args=[3]) == "hello\n" * 3
    task = dev.submit(kernels["hello"], prints=44, grid=3, args=[3])
    expect("ERR_PRINT_FLOOD", task.wait, LONG)
    assert task.output == "hello\n" * 2


def test_what_does_not_fit(dev, kernels):
    """A record is bounded: a long string is cut, and what follows it is shown as missing."""
    output = printed(dev, kernels["long_one"], args=[dev.buffer(b"x" * 1000 + b"\0")])
    assert re.fullmatch(r"1 x{200,240}<cut> <cut>\n", output)
    assert printed(dev, kernels["long_one"], args=[dev.buffer(b"short\0")]) == "1 short 2\n"


def test_failed_assertion(dev, kernels):
    """assert() says where, then the task fails; a good one says nothing."""
    task = dev.submit(kernels["failing"], args=[8], prints=4096)
    expect("ERR_ABORTED", task.wait, LONG)
    assert re.fullmatch(r".*print\.c:\d+: failing: assertion failed: number == 7\n", task.output)
    assert printed(dev, kernels["failing"], args=[7]) == ""


def test_by_hand(dev, kernels):
    """Vectors, as other languages have them, and a format string that the host must not look at."""
    assert printed(dev, kernels["by_hand"], args=[0]) == \
        "by hand 1,-2,3,-4 0.500000,1.500000.\n"
    with dev.context(1 << 20) as other:
        secret = other.buffer(b"the secret of another tenant\0")
        for address in (secret.address, dev.info.ram, 0x10, 2**32 - 1, dev.info.base):
            assert printed(dev, kernels["by_hand"], args=[address]) == \
                f"<print with a format at {address:#x}>"
        secret.free()


def result_of(dev, kernels, address, nbytes, prints=4096):
    """What the call itself returns, and what came out."""
    result = zeros(dev, 1)
    task = dev.submit(kernels["raw"], args=[address, nbytes, result], prints=prints)
    task.wait(LONG)
    return ctypes.c_int32(words(result.read())[0]).value, task.output


def test_bad_calls(dev, kernels):
    """S3-R121: memory that the CTA may not read, lengths and alignments that no print has: refused, nothing printed."""
    refused = ganger.abi.ENUMS["status"]["ERR_ARGUMENT"]
    buffer = dev.buffer(bytes(8192))
    heap = dev.default_context.info
    with dev.context(1 << 20) as other:
        foreign = other.buffer(bytes(64))
        for address, nbytes in ((0, 16), (dev.info.base, 16), (dev.info.ram, 16),
                                (foreign.address, 16), (buffer.address + 2, 16),
                                (buffer.address, 18), (buffer.address, 4100),
                                (buffer.address, 0xfffffffc), (heap.heap + heap.nbytes - 8, 16),
                                (dev.regs.sm_state[7].area.read(), 16)):
            assert result_of(dev, kernels, address, nbytes) == (refused, ""), hex(address)
        foreign.free()


@pytest.mark.parametrize("data", [
    bytes(16), b"\xff" * 64, struct.pack("<IIQ", 16, 0, 0), struct.pack("<IIQ", 8, 0, 0),
    struct.pack("<IIQ", 1 << 31, 0, 0), struct.pack("<IIQII", 24, 0, 0, 0xffffff01, 5)])
def test_records_of_nonsense(dev, kernels, data):
    """The host believes nothing that a kernel gives it: lengths, slots, formats."""
    buffer = dev.buffer(data + bytes(64))
    status, output = result_of(dev, kernels, buffer.address, len(data))
    assert status == 0 and output.startswith("<")


@pytest.mark.parametrize("text, slots, shown", [
    (b"%d %s %f\0", b"", "<cut> <cut> <cut>"), (b"%d\0", (3, b"word"), "<?>"),
    (b"%s\0", (1, struct.pack("<q", 5)), "<?>"), (b"%n%q%\0", b"", None),
    (b"%99999999999999d|\0", (1, struct.pack("<q", 5)), " " * 1023 + "5|"),
    (b"%v16d\0", (1, struct.pack("<q", 5)), "5" + ",0" * 15),
    (b"%.99999s\0", (3, b"four"), "four"), (b"%*d\0", (1, struct.pack("<q", -2**40)), None),
    (b"%0-+ #0-+ #d\0", (1, struct.pack("<q", 5)), "+5")])
def test_formats_of_nonsense(dev, kernels, text, slots, shown):
    """The same for formats: conversions without arguments, of another kind, far too wide."""
    texts = dev.buffer(text)
    body = struct.pack("<I", slots[0] | len(slots[1]) << 8) + slots[1] if slots else b""
    record = struct.pack("<IIQ", 16 + len(body), 0, texts.address) + body
    buffer = dev.buffer(record)
    status, output = result_of(dev, kernels, buffer.address, len(record))
    assert status == 0 and (output == shown or shown is None)


def test_children(dev, kernels):
    """S0-R07: a child prints into the buffer of its oldest ancestor."""
    with dev.template(kernels["hello"], grid=4, args=[3]) as pattern, \
            dev.buffer(nbytes=256, align=256) as tmd:
        output = printed(dev, kernels["parent"], args=[pattern, tmd])
        assert output == "parent\n" + "hello\n" * 3
    error = expect("ERR_ARGUMENT", dev.template, kernels["hello"], args=[1], prints=64)
    assert error.field == "print_bytes"


def test_bounds_of_the_buffer(dev, kernels):
    """Refused: more than the library gives, and a buffer outside of device memory."""
    assert expect("ERR_ARGUMENT", dev.submit, kernels["hello"], args=[1],
                  prints=(16 << 20) + 1).field == "print_bytes"
    for where in (0x80000000, dev.info.heap + dev.info.heap_bytes - 8, dev.info.heap + 2):
        tmd = dev.tmd(kernels["hello"], args=[1])
        tmd.print, tmd.print_bytes = where, 64
        assert expect("ERR_ARGUMENT", dev.submit_tmd(tmd).wait, LONG).field == "tmd.print"
    assert printed(dev, kernels["hello"], prints=17, args=[1]) == "hello\n"


def test_many_tasks(dev, kernels):
    """Buffers of many tasks at once are apart; a task without one among them prints nothing."""
    tasks = [dev.submit(kernels["numbers"], grid=1 + number % 3, args=[number % 4],
                        prints=4096 if number % 5 else 0) for number in range(100)]
    for number, task in enumerate(tasks):
        task.wait(LONG)
        count = (1 + number % 3) * (number % 4) if number % 5 else 0
        assert task.output.count("[") == count, number
