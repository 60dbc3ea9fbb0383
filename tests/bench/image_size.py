# SPDX-License-Identifier: Apache-2.0
"""Sizes of the firmware images."""

import os
import subprocess
from typing import Dict

from table import Value


def read_only_bytes(elf: str) -> Value:
    """Bytes of an ELF that are not written at run time: the `text` column of size."""
    tool = os.environ.get("CROSS", "riscv64-unknown-elf-") + "size"
    out = subprocess.run([tool, elf], check=True, capture_output=True, text=True).stdout
    text, data, bss = (int(field) for field in out.splitlines()[1].split()[:3])
    return Value(text, f"data {data:,}, bss {bss:,} bytes")


def measure(build: str, board: str) -> Dict[str, Value]:
    return {f"{image}_image": read_only_bytes(os.path.join(build, board, f"{image}.elf"))
            for image in ("cp", "sm")}
