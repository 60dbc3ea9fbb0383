# SPDX-License-Identifier: Apache-2.0
"""Run by test_tinygrad.py, with DEV=CL: tinygrad searches for the fastest kernel of a product of matrices (BEAM), and two of
the kernels that it tries never end. The search goes on to its end, and what it finds is right."""
import numpy as np
from tinygrad import Context, Device, Tensor
from tinygrad.codegen.opt import search
from tinygrad.runtime.ops_cl import CLCompiler

HANGS = (2, 5)  # Numbers of builds, of which there is one for each launch: of the first candidate and of the second.
builds, failed = [], []
compile_source, time_program = CLCompiler.compile, search._time_program


def compile_candidate(self, source):
    """Two builds get a loop without an end in front of their last brace."""
    builds.append(source)
    if len(builds) in HANGS:
        head, brace, tail = source.rpartition("}")
        source = f"{head}volatile int on = 1; while (on) {{ }}\n{brace}{tail}"
    return compile_source(self, source)


def time_candidate(*args, **named):
    """Notes the candidates that the search was told of as failed."""
    try:
        return time_program(*args, **named)
    except RuntimeError as error:
        failed.append((len(builds), str(error)))
        raise


def main():
    assert Device.DEFAULT == "CL", Device.DEFAULT
    rng = np.random.default_rng(1)
    a, b = rng.random((8, 12), np.float32), rng.random((12, 4), np.float32)
    first, second = Tensor(a).realize(), Tensor(b).realize()
    CLCompiler.compile, search._time_program = compile_candidate, time_candidate
    with Context(BEAM=1, IGNORE_BEAM_CACHE=1):
        product = (first @ second).realize()
    CLCompiler.compile, search._time_program = compile_source, time_program
    np.testing.assert_allclose(product.numpy(), a @ b, rtol=1e-4)
    print(len(builds), "builds, failed:", failed)
    assert [number for number, _ in failed] == list(HANGS), failed
    assert len(builds) > 2 * max(HANGS), builds
    print("all right")


if __name__ == "__main__":
    main()
