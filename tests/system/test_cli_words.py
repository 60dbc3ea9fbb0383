# SPDX-License-Identifier: Apache-2.0
"""What the command says: help, completion, refusals; and what it writes when a disk is full."""
import argparse
import array
import os
import re
import resource
import shutil
import subprocess
import sys

import pytest

import ganger
from ganger.boot import ram_bytes
from ganger.cli import completion, make_parser
from conftest import ROOT
from support import LONG, expect, run_ganger

pytestmark = pytest.mark.shared

LINES, COLUMNS = 24, 80
# What the examples name.
GRAPH = """graph image(src: buffer, dst: buffer, n: int)
read src write dst
copy(dst, src, 64)
"""
SAXPY = "kernel void saxpy(global const float *x, global float *y, float a) { y[get_global_id(0)] += a; }\n"
SUM = "kernel void sum(global const uint *in, global uint *out) { out[get_global_id(0)] = in[get_global_id(0)] + 1; }\n"


def commands(parser=None, place=""):
    """(name, parser) of all commands, "graph run" among them."""
    found = []
    for name, inner in completion.subparsers_of(parser or make_parser()).items():
        below = commands(inner, f"{place}{name} ")
        found += below or [(place + name, inner)]
    return found


NAMES = [name for name, _parser in commands()]


def run(folder, *arguments, **keywords):
    """Runs the command in a folder whose devices are its own."""
    return run_ganger(*arguments, folder=folder, XDG_RUNTIME_DIR=str(folder), **keywords)


def test_help_fits_a_screen():
    """S3-R49: the list of commands, the help of each and of each of its topics fit. A command's has an example; each of
    its options is described there, or on the page of a topic that it names."""
    pages = {"": make_parser().format_help()}
    for name, parser in commands():
        pages[name] = page = parser.format_help()
        topics = {f"{name} --help {topic}": parser.topic(topic) for topic in parser.topics()}
        assert "example: " in page and all(f"\n  {topic}" in page for topic in parser.topics()), name
        told = re.findall(r"^  (?:-h, )?(-[\w-]+)", "\n".join([page, *topics.values()]), re.MULTILINE)
        assert sorted([*told, "--help"]) == sorted(completion.options_of(parser)), name
        pages.update(topics)
    for name, page in pages.items():
        lines = page.splitlines()
        assert len(lines) <= LINES and not [line for line in lines if len(line) > COLUMNS], (name, page)
    assert len(pages) > 30


def test_help_of_a_topic(shop, board):
    """S3-R49: `--help TOPIC` shows a topic; a word that is none, the command's page."""
    page = shop("ganger run --help").stdout
    assert "--affinity SM" in shop("ganger run --help scheduling").stdout and "--affinity SM" not in page
    assert shop("ganger run -h vecadd.elf").stdout == page == shop("ganger run vecadd.elf --help").stdout
    told = shop("ganger run --help arguments").stdout
    shop(boots(told.partition("example: ")[2].strip(), board))


def examples(name):
    """The example of a command's help, as lines for a shell."""
    parser = dict(commands())[name]
    text = parser.epilog.partition("example: ")[2].partition("\n\n")[0].partition("\nA task")[0]
    return text.replace("…; ", "")


@pytest.fixture
def shop(tmp_path, sample_path, board, build):
    """A folder with the files that the examples name, and the command in PATH for the board under test."""
    for name in ("a.bin", "b.bin", "x.bin", "a.raw"):
        (tmp_path / name).write_bytes(array.array("f", [1.0] * 1024).tobytes())
    shutil.copy(sample_path("vecadd"), tmp_path / "vecadd.elf")
    (tmp_path / "build" / "kernels").mkdir(parents=True)
    shutil.copy(sample_path("vecadd"), tmp_path / "build" / "kernels" / "vecadd.elf")
    (tmp_path / "image.graph").write_text(GRAPH)
    (tmp_path / "saxpy.cl").write_text(SAXPY)
    (tmp_path / "sum.c").write_text(SUM)
    (tmp_path / "ganger-cc").write_text(f'#!/bin/sh\nexec {ROOT}/firmware/kernel/ganger-cc --xlen {board[-2:]} "$@"\n')
    (tmp_path / "ganger-cc").chmod(0o755)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "GANGER_BUILD": str(build),
                   "PATH": f"{ROOT / 'host'}:{tmp_path}:{os.environ['PATH']}"}

    def shell(text, check=True):
        done = subprocess.run(["bash", "-c", f"set -e\n{text}"], cwd=tmp_path, env=environment, capture_output=True,
                              text=True, timeout=LONG * 5, check=False)
        assert "Traceback" not in done.stderr, done.stderr
        assert not check or done.returncode == 0, (text, done.stdout, done.stderr)
        return done

    yield shell
    if (tmp_path / "ganger.sock").exists():
        shell("ganger down")
    assert board


