# SPDX-License-Identifier: Apache-2.0
"""`ganger clrun`: an OpenCL C source, compiled and run at once."""
import array
import json

import pytest

from support import run_ganger

pytestmark = pytest.mark.shared

SAXPY = """
__kernel void saxpy(__global const float *x, __global float *y, float a, __local float *scratch)
{
	size_t i = get_global_id(0);
	scratch[get_local_id(0)] = a * x[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	y[i] = scratch[get_local_id(0)] + OFFSET;
}
__kernel void sizes(__global uint *out)
{
	out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 100 + get_local_size(1);
}
"""


@pytest.fixture
def clrun(tmp_path, board):
    """Runs the command on saxpy.cl; returns (exit code, output, errors)."""
    (tmp_path / "saxpy.cl").write_text(SAXPY)

    def call(*words, source="saxpy.cl"):
        done = run_ganger("clrun", source, "--board", board, "--sms", "2", "--cc=-DOFFSET=1", *words,
                          folder=tmp_path)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    return call


def test_files_in_and_out(clrun, tmp_path):
    """S3-R40, S3-R49: buffers from and to files, a number, local memory; a table at the end."""
    (tmp_path / "x.bin").write_bytes(array.array("f", range(256)).tobytes())
    code, out, _errors = clrun("--kernel", "saxpy", "--global", "256", "--local", "64", "--arg",
                               "in:x.bin", "--arg", "out:1K:y.bin", "--arg", "f32:1.5", "--arg",
                               "local:256")
    assert code == 0 and "saxpy" in out and "run ms" in out and "y.bin: 1024 bytes" in out
    found = array.array("f", (tmp_path / "y.bin").read_bytes()).tolist()
    assert found == [1.5 * i + 1 for i in range(256)]


def test_two_dimensions_and_json(clrun, tmp_path):
    """S0-R42: sizes of two dimensions, results as JSON."""
    code, out, _errors = clrun("--kernel", "sizes", "--global", "12,8", "--local", "4,2", "--arg",
                               "out:384:sizes.bin", "--json")
    facts = json.loads(out)
    assert code == 0 and facts["done"]["status"] == "OK" and facts["done"]["ctas"] == 12
    assert facts["groups"] == [3, 4] and facts["files"][0]["nbytes"] == 384
    assert array.array("I", (tmp_path / "sizes.bin").read_bytes()).tolist() == [402] * 96


def test_default_local_size(clrun):
    """S3-R62: a divisor of the global size when nobody names one."""
    code, out, _errors = clrun("--kernel", "sizes", "--global", "96", "--arg", "zero:384", "--json")
    assert code == 0 and json.loads(out)["local"] == [32]


@pytest.mark.parametrize("words, text", [
    (("--kernel", "sizes", "--global", "10", "--local", "4", "--arg", "zero:64"), "multiple"),
    (("--global", "4", "--arg", "zero:64"), "saxpy, sizes"),
    (("--kernel", "none", "--global", "4"), "none"),
    (("--kernel", "sizes", "--global", "4", "--arg", "in:missing.bin"), "missing.bin"),
])
def test_errors(clrun, words, text):
    """S3-R49: one line says what is wrong, and the exit code is 1."""
    code, _out, errors = clrun(*words)
    assert code == 1 and text in errors


def test_usage_errors(clrun):
    """S3-R49: a wrong argument is a usage error."""
    for word in ("out:4K", "zero:much", "i32:x", "buf:4K", "out:y.bin:4K"):
        code, _out, errors = clrun("--kernel", "sizes", "--global", "4", "--arg", word)
        assert code == 2 and f"'{word}'" in errors and "write " in errors


def test_a_source_that_does_not_compile(clrun, tmp_path):
    """S3-R41: the compiler's lines, and an error."""
    (tmp_path / "bad.cl").write_text("kernel void bad(global int *p) { *p = none; }\n")
    code, _out, errors = clrun("--global", "4", source="bad.cl")
    assert code == 1 and "bad.cl:1:" in errors and "does not compile" in errors
    (tmp_path / "bad.txt").write_text("")
    assert clrun("--global", "4", source="bad.txt")[0] == 1
