# SPDX-License-Identifier: Apache-2.0
"""Programs of SPIR-V: modules of clang-14 and llvm-spirv-14, and of spirv-as; what is no good module is refused."""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import run

HERE = Path(__file__).resolve().parent / "spirv"
VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4")
BOARDS = ("qemu-virt64:8", "qemu-virt32:2")


@pytest.fixture(scope="module", name="program")
def _program(tmp_path_factory):
    """The client, which is told what to do by its arguments."""
    built = tmp_path_factory.mktemp("spirv") / "client"
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", HERE.parents[1] / "quick", "-o", built, HERE / "client.c",
                    "-lOpenCL"], check=True, timeout=300)
    return built


def module(folder, xlen=64, version="1.4"):
    """A module of the kernels."""
    code, path = folder / "kernels.bc", folder / "kernels.spv"
    machine = "spir64" if xlen == 64 else "spir"
    subprocess.run(["clang-14", "-c", "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header",
                    f"--target={machine}-unknown-unknown", "-emit-llvm", "-O1", "-o", code, HERE / "kernels.cl"], check=True, timeout=300)
    subprocess.run(["llvm-spirv-14", f"--spirv-max-version={version}", code, "-o", path], check=True, timeout=300)
    return path


def check(program, *words, board=BOARDS[0], **more):
    done = run([program, *words], GANGER_DEVICES=board, **more)
    assert (done.stderr, done.returncode) == ("", 0), done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("version", VERSIONS)
def test_versions(program, tmp_path, version):
    """Each version of SPIR-V gives what the same source in OpenCL C does, to the last bit."""
    path = module(tmp_path, 64, version)
    assert check(program, "same", path, HERE / "kernels.cl") == "n 7  1.75 end\n" * 2 + "0 failures\n"


def test_narrow(program, tmp_path):
    """The same on a 32-bit device; a module of the other width is refused by the build, with a reason."""
    narrow = module(tmp_path, 32)
    assert check(program, "same", narrow, HERE / "kernels.cl", board=BOARDS[1]) == "n 7  1.75 end\n" * 2 + "0 failures\n"
    assert "32-bit addresses" in check(program, "unbuilt", narrow)


def test_constants(program, tmp_path):
    """Specialization constants have the values of the module until they are given others."""
    path = tmp_path / "constants.spv"
    subprocess.run(["spirv-as", "--target-env", "spv1.0", HERE / "constants.spvasm", "-o", path], check=True, timeout=300)
    assert check(program, "constants", path) == "0 failures\n"


def test_broken(program, tmp_path):
    """What is no module is refused when the program is made; one that llvm-spirv refuses, by the build."""
    path = module(tmp_path)
    assert check(program, "broken", path) == "0 failures\n"
    data = bytearray(path.read_bytes())
    data[-8:-4] = (0x00020000 | 999).to_bytes(4, "little")  # an instruction that there is not
    path.write_bytes(data)
    log = check(program, "unbuilt", path)
    assert "llvm-spirv-14 refuses it" in log, log


def test_without_tool(program, tmp_path):
    """Without llvm-spirv-14 the device says that it takes no SPIR-V, and refuses it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for path in map(Path, os.environ["PATH"].split(":")):
        for tool in path.iterdir() if path.is_dir() else ():
            if tool.name != "llvm-spirv-14" and not (folder / tool.name).exists():
                (folder / tool.name).symlink_to(tool)
    assert shutil.which("llvm-spirv-14", path=str(folder)) is None
    assert check(program, "refused", module(tmp_path), PATH=str(folder)) == "0 failures\n"