def boots(text, board):
    """The same for the board under test."""
    return re.sub(r"ganger (run|clrun|prof|race|graph show .*--run|graph run|up)\b(.*)", rf"ganger \1\2 --board {board}", text,
                  flags=re.DOTALL) if "--board" not in text else text


@pytest.mark.parametrize("name", ["run", "clrun", "prof", "race", "graph check", "graph asm", "graph show", "graph run", "info", "lab run",
                                  "completion", "selftest"])
def test_examples(shop, board, name):
    """S3-R49: the example in the help of a command works as it stands."""
    before = f"ganger up --board {board} --sms 1; " if name == "info" else ""
    shop(before + boots(examples(name), board))


def test_examples_on_a_device_that_is_up(shop, board):
    """S3-R49: the examples of the commands that use a device which is up, in an order that makes sense."""
    shop(boots(examples("up"), board))
    tag = shop(f"{examples('trace').partition(';')[0]} > /dev/null; {examples('submit')}").stdout.strip()
    shop(examples("wait").replace("wait 1", f"wait {tag}"))
    for name in ("hosts", "ps", "regs", "stat", "trace"):
        shop(examples(name))
    assert shop(f"timeout -s INT 2 {examples('top')}", check=False).returncode in (0, 124, 130)
    for name in ("suspend", "resume", "cancel"):
        shop(examples(name).partition("; ")[2])
        assert "No task of that number" in shop(examples(name).partition("; ")[0], check=False).stderr
    assert shop(examples("reset"), check=False).returncode in (0, 1)  # It wants a channel that was refused.
    shop(f"{examples('graph asm')}; {examples('graph dis')}; {examples('graph dis').replace('.graph', '.ggp')}")
    shop(examples("down"))


def completed(shop, *words):
    """What bash completes for these words, the last of which is not complete."""
    line = " ".join(f"'{word}'" for word in ("ganger", *words))
    return shop(f"eval \"$(ganger completion bash)\"; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _ganger || true; "
                "echo ${COMPREPLY[@]}").stdout.split()


def test_completion(shop):
    """S3-R49: bash completes commands, actions, options and their values, of each command its own."""
    assert set(completed(shop, "")) >= {name.split()[0] for name in NAMES}
    assert completed(shop, "clr") == ["clrun"]
    assert sorted(completed(shop, "graph", "")) == ["--help", "asm", "check", "dis", "run", "show"]
    assert completed(shop, "run", "x.elf", "--gr") == ["--grid"]
    assert completed(shop, "graph", "run", "--emph") == ["--emphasis"]
    assert completed(shop, "graph", "run", "--emphasis", "") == ["speed", "resource"]
    assert completed(shop, "ps", "--gr") == []
    assert completed(shop, "graph", "run", "--help", "") == ["arguments", "limits", "device"]
    assert completed(shop, "completion", "z") == ["zsh"]
    for name, parser in commands():
        options = {action.option_strings[-1] for action in parser._actions if action.option_strings}
        assert set(completed(shop, *name.split(), "-")) == options, name


@pytest.mark.parametrize("words, said", [
    (("--ram", "17179869185G"), "2^63"), (("--ram", "much"), "64K"), (("--arg", "zero:-4"), "zero:NBYTES"),
    (("--arg", "zero:17179869185G"), "zero:NBYTES"), (("--arg", "in:"), "in:FILE"),
    (("--arg", "out:c.bin:4K"), "out:NBYTES:FILE"), (("--arg", "f32:x"), "f32:NUMBER"),
    (("--arg", "bytes:0"), "bytes:HEX"), (("--arg", "buf:4"), "zero:NBYTES")])
