# SPDX-License-Identifier: Apache-2.0
"""The structures of Python's side are those of the C headers: size and place of every field."""
import ctypes
import os
import subprocess

from conftest import ROOT
from ganger import structs

HEADER = "host/include/ganger.h"


def structures():
    """C name of each structure that Python has: its class says it."""
    found = {one.__doc__.rstrip("."): one for one in vars(structs).values()
             if isinstance(one, type) and issubclass(one, ctypes.Structure)}
    return {name: one for name, one in found.items() if name.startswith("struct gg_")}


def layout(python):
    """Size, and places of all fields, as Python has them."""
    return [ctypes.sizeof(python)] + [getattr(python, name).offset for name, *_ in python._fields_]


def test_layouts(tmp_path):
    """S3-R49: the library and Python agree on every structure, so that none of a word's neighbours is read for it."""
    found = structures()
    assert {"struct gg_work", "struct gg_info", "struct gg_fault", "struct gg_done"} <= set(found)
    lines = [f'#include "{HEADER}"', "#include <stddef.h>", "#include <stdio.h>", "int main(void)", "{"]
    for name, python in found.items():
        places = [f"sizeof({name})"] + [f"offsetof({name}, {field})" for field, *_ in python._fields_]
        lines += [f'\tprintf("%zu ", {place});' for place in places] + ['\tputs("");']
    source, program = tmp_path / "places.c", tmp_path / "places"
    source.write_text("\n".join([*lines, "\treturn 0;", "}", ""]), encoding="utf-8")
    subprocess.run([os.environ.get("HOSTCC", "gcc"), "-std=c11", "-I", ROOT, "-o", program, source],
                   check=True, timeout=120)
    answer = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout
    told = [[int(number) for number in line.split()] for line in answer.splitlines()]
    for (name, python), places in zip(found.items(), told):
        assert layout(python) == places, name
    assert len(told) == len(found)
