# SPDX-License-Identifier: Apache-2.0
"""What the tests of isolation share: kernels that reach for one address, and the map of a device."""
import subprocess

from support import LONG, error_of, words, zeros

# Also in tests/kernels/isolation.c, and what mcause says when it is forbidden.
READ, WRITE, EXECUTE, ATOMIC = range(4)
CAUSES = {READ: 5, WRITE: 7, EXECUTE: 1, ATOMIC: 7}
NAMES = {READ: "read", WRITE: "write", EXECUTE: "execute", ATOMIC: "atomic"}


def submit_reach(dev, load, deed, address, **keywords):
    """Posts kernel `reach`: the task, and its two words of output."""
    out = zeros(dev, 2)
    return dev.submit(load(dev, "isolation")["reach"], args=[deed, address, out], **keywords), out


def reaches(dev, load, deed, address, **keywords):
    """It must come through; returns the word that it read."""
    task, out = submit_reach(dev, load, deed, address, **keywords)
    task.wait(LONG)
    assert words(out.read())[1] == 1
    return words(out.read())[0]


def is_denied(dev, load, deed, address, **keywords):
    """It must fault, with a record that names the address."""
    what = f"{NAMES[deed]} {address:#x}"
    task, out = submit_reach(dev, load, deed, address, **keywords)
    error = error_of(task.wait, LONG)
    assert error.status in ("ERR_FAULT_ACCESS", "ERR_STACK_OVERFLOW"), f"{what}: {error}"
    assert words(out.read()) == [0, 0], what
    record = error.record
    assert (record.address, record.cause, record.tag) == (address, CAUSES[deed], task.tag), what
    if deed == EXECUTE:
        assert record.pc == address and record.jumped, what
    return error


def symbol(build, board, image, name):
    """Address of a symbol of a firmware image."""
    text = subprocess.run(["riscv64-unknown-elf-nm", build / board / f"{image}.elf"],
                          capture_output=True, text=True, check=True, timeout=60).stdout
    found = [line.split() for line in text.splitlines()]
    return next(int(row[0], 16) for row in found if row[-1] == name)
