# SPDX-License-Identifier: Apache-2.0
"""A host that runs out of memory, at every allocation that the library makes: few_bytes.c says how."""
import os
import re
import subprocess

import ganger
from conftest import ROOT

SOURCE = ROOT / "tests" / "system" / "few_bytes.c"
FLAGS = ("-std=c11", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
WRAP = [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "realloc")]
LONG = 900


def test_every_allocation(tmp_path, build, board, sample_path, kernel_path):
    """S3-R42, S3-R44: whichever allocation fails, from attaching to closing: the call that needs it says so and has
    changed nothing, nothing leaks (the sanitizer would tell), and the same call works when there is memory again."""
    program, path = tmp_path / "few_bytes", tmp_path / "device"
    subprocess.run([os.environ.get("HOSTCC", "gcc"), *FLAGS, "-I", ROOT, *WRAP, "-o", program, SOURCE,
                    build / "host" / "libganger.a", "-pthread"], check=True, timeout=LONG)
    ganger.Device.up(path, board, 2)
    try:
        done = subprocess.run([program, path, sample_path("vecadd"), kernel_path("print")],
                              capture_output=True, text=True, timeout=LONG, check=False)
    finally:
        ganger.Device.down(path)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    assert int(re.match(r"(\d+) allocations failed", done.stdout).group(1)) > 40
