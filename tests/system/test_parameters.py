# SPDX-License-Identifier: Apache-2.0
"""Kernels with many parameters."""
import subprocess
import sys

import pytest

from conftest import ROOT
from support import LONG, words, zeros


def compiled(source, xlen, *options):
    """The ELF of a source, beside it."""
    produced = source.with_suffix(".elf")
    subprocess.run([sys.executable, ROOT / "firmware/kernel/ganger-cc", "--xlen", str(xlen), *options, "-o", produced,
                    source], check=True, timeout=LONG)
    return produced


@pytest.mark.parametrize("suffix, meets", [("c", ""), ("cl", ""), ("cl", "barrier(CLK_LOCAL_MEM_FENCE);")])
@pytest.mark.parametrize("type_, count", [("int", 33), ("long long", 128), ("int", 300)])
def test_many(device, tmp_path, suffix, meets, type_, count):
    """S3-R40, S3-R44: any number of parameters, each of which has its own value; 1,024 bytes of them and more. Some
    hundreds are too many for the calls of clang 14."""
    dev, type_ = device(2), "long" if suffix == "cl" and type_ == "long long" else type_
    names = [f"a{n}" for n in range(count)]
    source = tmp_path / f"many.{suffix}"
    source.write_text(f"kernel void many(global int *out, {', '.join(f'{type_} {n}' for n in names)})\n{{\n{meets}\n"
                      + "".join(f"\tout[{n}] = (int){name};\n" for n, name in enumerate(names)) + "}\n")
    module = dev.load(compiled(source, dev.info.xlen))
    assert [one.name for one in module["many"].parameters] == ["out", *names]
    assert {one.size for one in module["many"].parameters[1:]} == {4 if type_ == "int" else 8}
    out = zeros(dev, count)
    dev.submit(module["many"], grid=1, block=1, args=[out, *range(7, 7 + count)]).wait(LONG)
    assert words(out.read()) == list(range(7, 7 + count))
