# SPDX-License-Identifier: Apache-2.0
"""ganger-cc with OpenCL C: what it refuses and how, what it tells about kernels."""
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

FOLDER = Path(__file__).resolve().parents[2] / "firmware" / "kernel"
sys.path.insert(0, str(FOLDER))

from gangercc import opencl_ir, opencl_types  # noqa: E402
from gangercc.errors import KernelError  # noqa: E402

KERNEL = "kernel void k(global int *p) {{ {} }}\n"


def build(folder, text, *options):
    """(exit code, errors, path of the ELF) of a source."""
    source, elf = folder / "k.cl", folder / "k.elf"
    source.write_text(text)
    done = subprocess.run([sys.executable, FOLDER / "ganger-cc", *options, "-o", elf, source], text=True,
                          stderr=subprocess.PIPE, timeout=300, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr, elf


@pytest.mark.parametrize("text, options, said", [
    (KERNEL.format('printf(*p ? "a" : "b");'), (), "printf: the format must be a constant string"),
    ("constant char f[1] = {'a'}; " + KERNEL.format("printf(f);"), (), "must be a constant string"),
    (KERNEL.format('printf("%d %d", 1);'), ("-w",), "%d has no argument"),
    (KERNEL.format('printf("%d\\n", 1.5);'), ("-w",), 'printf("%d\\n"): %d needs an integer'),
    (KERNEL.format('printf("%f", 1);'), ("-w",), "%f needs a floating-point number"),
    (KERNEL.format('printf("%s", 1);'), ("-w",), "%s needs a string"),
    (KERNEL.format('printf("%p", 1);'), ("-w",), "%p needs a pointer"),
    (KERNEL.format('printf("%v4d", (int2)(1));'), ("-w",), "%v4d needs a vector of 4 integers of 32 bits"),
    (KERNEL.format('printf("%v8lf", (float8)(1));'), ("-w",), "%v8lf needs a vector of 8 doubles"),
    (KERNEL.format('printf("%v5d", (int4)(1));'), ("-w",), "%v5d is not supported"),
    (KERNEL.format('printf("%v2hf", (int2)(1));'), ("-w",), "%v2hf is not supported"),
    (KERNEL.format('printf("%v2c", (int2)(1));'), ("-w",), "%v2c is not supported"),
    (KERNEL.format('printf("%hld", 1);'), ("-w",), "%hld is not supported"),
    (KERNEL.format('printf("%n", p);'), ("-w",), "%n is not supported"),
    (KERNEL.format('printf("5 %");'), ("-w",), "% is not supported"),
    ("kernel void k(read_only image2d_t i, global float4 *p) { }", (), "image2d_t is not supported"),
    ("kernel void k(sampler_t s, global float4 *p) { }", (), "sampler_t is not supported"),
    ("constant sampler_t s = CLK_FILTER_LINEAR; int f(sampler_t); " + KERNEL.format("*p = f(s);"), (),
     "sampler_t is not supported"),
    (KERNEL.format("atom_add((global long *)p, 1L);"), ("--xlen", "32"), "'atom_add' is unavailable"),
    ("kernel void k(read_only pipe int q) { }", (), "pipe"),
    (KERNEL.format("*p = none();"), (), "'none'"),
    ("int other(int); " + KERNEL.format("*p = other(1);"), (), "undefined: other"),
    (KERNEL.format("atomic_inc(p);"), ("-march=rv32imc",), "atomics need a core with the A extension"),
    (KERNEL.format("*p = 1;"), ("-cl-std=CL2.0",), "only OpenCL C 1.0 to 1.2"),
    ("int f(void) { return 1; }", (), "no kernel found"),
    ("kernel __attribute__((reqd_work_group_size(64, 64, 1))) void k(void) { }", (), "1,024"),
])
def test_refusals(tmp_path, text, options, said):
    code, errors, elf = build(tmp_path, text, *options)
    assert code == 1 and said in errors and not elf.exists()


@pytest.mark.parametrize("text", [
    # Names of the C library and of the compiler's own functions.
    "float sinf(float x) { return 1; } int exp(int x) { return x; } void memset(int a) { } "
    "kernel void k(global float *p) { *p = sinf(*p) + exp(3) + pow(p[1], 2.5f); }",
    # A kernel that another one calls; a switch without a table of addresses.
    "kernel void k(global int *p) { switch (*p) { case 1: *p = 9; break; case 2: *p = 7; break; "
    "case 3: *p = 5; break; case 4: *p = 1; break; case 5: *p = 0; break; case 6: *p = 70; } } "
    "kernel void l(global int *p) { k(p); }",
    # A function that is inline and no more, and too large for that.
    "inline float far(float x) { for (int i = 0; i < 9; i++) { x += sin(x) * cos(x) / tan(x) + pow(x, i); } "
    "return x; } kernel void k(global float *p) { p[0] = far(p[1]) + far(p[2]) + far(p[3]); }",
    # A built-in function with a variable of its own.
    "kernel void k(global float *p) { int e; *p = frexp(*p, &e) + e; }",
    # The same name for a variable in two kernels, and extensions that are there.
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "kernel void k(global double *p) { local double x; x = *p; barrier(1); *p = x; } "
    "kernel void l(global double *p) { local double x; x = *p; barrier(1); *p = x; }",
])
@pytest.mark.parametrize("options", [(), ("--xlen", "32"), ("-march=rv32imac",), ("-O0", "-g"),
                                     ("-cl-fast-relaxed-math", "-cl-std=CL1.1")])
def test_accepted(tmp_path, text, options):
    code, errors, _elf = build(tmp_path, text, *options)
    assert code == 0 and "warning" not in errors


def section(elf):
    with open(elf, "rb") as stream:
        return ELFFile(stream).get_section_by_name(".ganger.kernels").data()


@pytest.mark.parametrize("xlen", [32, 64])
def test_arguments(tmp_path, xlen):
    """Kinds, types, places of the arguments; block size and shared memory."""
    text = """struct s { char c; double2 d; };
kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void k(constant float *a, char b, local int *c, struct s d, float3 e, uint f, global int *g)
{
	local int shared[25];
	shared[b] = f;
	barrier(CLK_LOCAL_MEM_FENCE);
	c[0] = shared[1];
}
"""
    code, errors, elf = build(tmp_path, text, "--xlen", str(xlen))
    assert (code, errors) == (0, "")
    data, word = section(elf), xlen // 8
    kernels, arguments = struct.unpack_from("<I", data, 32)[0], struct.unpack_from("<I", data, 40)[0]
    _name, flags, _entry, _function, _stack, shared, _bytes, _first, count, *block = struct.unpack_from(
        "<7IHH3I", data, kernels)
    assert (flags, shared, count, block) == (13, 100, 7, [4, 2, 1])  # BARRIER, BLOCK_FIXED, SILENT
    rows = [struct.unpack_from("<2I2IHBBI", data, arguments + 28 * i)[2:] for i in range(count)]
    private, global_, constant, local = (space << 8 for space in range(4))
    assert rows == [(0, word, word, 1, 0, constant | 1), (word, 1, 1, 0, 1, private), (2 * word, word, word, 2, 0, local),
                    (32 if word == 8 else 16, 32, 16, 0, 5, 0), (64 if word == 8 else 48, 16, 16, 0, 5, 0),
                    (80 if word == 8 else 64, 4, 4, 0, 2, 0), (88 if word == 8 else 68, word, word, 1, 0, global_)]


@pytest.mark.parametrize("type_, size, align", [
    ("i8", 1, 1), ("i64", 8, 8), ("double", 8, 8), ("float*", 4, 4), ("<3 x float>", 16, 16),
    ("<16 x i8>", 16, 16), ("[3 x i16]", 6, 2), ("{ i8, i32, [2 x <2 x float>] }", 24, 8),
    ("<{ i8, i32 }>", 5, 1), ("%struct.s", 12, 4), ("[2 x %struct.s]", 24, 4),
])
def test_types(type_, size, align):
    types = opencl_types.IrTypes("%struct.s = type { i8, float, i8 }\n", 32)
    assert types.measure(type_) == (size, align)


def test_unknown_type():
    with pytest.raises(KernelError):
        opencl_types.IrTypes("", 64).measure("%opaque")


def test_only_shared_variables_change():
    """Not a variable with a value, nor a constant."""
    text = ("@k.x = internal global [4 x i32] undef, align 4\n"
            "@table = internal constant [2 x i32] [i32 1, i32 2], align 4\n"
            "@s = internal global { i8, [3 x i8] } { i8 1, [3 x i8] undef }, align 4\n")
    lines = opencl_ir.Module(text, 64).rewritten(True).splitlines()
    assert lines[0] == "@k.x = dso_local thread_local(localexec) global [4 x i32] zeroinitializer, align 4"
    assert lines[1:3] == text.splitlines()[1:]


def test_functions_of_one_source_are_its_own():
    """They cannot take the place of the C library's; those of several sources can call each other."""
    text = "define dso_local signext i32 @exp(i32 %0) #0 {\n"
    module = opencl_ir.Module(text, 64)
    assert module.rewritten(True).startswith("define internal signext i32 @exp(")
    assert module.rewritten(False).startswith(text)


@pytest.mark.parametrize("options", [(), ("--xlen", "32"), ("-march=rv32imac",), ("-march=rv64imac",), ("-O0", "-g")])
def test_prints(tmp_path, options):
    """The same print twice, a part of a string, one that does nothing, what is not said to be a print."""
    code, errors, _elf = build(tmp_path, r"""constant char f[] = "ab%d", g[] = "@printf(";
void twice(int n, float2 v) { printf("%d %v2hlf", n, v); printf("%d %v2hlf", n, v); }
kernel void k(global int *p) { twice(*p, (float2)(1)); printf(f + 2, p[1]); p[0] = printf("") + g[*p]; }
kernel void l(global char *p) { printf("%v4hhd", vload4(0, p)); printf("@printf(%c\"", 'x'); }
""", *options)
    assert (code, errors) == (0, "")


def test_prints_that_are_cut(tmp_path):
    """What cannot fit into a record is said; the kernel is built."""
    code, errors, elf = build(tmp_path, KERNEL.format('printf("%v16d %v16d", (int16)(1), (int16)(2));'))
    assert code == 0 and elf.exists()
    assert 'note: printf("%v16d %v16d"): does not fit into 256 bytes and will be cut' in errors
