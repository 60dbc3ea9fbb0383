# SPDX-License-Identifier: Apache-2.0
"""`ganger gdb`: kernels, live, in the real gdb-multiarch on a real device."""
import contextlib
import os
import re
import signal
import struct
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ganger
from conftest import ROOT
from ganger import debugger, symbols
from support import LONG, expect, run_ganger, until

SUM = """{local}int scale[2] = {{ 3, 3 }};
{tile}
kernel void sum(global int *in, global int *out)
{{
{inner}	uint i = get_local_id(0);
	int mine = in[get_global_id(0)] * scale[i % 2];

	part[i] = mine; /* stored here */
	barrier(CLK_LOCAL_MEM_FENCE); /* all meet */
	for (uint near = 4; near > 0; near /= 2) {{
		if (i < near) {{
			part[i] += part[i + near];
		}}
		barrier(CLK_LOCAL_MEM_FENCE);
	}}
	if (i == 0) {{
		out[get_group_id(0)] = part[0]; /* the end */
	}}
}}
"""
SOURCES = {"c": SUM.format(local="", tile="local int part[8];", inner=""),
           "cl": SUM.format(local="constant ", tile="", inner="	local int part[8];\n")}
OTHER = """kernel void pair(volatile global int *flag)
{
	int kept = 40 + get_group_id(0);

	if (get_group_id(0) == 0) {
		flag[3] = 1;
		while (flag[0] == 0) {
			kept = 40;
		}
	} else {
		while (flag[3] == 0) {
		}
		flag[0] = 1; /* lets the other go */
	}
	flag[1 + get_group_id(0)] = kept;
}
"""
QUEUE = """kernel void take(global int *counts)
{
	int many = get_queue_items();

	counts[get_group_id(0)] = many; /* takes them */
}
"""
SOURCES.update(pair=OTHER, take=QUEUE)
SUMS = struct.pack("<4i", *(3 * sum(range(8 * cta, 8 * cta + 8)) for cta in range(4)))


def line_of(text, source=SOURCES["c"]):
    """Line of a source with a text."""
    return source[:source.index(text)].count("\n") + 1


STORED = line_of("stored here")
CTA = "((struct gg_cta *)$tp)[-1]"
MTIME = "*(unsigned *)0x200bff8"  # Low word of the CLINT's time, on both boards.
SAVED = f"*(unsigned long *)({CTA}.stack_base + 3 * {CTA}.stack_bytes)"  # sp of work-item 3 behind its frame of four words

