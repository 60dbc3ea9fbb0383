# SPDX-License-Identifier: Apache-2.0
"""What the tests of prints share: the output of a kernel, and the same by the C library."""
import ctypes

from support import LONG


def printed(dev, kernel, prints=65536, **keywords):
    """Runs it and returns its output."""
    task = dev.submit(kernel, prints=prints, **keywords)
    task.wait(LONG)
    return task.output


def c_printf(text, *values):
    """What a format and values become by the C library of this machine."""
    buffer = ctypes.create_string_buffer(4096)
    ctypes.CDLL(None).snprintf(buffer, 4096, text.encode(), *values)
    return buffer.value.decode()
