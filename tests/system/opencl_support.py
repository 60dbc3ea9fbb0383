# SPDX-License-Identifier: Apache-2.0
"""What the tests of kernels in OpenCL C share: typed buffers, comparison of numbers, the devices."""
import array
import math

import pytest

from support import LONG

SIZES = (1, 63, 64, 65, 66, 67)


@pytest.fixture(params=[1, 2, 8], ids=lambda sms: f"{sms}sm")
def dev(request, device):
    """A device of 1, of 2 and of 8 SMs."""
    return device(request.param)


def put(dev, code, numbers):
    """A buffer with numbers of a type of the module array."""
    return dev.buffer(array.array(code, numbers).tobytes())


def get(buffer, code):
    """The numbers of a buffer."""
    return array.array(code, bytes(buffer.read())).tolist()


def single(number):
    """Rounded to binary32."""
    return array.array("f", [number])[0]


def run(dev, kernel, grid, block, *arguments):
    """Runs a kernel to its end; `grid` counts work-groups."""
    return dev.submit(kernel, grid=grid, block=block, args=list(arguments)).wait(LONG)


def assert_close(found, expected, relative=1e-5, absolute=1e-6):
    """Lists of real numbers that are nearly the same."""
    assert len(found) == len(expected)
    bad = [(i, f, e) for i, (f, e) in enumerate(zip(found, expected))
           if not math.isclose(f, e, rel_tol=relative, abs_tol=absolute)]
    assert not bad, f"{len(bad)} differ, first (index, found, expected): {bad[:3]}"


def groups(items, size):
    """Work-groups that items need."""
    return -(-items // size)