# Packets leave before slots are settled, and a breakpoint in a kernel stops the control processor wherever it is. It goes on alone
# until the task in slot 0 has no CTAs to issue.
SETTLED = """python
stopped = gdb.selected_thread()
gdb.execute("set scheduler-locking on")
gdb.execute("thread 1", to_string=True)
for _step in range(10000):
  if gdb.parse_and_eval("$task(0)->life.state == TASK_DRAINING"):
    break
  gdb.execute("stepi", to_string=True)
stopped.switch()
gdb.execute("set scheduler-locking off")
end
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory, xlen):
    """built("c"), built("cl"), built("pair"), built("take"): the ELFs, with all that GDB can use."""
    folder, made = tmp_path_factory.mktemp("gdb"), {}

    def get(name):
        if name not in made:
            source = folder / ("sum.cl" if name == "cl" else f"{'sum' if name == 'c' else name}.c")
            source.write_text(SOURCES[name])
            made[name] = folder / f"{name}.elf"
            words = ["--cc", "clang"] if source.suffix == ".c" else []
            done = subprocess.run([sys.executable, ROOT / "firmware/kernel/ganger-cc", "-g", "-O0", *words, "--xlen", str(xlen),
                                   "-o", made[name], source], capture_output=True, text=True, timeout=300, check=False)
            assert done.returncode == 0, done.stderr
        return made[name]

    (folder / "in.bin").write_bytes(struct.pack("<32i", *range(32)))
    get.folder = folder
    return get


@pytest.fixture
def debug(built, board, tmp_path):
    """debug("c", commands, grid=4): what GDB and the command said. The results are checked."""
    def get(name, commands, grid=4, sms=2):
        (tmp_path / "commands").write_text(commands)
        arguments = ["--arg", f"in:{built.folder / 'in.bin'}", "--arg", f"out:16:{tmp_path / 'out.bin'}"]
        done = run_ganger("gdb", built(name), "--board", board, "--sms", sms, "--grid", grid, "--block", 8, *arguments,
                          "-x", tmp_path / "commands", "--batch", timeout=LONG * 5)
        print(done.stdout, done.stderr)
        assert done.returncode == 0
        assert (tmp_path / "out.bin").read_bytes()[:4 * grid] == SUMS[:4 * grid], done.stdout
        return done.stdout + done.stderr
    return get


def tried(*commands):
    """Commands that go on after an error, whose text is printed."""
    return "python\nfor one in %r:\n  try: gdb.execute(one)\n  except gdb.error as error: print('refused:', error)\nend\n" % (list(commands),)


def rows(said):
    """The table of `info ganger`: CTA, work-items, state."""
    return re.findall(r"^\*? +\d+ +\d+ +sum +(\d+,0,0) +([\d-]+) +(\S.*)$", said, re.MULTILINE)


@pytest.mark.parametrize("language", ["c", "cl"])
def test_stops_and_prints(debug, language):
    """S3-R8: harts have names; a breakpoint with a condition on ids; local, shared and global variables by name; a step goes
    past a barrier in the same work-item; the task's end stops, and its results are right."""
    source = SOURCES[language]
    stored, meet = line_of("stored here", source), line_of("all meet", source)
    said = debug(language, f"info threads\nbreak sum.{language}:{stored} if $cta_x() == 2 && $thread() == 5\ncontinue\n"
                 "print mine\nprint i\nprint scale[1]\nprint part[4]\nprint in[7]\nprint $thread_x() + 10 * $cta()\nbacktrace 1\n"
                 "next\nnext\nprint i\nprint part[5]\ndelete\ncontinue\n")
    assert re.search(r'\* 1 .*"CP".*\n +2 .*"SM 0".*\n +3 .*"SM 1"', said)
    values = re.findall(r"^\$\d+ = (.*)$", said, re.MULTILINE)
    assert values == [str(3 * 21), "5", "3", str(3 * 20), "7", "25", "5", str(3 * 21)]
    assert f"sum.{language}:{stored}" in said and f"\n{meet}\t" in said and "[Task " in said and "has ended: OK]" in said


@pytest.mark.parametrize("language", ["c", "cl"])
def test_lists_work_items(debug, language):
    """S3-R8: who runs, who waits at which line, who has not begun, who is done."""
    source = SOURCES[language]
    stored, meet, again, end = (line_of(text, source) for text in ("stored here", "all meet", "		barrier", "the end"))
    said = debug(language, f"break sum.{language}:{stored} if $thread() == 5\ncontinue\ninfo ganger\nbreak sum.{language}:{end}\n"
                 "continue\ninfo ganger\ndelete 2\nbreak ganger_end_thread if $thread() == 2\ncontinue\ninfo ganger\n"
                 "delete\ncontinue\n", grid=1, sms=1)
    assert rows(said) == [
        ("0,0,0", "0-4", f"at barrier line {meet}"), ("0,0,0", "5", f"running sum (sum.{language}:{stored})"), ("0,0,0", "6-7", "has not begun"),
        ("0,0,0", "0", f"running sum (sum.{language}:{end})"), ("0,0,0", "1-7", f"waits for its turn after barrier line {again}"),
        ("0,0,0", "0-1", "done"), ("0,0,0", "2", f"running ganger_end_thread (threads.S:{end_line()})"),
        ("0,0,0", "3-7", f"waits for its turn after barrier line {again}")]


def end_line():
    """Line of the first instruction of ganger_end_thread()."""
    text = (ROOT / "firmware/kernel/runtime/threads.S").read_text()
    return text[:text.index("LOAD", text.index("ganger_end_thread:"))].count("\n") + 1


