# SPDX-License-Identifier: Apache-2.0
"""A generated ABI file that was edited by hand, or not made again, is noticed."""
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ["Makefile", "firmware/abi", "tests/tests.mk", "host/python/ganger/abi.py", "docs/REGISTERS.md",
         "docs/ABI.md"]


@pytest.fixture
def copy(tmp_path):
    for part in PARTS:
        source, target = ROOT / part, tmp_path / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    return tmp_path


def abi_check(root):
    # None of the variables of the make that runs this.
    peakrdl = Path(sys.executable).parent / "peakrdl"
    command = ["env", "-u", "MAKEFLAGS", "-u", "MFLAGS", "make", "abi-check", f"PEAKRDL={peakrdl}",
               f"BUILD={root / 'build'}"]
    done = subprocess.run(command, cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def test_fresh_files_pass(copy):
    status, output = abi_check(copy)
    assert status == 0, output


@pytest.mark.parametrize("path", ["firmware/abi/ganger_abi.h", "host/python/ganger/abi.py", "docs/REGISTERS.md"])
def test_an_edited_file_fails(copy, path):
    with (copy / path).open("a", encoding="utf-8") as file:
        file.write("\n")
    status, output = abi_check(copy)
    assert status != 0
    assert "stale" in output


@pytest.mark.parametrize("before, after", [("| 1 | SUBMIT |", "| 2 | SUBMIT |"), ("| -73 | ERR_DEPENDENCY |", "| -73 | DEPENDENCY |")])
def test_an_edited_table_fails(copy, before, after):
    """The tables inside of docs/ABI.md are generated; the text around them is not."""
    page = copy / "docs/ABI.md"
    text = page.read_text()
    assert before in text
    page.write_text(text.replace(before, after))
    status, output = abi_check(copy)
    assert status != 0
    assert "docs/ABI.md is stale" in output


def test_a_new_number_makes_the_tables_stale(copy):
    source = copy / "firmware/abi/ganger.rdl"
    source.write_text(source.read_text().replace("\tCLOSE = 32'd13 {", "\tSLEEP = 32'd14 { desc = \"New.\"; };\n\tCLOSE = 32'd13 {"))
    status, output = abi_check(copy)
    assert status != 0
    assert "stale" in output