def test_wrong_words(tmp_path, sample_path, words, said):
    """S3-R121: a wrong word is refused with the word and with what is right, before anything boots."""
    done = run(tmp_path, "run", sample_path("vecadd"), *words)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert said in done.stderr and words[1] in done.stderr
    assert "`ganger run --help` tells more" in done.stderr
    assert done.stderr.count("\n") <= 3


def test_bytes_of_a_device():
    """S3-R121: sizes that no number of the device holds."""
    assert ram_bytes("256M") == 1 << 28 and ram_bytes("8388607G") == 8388607 << 30
    for wrong in ("17179869185G", -1, 1 << 63, "99999999999999999999"):
        error = expect("ERR_ARGUMENT", ram_bytes, wrong)
        assert (error.field, error.value) == ("ram", wrong)


def test_more_than_there_is(tmp_path, sample_path, board):
    """S3-R121: a buffer larger than the device: an error of the device, not of this machine."""
    done = run(tmp_path, "run", sample_path("vecadd"), "--arg", "zero:999999999999", "--board", board, "--sms", 1)
    assert done.returncode == 1 and "ERR_NO_MEMORY" in done.stderr and "Traceback" not in done.stderr


def test_no_empty_tails(tmp_path):
    """S3-R121: an error whose value is a name has no "(file = 0)" behind it; a number that is 0 is told."""
    done = run(tmp_path, "info", "none.elf")
    assert done.returncode == 1 and "none.elf" in done.stderr and "= 0)" not in done.stderr
    assert "= None)" not in str(ganger.Error("ERR_IO", "x", "file"))
    assert str(ganger.Error("ERR_GRID_ZERO", "x", "tmd.grid_x", 0)).endswith("(tmd.grid_x = 0)")


def test_a_full_disk(shop, tmp_path, board, sample_path):
    """S3-R121: results that do not fit: the message names the file, which is as before, and no draft is left."""
    shop(f"ganger up --board {board} --sms 1")
    (tmp_path / "old.bin").write_bytes(b"before")
    names = sorted(path.name for path in tmp_path.iterdir())
    path = os.pathsep.join(one for one in sys.path if one.endswith("host/python"))
    for name in ("new.bin", "old.bin"):
        done = subprocess.run(
            [sys.executable, "-m", "ganger", "run", sample_path("vecadd"), "--device", tmp_path / "ganger.sock", "--arg",
             f"out:64K:{name}", "--arg", "zero:4", "--arg", "zero:4", "--arg", "1"], cwd=tmp_path, text=True,
            capture_output=True, timeout=LONG, check=False, env={**os.environ, "PYTHONPATH": path},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384)))
        assert done.returncode == 1 and f"{name}: File too large" in done.stderr, done.stderr
    assert sorted({path.name for path in tmp_path.iterdir()} - {"ganger.sock.jobs"}) == names
    assert [path.name for path in (tmp_path / "ganger.sock.jobs").iterdir()] == ["elfs"]  # Which ELFs were loaded there.
    assert (tmp_path / "old.bin").read_bytes() == b"before"
    done = shop("ganger info vecadd.elf > /dev/full", check=False)
    assert done.returncode == 1 and done.stderr == "ganger: ERR_IO: standard output: No space left on device\n"


def test_results_in_pipes(shop):
    """S3-R49: a result that goes to a pipe is written there, and not beside it."""
    assert shop("ganger graph check image.graph --arg n=1 > /dev/null; mkfifo p; cat p > copy & "
                "ganger graph asm image.graph -o p > /dev/null; wait; ganger graph dis copy"
                ).stdout.startswith(".graph image")


def test_parser_is_argparse():
    """S3-R49: what completion is made from has every command."""
    assert isinstance(make_parser(), argparse.ArgumentParser) and {"run", "graph show", "completion"} <= set(NAMES)
