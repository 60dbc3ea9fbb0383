# SPDX-License-Identifier: Apache-2.0
"""Packages of PyPI that compute with PyOpenCL or by OpenCL itself: their own tests and examples, as their source packages
have them. Those that take hours in the emulator are cut to small sizes by their own options."""
import re

import pytest

from conftest import SUITES, run

REIKNA = ("test_cluda", "test_core", "test_algorithms", "test_cbrng", "test_dht.py", "test_linalg", "test_transformations.py", "test_fft")
LOOPY = ("hello-loopy", "rank-one", "vector-types", "call-external", "find-centers", "sparse", "global_barrier_removal")
LOOPY_TESTS = ("test_linalg.py", "test_nbody.py", "test_scan.py", "test_reduction.py")
PYVKFFT = {"c2c": ("--c2c", "--ndim", "1", "--range", "2", "16"), "two": ("--c2c", "--ndim", "2", "--range", "2", "5"),
           "r2c": ("--r2c", "--ndim", "1", "--range", "2", "10", "--inplace"), "dct": ("--dct", "2", "--ndim", "1", "--range", "3", "8"),
           "double": ("--c2c", "--double", "--ndim", "1", "--range", "2", "8"), "radix": ("--c2c", "--radix", "--ndim", "1", "--range", "16", "40")}
CLBLAST = ("saxpy", "saxpybatched", "sgemm", "sgemv")


def sources(name):
    """The unpacked source package."""
    (found,) = SUITES.glob(f"{name}-*/")
    return found


def pytest_of(interpreter, folder, *words, **more):
    """A run of other people's tests: which failed, by name; some passed."""
    done = run([interpreter, "-m", "pytest", "-q", "-rf", "--tb=short", "--timeout", "1200", "-p", "no:cacheprovider", *words], folder, **more)
    print(done.stdout.splitlines()[-1])
    assert re.search(r"\d+ passed", done.stdout), done.stdout[-4000:] + done.stderr[-1000:]
    return set(re.findall(r"^FAILED (?:\S*/)?\S+\.py::(\S+)", done.stdout, re.MULTILINE)), done.stdout[-8000:]


@pytest.mark.parametrize("part", REIKNA)
def test_reikna(part):
    """reikna's own tests. They need an older PyOpenCL, and so have an environment of their own. Those of its speed take more
    memory than the device has, or ask for more than `float` has with any platform: docs/OPENCL.md."""
    failed, said = pytest_of(SUITES / "venv-reikna" / "bin" / "python", sources("reikna") / "test", "--api", "ocl", "-m", "not perf", part)
    assert not failed, said


@pytest.mark.parametrize("example", LOOPY)
def test_loopy_example(python, example):
    """loopy's examples end well; they compare results themselves."""
    done = run([python, f"{example}.py"], sources("loopy") / "examples" / "python")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


@pytest.mark.parametrize("part", LOOPY_TESTS)
def test_loopy(python, part):
    """Some of loopy's own tests: results of its transformations compared with those of plain kernels."""
    failed, said = pytest_of(python, sources("loopy") / "test", part)
    assert not failed, said


@pytest.mark.parametrize("what", PYVKFFT)
def test_pyvkfft(python, what):
    """Fourier transforms of VkFFT, there and back, compared with NumPy's, by pyvkfft's own tests."""
    done = run([python, "-m", "pyvkfft.scripts.pyvkfft_test", "--backend", "pyopencl", "--systematic", "--nproc", "1", *PYVKFFT[what]])
    assert done.returncode == 0 and re.search(r"^Finished [1-9]\d* tests", done.stdout, re.MULTILINE) and "FAIL" not in done.stdout, \
        done.stdout[-4000:] + done.stderr[-2000:]
    print(re.search(r"Finished \d+ tests", done.stdout)[0])


def test_pyclblast(python):
    """pyclblast's own tests, on Debian's CLBlast."""
    failed, said = pytest_of(python, sources("pyclblast") / "test", ".")
    assert not failed, said


def numbers(text):
    """Those with a point: not the numbers of batches."""
    return [float(one) for one in re.findall(r"-?\d+\.\d*", text)]


@pytest.mark.parametrize("sample", CLBLAST)
def test_pyclblast_sample(python, sample):
    """Its samples print what came out, and after it what should have."""
    done = run([python, sources("pyclblast") / "samples" / f"{sample}.py"])
    found, _, expected = done.stdout.partition("# Expected result")
    found = numbers(found[found.rfind("esult"):])
    assert done.returncode == 0 and found and found == pytest.approx(numbers(expected), rel=1e-4, abs=1e-5), done.stdout + done.stderr[-2000:]


def test_tinygrad(python):
    """What tinygrad's source package has of its tests. In one of them it searches for the fastest product of matrices, which
    takes longer than the others together."""
    failed, said = pytest_of(python, sources("tinygrad") / "test", "test_tiny.py", "-k", "not beam_image", DEV="CL")
    assert not failed, said
