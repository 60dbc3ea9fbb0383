# SPDX-License-Identifier: Apache-2.0
"""What `make install` makes: the program of docs/C_API.md is compiled and run as the page says, in C and C++."""
import os
import re
import struct
import subprocess

import pytest

from conftest import ROOT, building

pytestmark = pytest.mark.shared

WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")


def clean(prefix):
    """An environment in which nothing says where the project is."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GANGER_", "PYTHON", "LD_"))}
    return {**kept, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}


def blocks(language):
    """The blocks of code of a language in docs/C_API.md."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / "C_API.md").read_text("utf-8"), re.DOTALL)


def install(build, *variables):
    """Runs make install."""
    with building():
        subprocess.run(["make", "-C", ROOT, "install", f"BUILD={build}", *variables], check=True, timeout=900,
                       capture_output=True)


@pytest.fixture(name="prefix", scope="module")
def installed(build, tmp_path_factory):
    """A folder with all of it."""
    folder = tmp_path_factory.mktemp("installed") / "usr"
    install(build, f"PREFIX={folder}")
    return folder


@pytest.mark.parametrize("compiler, name, said", [
    ("cc", "sum.c", "1000 sums are right: 8 CTAs on 4 SMs"), ("c++", "sum.cpp", "1000 sums are right: 8 CTAs on 4 SMs"),
    ("cc", "halves.c", "100000 sums are right: 195 CTAs and 587 CTAs")])
def test_page(prefix, tmp_path, compiler, name, said):
    """S0-R04: the programs of the page, with the commands of the page, and no variable that says where things are."""
    (tmp_path / name).write_text(blocks("c")[name == "halves.c"], "utf-8")
    script = blocks("sh")[0].replace("sum.c ", f"{name} ")
    if compiler == "c++":
        script = script.replace("cc -std=c99", "c++ -std=c++11")
    done = subprocess.run(["sh", "-ec", script], cwd=tmp_path, env=clean(prefix), capture_output=True, text=True,
                          timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == said + "\n"
    assert done.stdout.strip() in (ROOT / "docs" / "C_API.md").read_text("utf-8")


@pytest.mark.parametrize("language", ["c99", "c11", "c++11", "c++17"])
def test_headers(prefix, language):
    """S0-R04: each header compiles alone without a warning, with nothing but the folder that it is installed in."""
    headers = sorted(one.name for one in (prefix / "include" / "ganger").iterdir())
    assert {"ganger.h", "ganger_abi.h", "ganger_task.h"} <= set(headers)
    for header in headers:
        kind = ["g++", "-x", "c++"] if "++" in language else ["gcc", "-x", "c"]
        done = subprocess.run([*kind, f"-std={language}", *WARNINGS, "-I", prefix / "include", "-fsyntax-only", "-"],
                              input=f"#include <ganger/{header}>\n", capture_output=True, text=True, timeout=120,
                              check=False)
        assert (done.returncode, done.stderr) == (0, ""), header


def test_command(prefix, tmp_path):
    """S0-R04: the installed command boots the installed images, also through a link to it."""
    link = tmp_path / "ganger"
    link.symlink_to(prefix / "bin" / "ganger")
    elf = prefix / "lib" / "ganger" / "kernels" / "vecadd.elf"
    for words, answer in ((("info", elf), "vecadd"), (("selftest", "--sms", "2"), "")):
        done = subprocess.run([link, *words], env=clean(prefix), cwd=tmp_path, capture_output=True, text=True,
                              timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        assert answer in done.stdout


def test_python(prefix, tmp_path, board):
    """S0-R04: the installed package, where docs/PYTHON.md says that it is, with the system's own Python."""
    place = "lib/ganger/host/python"
    assert f"PYTHONPATH=PREFIX/{place}" in (ROOT / "docs" / "PYTHON.md").read_text("utf-8")
    program = f"import ganger\nwith ganger.Device.boot('{board}', sms=1) as dev:\n    print(dev.nop().status, ganger.__file__)"
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(prefix / place)}
    done = subprocess.run(["python3", "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True,
                          timeout=300, check=False)
    assert done.stdout.split() == ["OK", str(prefix / place / "ganger" / "__init__.py")], done.stderr


def test_compiler(prefix, tmp_path, xlen, board):
    """S3-R41, S3-R49: the installed ganger-cc builds kernels in C and in OpenCL C, and the installed command runs them, with
    the system's own Python: the folder has all that they need."""
    environment = {"PATH": f"{prefix / 'bin'}:/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
    (tmp_path / "one.c").write_text("kernel void one(global uint *out) { out[get_global_id(0)] = 7; }\n")
    (tmp_path / "two.cl").write_text("kernel void two(global float *out) { out[get_global_id(0)] = sqrt(49.0f); }\n")
    for line in (f"ganger-cc --xlen {xlen} -o one.elf one.c",
                 f"ganger run one.elf --board {board} --sms 1 --block 4 --arg out:16:one.bin",
                 f"ganger clrun two.cl --board {board} --sms 1 --global 4 --arg out:16:two.bin"):
        done = subprocess.run(line.split(), env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300,
                              check=False)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "one.bin").read_bytes() == struct.pack("4I", *[7] * 4)
    assert (tmp_path / "two.bin").read_bytes() == struct.pack("4f", *[7.0] * 4)


def test_shared_library(prefix):
    """S0-R04: the soname is that of the file which programs load, and nothing but functions of the headers is visible."""
    library = prefix / "lib" / "libganger.so"
    told = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True, timeout=60).stdout
    soname = re.search(r"Library soname: \[(.*)\]", told).group(1)
    assert re.fullmatch(r"libganger\.so\.\d+", soname) and (prefix / "lib" / soname).samefile(library)
    names = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True,
                           timeout=60).stdout.split()[2::3]
    assert names and all(name.startswith("gg_") for name in names)


def test_destdir_and_uninstall(build, tmp_path):
    """S0-R04: DESTDIR comes before every path and is not in any file; uninstall leaves nothing but empty folders."""
    where = [f"DESTDIR={tmp_path}", "PREFIX=/opt/ganger"]
    install(build, *where)
    top = tmp_path / "opt" / "ganger"
    assert [one.name for one in tmp_path.iterdir()] == ["opt"]
    assert (top / "bin" / "ganger").resolve() == top / "lib" / "ganger" / "host" / "ganger"
    assert "prefix=/opt/ganger\n" in (top / "lib" / "pkgconfig" / "ganger.pc").read_text()
    assert str(tmp_path) not in (top / "lib" / "pkgconfig" / "ganger.pc").read_text()
    subprocess.run(["make", "-C", ROOT, "uninstall", f"BUILD={build}", *where], check=True, timeout=60)
    assert not [one for one in tmp_path.rglob("*") if not one.is_dir()]
