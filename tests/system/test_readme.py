# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md and docs/KERNELS.md do what they say."""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def block(file, language):
    """The first block of code of a language."""
    return re.search(rf"```{language}\n(.*?)```", (ROOT / file).read_text(), re.DOTALL).group(1)


def test_python_example(board, kernel_path):
    """S0-R04: the README's program, on this board: it prints what 0, 1, 2, 3 twice is."""
    build = Path(os.environ["GANGER_BUILD"]) / "kernels" / ("rv32" if "32" in board else "")
    program = block("README.md", "python").replace("qemu-virt64", board)
    program = program.replace("build/kernels/", f"{build}/")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          timeout=120, check=True)
    assert done.stdout.startswith("OK 8 ") and "(0, 2, 4, 6)" in done.stdout


def test_kernel_example(tmp_path, board):
    """S3-R21: the kernel of docs/KERNELS.md builds, and its needs can be read."""
    source, elf = tmp_path / "saxpy.c", tmp_path / "saxpy.elf"
    source.write_text(block("docs/KERNELS.md", "c"))
    subprocess.run([sys.executable, str(ROOT / "firmware/kernel/ganger-cc"), "--xlen", board[-2:],
                    "-o", str(elf), str(source)], timeout=120, check=True)
    told = subprocess.run([sys.executable, "-m", "ganger", "info", str(elf)], capture_output=True,
                          text=True, timeout=60, check=True).stdout
    assert "saxpy" in told and "float" in told
