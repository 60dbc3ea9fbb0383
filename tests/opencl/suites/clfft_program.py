# SPDX-License-Identifier: Apache-2.0
"""Run by test_debian.py: transforms of random numbers by Debian's clFFT, there and back, compared with NumPy's."""
import ctypes

import numpy as np
import pyopencl as cl

SINGLE, DOUBLE, IN_PLACE = 1, 2, 1
FORWARD, BACKWARD = -1, 1
SHAPES = ((1024,), (60,), (16384,), (243,), (3125,), (343,), (32, 64), (10, 9, 16))
clfft = ctypes.CDLL("libclFFT.so.2")


def checked(name, *arguments):
    status = getattr(clfft, name)(*arguments)
    assert status == 0, f"{name}: {status}"


def handle(one):
    return ctypes.c_void_p(one.int_ptr)


def transform(context, queue, buffer, shape, precision, direction):
    """In place. clFFT's first length is that of the last axis."""
    plan, lengths = ctypes.c_size_t(), (ctypes.c_size_t * len(shape))(*reversed(shape))
    queues, buffers = (ctypes.c_void_p * 1)(queue.int_ptr), (ctypes.c_void_p * 1)(buffer.int_ptr)
    checked("clfftCreateDefaultPlan", ctypes.byref(plan), handle(context), len(shape), lengths)
    checked("clfftSetPlanPrecision", plan, precision)
    checked("clfftSetResultLocation", plan, IN_PLACE)
    checked("clfftBakePlan", plan, 1, queues, None, None)
    checked("clfftEnqueueTransform", plan, direction, 1, queues, 0, None, None, buffers, None, None)
    queue.finish()
    checked("clfftDestroyPlan", ctypes.byref(plan))


def compare(context, queue, shape, precision):
    rng = np.random.default_rng(1)
    kind, most = (np.complex64, 1e-6) if precision == SINGLE else (np.complex128, 1e-14)
    data = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(kind)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=data)
    for direction, expected in ((FORWARD, np.fft.fftn(data)), (BACKWARD, data)):
        found = np.empty_like(data)
        transform(context, queue, buffer, shape, precision, direction)
        cl.enqueue_copy(queue, found, buffer)
        off = np.linalg.norm(found - expected) / np.linalg.norm(expected)
        print(shape, kind.__name__, direction, off)
        assert off < most, (shape, kind, direction, off)


def main():
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    checked("clfftSetup", None)
    for shape in SHAPES:
        for precision in (SINGLE, DOUBLE):
            compare(context, queue, shape, precision)
    checked("clfftTeardown")
    print("all right")


if __name__ == "__main__":
    main()