@pytest.mark.parametrize("language", ["c", "cl"])
def test_focus_on_one_that_waits(debug, language, xlen):
    """S3-R8: frames, registers and variables of a work-item that waits at a barrier, although another one runs; nothing of the
    hart is changed by it, and a step is that of the one that runs."""
    source = SOURCES[language]
    stored, meet = line_of("stored here", source), line_of("all meet", source)
    said = debug(language, f"break sum.{language}:{stored} if $thread() == 5\ncontinue\nganger focus thread 3\nprint i\nprint mine\n"
                 f"print $thread()\nprint part[2]\nframe 1\nprint (unsigned long)$sp - {SAVED}\nbacktrace\ninfo ganger\nganger focus thread 1,0\nprint i\nganger unfocus\n"
                 "frame\nganger focus thread 2\nset var part[2] = part[2]\nnext\nprint i\ndelete\ncontinue\n", grid=1, sms=1)
    assert re.findall(r"^\$\d+ = (.*)$", said, re.MULTILINE) == ["3", "9", "3", "6", str(xlen // 2), "1", "5"]
    assert f"sum.{language}:{meet}" in said and "* " in said[said.index("kernel  "):]
    assert said.index(f"\n{meet}\t") < said.index("kernel  ") < said.rindex(f"#0  sum (") < said.rindex(f"\n{meet}\t")


def test_focus_on_another_cta(built, board, tmp_path):
    """S3-R8: a CTA that has lost its SM to another one: where it was interrupted, and its variables."""
    (tmp_path / "commands").write_text(f"break pair.c:{line_of('lets the other go', OTHER)}\ncontinue\ninfo ganger\nprint kept\n"
                                       "ganger focus cta 0 thread 0\nprint kept\nprint $cta_x()\ndelete\ncontinue\n")
    done = run_ganger("gdb", built("pair"), "--board", board, "--sms", 1, "--grid", 2, "--arg", f"out:16:{tmp_path / 'out'}",
                      "-x", tmp_path / "commands", "--batch", timeout=LONG * 5)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert re.findall(r"^\$\d+ = (.*)$", done.stdout, re.MULTILINE) == ["41", "40", "0"]
    assert "ready, another CTA has the SM pair (pair.c:" in done.stdout and "running pair (pair.c:" in done.stdout
    assert struct.unpack("<4i", (tmp_path / "out").read_bytes()) == (1, 40, 41, 1)


def test_every_instruction_has_a_line(built):
    """S3-R8: a work-item may be interrupted anywhere, also where the compiler names no line."""
    with built("pair").open("rb") as file:
        code = types.SimpleNamespace(base=0, code_bytes=1 << 20, source=file.read())
    (first,) = (offset for offset, name in symbols.functions_of(code) if name == "pair")
    places = [symbols.place_near((code,), first + at) for at in range(0, 0x80, 2)]
    assert {(place.symbol, place.line is not None) for place in places} == {("pair", True)}


@pytest.mark.parametrize("language", ["c", "cl"])
def test_watchpoint(debug, language):
    """S3-R8: a write of shared memory, and one of global memory, stop at their lines."""
    source = SOURCES[language]
    stored, end = line_of("stored here", source), line_of("the end", source)
    said = debug(language, f"break sum.{language}:{stored} if $thread() == 0\ncontinue\ndelete\nwatch -location part[3]\ncontinue\n"
                 f"print i\ndelete\nwatch -location out[0]\ncontinue\nprint i\nprint out[0] == part[0]\nframe\ndelete\ncontinue\n",
                 grid=1, sms=1)
    assert "Hardware watchpoint 2: -location part[3]" in said and "New value = 9" in said
    assert "Hardware watchpoint 3: -location out[0]" in said and f"New value = {3 * sum(range(8))}" in said
    assert re.findall(r"^\$\d+ = (.*)$", said, re.MULTILINE) == ["3", "0", "1"]


def test_tasks_of_the_control_processor(debug):
    """S0-R12, S3-R8: tasks and lists of tasks as GDB prints them."""
    said = debug("c", f"break sum.c:{STORED} if $thread() == 5\ncontinue\n{SETTLED}info ganger tasks\nprint *$task(0)\nprint $pending(5)\n"
                 "delete\ncontinue\n", grid=1, sms=1)
    task = r"task: slot 0, tag \d+, channel 0, DRAINING, priority 5, 0 CTAs ended, 1 in flight, 0 left"
    assert re.search(rf"^{task}$", said, re.MULTILINE) and re.search(rf"^\$1 = {task}$", said, re.MULTILINE)
    assert "$2 = list of 0 tasks" in said


def test_bad_words_are_refused(debug):
    """S3-R8: what cannot be focused is named."""
    said = debug("c", f"break sum.c:{STORED} if $thread() == 5\ncontinue\n" + tried(
        "ganger focus thread 6", "ganger focus thread 8", "ganger focus cta 1 thread 0", "ganger focus cat 0 thread 1",
        "ganger focus cta x thread 1", "ganger focus cta 0", "ganger focus thread", "ganger focus", "info ganger all",
        "thread 1", "print $cta_x()", "ganger focus thread 1", "print $sm()") + "delete\ncontinue\n", grid=1, sms=1)
    told = re.findall(r"^refused: (.*)$", said, re.MULTILINE)
    usage = "usage: ganger focus [sm N] [tag N] [cta X[,Y[,Z]]] thread N|X,Y[,Z]"
    assert told == ["work-item 6 has not begun", "the CTA has 8 work-items, numbers 0 to 7",
                    "no SM has such a CTA now: `info ganger` lists what there is", "cat: not one of cta, thread, sm, tag",
                    "cta x: 1 to 3 numbers with commas, such as 17 or 3,1",
                    "name a work-item: thread N, its linear number, or thread X,Y[,Z]", usage, usage, "usage: info ganger [tasks]",
                    *["this thread runs no kernel now"] * 2]
    assert "$1 = -1" in said or "= -1\n" in said


class Beside:
    """GDB beside a host. there: a file that the commands make; gdb: the process of `ganger gdb`; dev: the host's device."""

    def __init__(self, gdb, dev, log):
        self.gdb, self.dev, self.log = gdb, dev, log

    def run(self, elf, name, *buffers, **keywords):
        """Posts a kernel."""
        return self.dev.submit(self.dev.load(elf)[name], args=buffers, **keywords)

    def said(self):
        """What GDB has said, after its end without an error."""
        assert self.gdb.wait(LONG) == 0, self.log.read_text()
        print(self.log.read_text())
        return self.log.read_text()


def children(pid):
    """Numbers of the processes that a process has started."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def works_with(text):
    """Numbers of all processes, but of dead ones, with a text in their command line."""
    found = []
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if text.encode() in one.read_bytes():
                found.append(int(one.parent.name))
    return found


@pytest.fixture
def beside(built, board, tmp_path):
    """beside("c", first, then): a device that is up, with GDB and this host; GDB continues between the commands."""
    @contextlib.contextmanager
    def get(name, first, then, batch=True):
        path, log, there = str(tmp_path / "device"), tmp_path / "log", tmp_path / "there"
        assert run_ganger("up", "--gdb", "--board", board, "--sms", 1, "--device", path).returncode == 0
        (tmp_path / "commands").write_text(f"set breakpoint pending on\n{first}\nshell touch {there}\ncontinue\n{then}")
        try:
            with log.open("w") as output, subprocess.Popen(
                    [ROOT / "host/ganger", "gdb", built(name), "--attach", "--device", path, "-x", tmp_path / "commands",
                     *(["--batch"] if batch else [])], stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.PIPE,
                    start_new_session=True) as gdb:
                try:
                    until(there.exists, "GDB has the device")
                    with ganger.Device.attach(path) as dev:
                        yield Beside(gdb, dev, log)
                finally:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(gdb.pid, signal.SIGKILL)
        finally:
            assert run_ganger("down", "--device", path).returncode == 0
        assert not (tmp_path / "device.gdb").exists()
    return get


STOPPED = f"break sum.c:{STORED} if $thread() == 4"


def test_attach(beside, built, board, tmp_path):
    """S3-R8: GDB beside a host that loads and runs a kernel of its own: the breakpoint finds it wherever it lies. A second
    debugger is told of the first."""
    with beside("c", STOPPED, "print mine\ninfo ganger\n") as one:
        done = run_ganger("gdb", built("c"), "--attach", "--device", tmp_path / "device")
        assert done.returncode == 1 and "ERR_BUSY: Another `ganger gdb` has the device" in done.stderr
        one.dev.buffer(nbytes=4096)
        numbers, sums = one.dev.buffer(struct.pack("<8i", *range(8))), one.dev.buffer(nbytes=16)
        task = one.run(built("c"), "sum", numbers, sums, block=8)
        said = one.said()
        task.wait(LONG)
        assert sums.read()[:4] == SUMS[:4]
    assert "$1 = 12" in said and ("0,0,0", "4", f"running sum (sum.c:{STORED})") in rows(said)


def test_queue_of_the_control_processor(beside, built):
    """S0-R05, S3-R8: a queue as GDB prints it, while a CTA has its items."""
    with beside("take", f"break take.c:{line_of('takes them', QUEUE)}",
                "print many\nprint *$task(0)->queue\nprint ((struct gg_cta *)$tp)[-1].grid[0] > 0\n") as one:
        counts = one.dev.buffer(nbytes=16)
        kernel = one.dev.load(built("take"))["take"]
        task = one.dev.queue(kernel, args=[counts], capacity=16, item_bytes=4, items=8, initial=struct.pack("<5i", *range(5)))
        said = one.said()
        task.close(LONG)
        task.wait(LONG)
        assert counts.read()[:4] == struct.pack("<i", 5)
    assert "$1 = 5\n$2 = queue: 5 items pushed, 5 taken, 0 freed, room for 11 of 16\n" in said


@pytest.mark.shared
def test_time_stands_still(beside, built, tmp_path):
    """S3-R8: GDB holds a device longer than time limits: those of a CTA, of the host's waits in Python and in C, and those of the
    watchdog do not pass. A question of less than a second is answered in its time."""
    held, go, limit = tmp_path / "held", tmp_path / "go", 3.0
    with beside("c", f"break sum.c:{STORED}", f"delete\nprint {MTIME}\nshell touch {held}; until test -e {go}; do sleep 0.05; done\n"
                f"print {MTIME}\n") as one:
        numbers, sums = one.dev.buffer(struct.pack("<8i", *range(8))), one.dev.buffer(nbytes=16)
        task = one.run(built("c"), "sum", numbers, sums, block=8, time_limit_ms=1000)
        until(held.exists, "GDB has stopped")
        before = one.dev.stood_still
        with ThreadPoolExecutor(3) as pool:
            waits = [pool.submit(task.wait, limit), pool.submit(ganger.wait_any, [task], limit),
                     pool.submit(one.dev.query, "TASKS", limit)]
            until(lambda: one.dev.stood_still > before + limit + 1, "time that the device stands still")
            expect("ERR_TIMEOUT", one.dev.alive, 0.1)
            waiting = [not wait.done() for wait in waits]
            go.touch()
            said = one.said()
            assert waits[0].result(LONG).status == "OK" and waits[1].result(LONG) == 0 and waits[2].result(LONG) <= 1
        assert waiting == [True] * 3 and sums.read()[:4] == SUMS[:4]
        assert one.dev.alive(LONG) and one.dev.stat()["sms_hung"] == 0
        after = one.dev.stood_still
        one.dev.nop(timeout=LONG)
        assert one.dev.stood_still == after
    first, second = re.findall(r"^\$\d+ = (\d+)$", said, re.MULTILINE)
    assert first == second


def test_interrupt_from_the_keyboard(beside, built):
    """S3-R8: ^C, which all processes at the terminal get, stops a kernel that does not end, and GDB has it."""
    line = line_of("kept = 40;", OTHER)
    with beside("pair", "", f"tbreak pair.c:{line}\ncontinue\nprint kept\nset var flag[0] = 1\n") as one:
        flags = one.dev.buffer(bytes(16))
        task = one.run(built("pair"), "pair", flags)
        until(lambda: flags.read()[12:] == struct.pack("<i", 1), "the kernel runs")
        os.killpg(one.gdb.pid, signal.SIGINT)
        said = one.said()
        task.wait(LONG)
    assert "received signal SIGINT" in said and f"pair.c:{line}" in said and "$1 = 40" in said


@pytest.mark.shared
@pytest.mark.parametrize("which", ["GDB", "the command"])
def test_killed_debugger(beside, built, tmp_path, which):
    """S3-R8: after `kill -9` the device goes on, without breakpoints, and lets the next debugger in."""
    held = tmp_path / "held"
    with beside("c", f"break sum.c:{STORED}", f"shell touch {held}\n", batch=False) as one:
        numbers, sums = one.dev.buffer(struct.pack("<8i", *range(8))), one.dev.buffer(nbytes=16)
        task = one.run(built("c"), "sum", numbers, sums, block=8)
        until(held.exists, "GDB has stopped")
        gdb, = children(one.gdb.pid)
        os.kill(gdb if which == "GDB" else one.gdb.pid, signal.SIGKILL)
        assert one.gdb.wait(LONG) == (128 + 9 if which == "GDB" else -9)
        until(lambda: task.done, "the device goes on")  # Limits of its own waits stand still as long as it does not.
        until(lambda: not works_with(str(tmp_path / "commands")), "GDB ends")
        one.run(built("c"), "sum", numbers, sums, block=8).wait(LONG)
        (tmp_path / "commands").write_text("print 6 * 7\n")
        done = run_ganger("gdb", built("c"), "--attach", "--device", tmp_path / "device", "-x", tmp_path / "commands", "--batch")
        assert done.returncode == 0 and "$1 = 42" in done.stdout
        one.run(built("c"), "sum", numbers, sums, block=8).wait(LONG)


@pytest.mark.shared
def test_killed_while_the_device_runs(beside, built, tmp_path):
    """S3-R8: the same where the device runs, with a breakpoint whose condition is never true: GDB takes it out."""
    with beside("c", f"break sum.c:{STORED} if $thread() == 99", "") as one:
        numbers, sums = one.dev.buffer(struct.pack("<8i", *range(8))), one.dev.buffer(nbytes=16)
        kernel = one.dev.load(built("c"))["sum"]
        one.dev.submit(kernel, args=[numbers, sums], block=8).wait(LONG)  # GDB knows the kernel now.
        one.gdb.kill()
        until(lambda: not works_with(str(tmp_path / "commands")), "GDB ends")
        task = one.dev.submit(kernel, args=[numbers, sums], block=8)
        until(lambda: task.done, "no breakpoint is left")


@pytest.mark.shared
def test_killed_command_leaves_nothing(built, board, tmp_path):
    """S3-R8: `kill -9` of `ganger gdb` ends the device that it had booted, and GDB."""
    (tmp_path / "commands").write_text(f"break sum.c:{STORED}\ncontinue\nshell touch {tmp_path / 'held'}\n")
    temps = tmp_path / "temps"
    temps.mkdir()
    with subprocess.Popen([ROOT / "host/ganger", "gdb", built("c"), "--board", board, "--sms", "1", "--block", "8",
                           "--arg", f"in:{built.folder / 'in.bin'}", "--arg", f"out:16:{tmp_path / 'out.bin'}",
                           "-x", tmp_path / "commands"], env={**os.environ, "TMPDIR": str(temps)}, stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as command:
        try:
            until((tmp_path / "held").exists, "GDB has stopped")
            assert len(works_with(str(tmp_path))) >= 4  # The command, GDB, the broker, QEMU.
        finally:
            command.kill()
        until(lambda: not works_with(str(tmp_path)), "all have ended")
    assert not list(temps.iterdir())


@pytest.mark.shared
def test_words_that_do_not_fit(built, board, tmp_path, kernel_path):
    """What is wrong is said before GDB starts, with what to do about it."""
    elf, nowhere = built("c"), str(tmp_path / "nowhere")
    for words, status, text in (
            (("--attach", "--device", nowhere), "ERR_NO_DEVICE", nowhere),
            (("--device", nowhere), "ERR_ARGUMENT", "--attach"),
            (("--attach", "--arg", "7"), "ERR_ARGUMENT", "the host that uses the device does that"),
            (("-x", nowhere), "ERR_ARGUMENT", "no such file of GDB commands")):
        done = run_ganger("gdb", elf, *words, XDG_RUNTIME_DIR=str(tmp_path))
        assert done.returncode == 1 and status in done.stderr and text in done.stderr, done.stderr
    (tmp_path / "commands").write_text("continue\n")
    done = run_ganger("gdb", kernel_path("work"), "--kernel", "blank", "--board", board, "--sms", 1, "-x", tmp_path / "commands",
                      "--batch")
    assert "has no debug information" in done.stderr and "ganger-cc -g" in done.stderr


@pytest.mark.shared
def test_without_a_door(built, board, tmp_path, monkeypatch):
    """A device that lets no debugger in, and a machine without GDB: said so."""
    path = str(tmp_path / "device")
    ganger.Device.up(path, board, sms=1)
    try:
        done = run_ganger("gdb", built("c"), "--attach", "--device", path)
        assert done.returncode == 1 and "ERR_NO_DEVICE" in done.stderr and "ganger up --gdb" in done.stderr
    finally:
        ganger.Device.down(path)
    monkeypatch.setattr(debugger, "PROGRAM", "gdb-that-is-not-there")
    with pytest.raises(ganger.Error) as error, debugger.started(path, []):
        pass
    assert "gdb-that-is-not-there is not installed: `apt-get install gdb-multiarch`" in str(error.value)
