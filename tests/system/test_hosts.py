# SPDX-License-Identifier: Apache-2.0
"""Several hosts on one device: each has a share of its own, and what one does or leaves behind, the others do not feel.

GANGER_HOSTS_TASKS=10000 GANGER_HOSTS_KILLS=100 makes test_streams_of_eight_hosts as long as that.
"""
import contextlib
import grp
import json
import os
import pwd
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import ganger
from conftest import ROOT
from support import ENVIRONMENT, LONG, Held, expect, run_ganger, run_good_task, until, words

pytestmark = pytest.mark.shared

TASKS = int(os.environ.get("GANGER_HOSTS_TASKS", "100"))
KILLS = int(os.environ.get("GANGER_HOSTS_KILLS", "2"))
STREAM = ROOT / "tests" / "system" / "host_stream.py"


@contextlib.contextmanager
def up(path, board, **keywords):
    """A device for several hosts that is up in a `with` block."""
    ganger.Device.up(path, board, **keywords)
    try:
        yield path
    finally:
        ganger.Device.down(path)


@pytest.fixture
def pair(board, tmp_path):
    """Path of a device for two hosts."""
    with up(tmp_path / "g.sock", board, sms=2, hosts=2) as path:
        yield path


def free(path):
    """Numbers of the shares that are free."""
    return [one.number for one in ganger.hosts(path) if one.state == "FREE"]


def test_shares(board, tmp_path, kernel_path):
    """S3-R22: four hosts have channels, memory and contexts of their own, in equal parts; a fifth has to wait."""
    with up(tmp_path / "g.sock", board, sms=2, hosts=4) as path, contextlib.ExitStack() as stack:
        devices = [stack.enter_context(ganger.Device.attach(path)) for _host in range(4)]
        found = ganger.hosts(path)
        assert [(one.state, one.pid, one.first_channel, one.channels) for one in found] == \
            [("HELD", os.getpid(), 2 * number, 2) for number in range(4)]
        assert [(dev.info.heap, dev.info.heap_bytes, dev.info.channels) for dev in devices] == \
            [(one.heap, one.heap_bytes, 2) for one in found]
        ends = [one.heap + one.heap_bytes for one in found]
        assert len(set(one.heap_bytes for one in found)) == 1
        assert all(end <= after.heap for end, after in zip(ends, found[1:]))
        assert len({dev.default_context.info.number for dev in devices}) == 4
        for dev in devices:
            module = dev.load(kernel_path("work"))
            for channel in range(2):
                done = dev.nop(channel=channel, timeout=LONG)
                assert (done.status, done.channel) == ("OK", channel)
                with Held(dev, module, 1, channel=channel) as held:
                    held.await_started()
                    assert [one.state for one in dev.channels] == ["OPEN", "OPEN"]
            run_good_task(dev, module)
            expect("ERR_ARGUMENT", dev.nop, channel=2)
            assert dev.traffic()["unknown"] == 0
        assert all(one.on_way == 0 and one.completed > 4 for one in ganger.hosts(path))
        assert str(os.getpid()) in expect("ERR_BUSY", ganger.Device.attach, path).message
        devices[2].close()
        with ganger.Device.attach(path) as again:
            assert again.nop(timeout=LONG).status == "OK" and again.info.heap == found[2].heap


def test_control_stays_in_the_share(pair, kernel_path):
    """S0-R13: what a host does with its channels 0 to 3, it does not do to those of another."""
    with ganger.Device.attach(pair) as first, ganger.Device.attach(pair) as second:
        for dev, other in ((first, second), (second, first)):
            with Held(other, other.load(kernel_path("work")), 1) as held:
                held.await_started()
                dev.channels[1].suspend()
                assert (dev.channels[1].state, other.channels[1].state) == ("SUSPENDED", "OPEN")
                assert other.nop(channel=1, timeout=LONG).status == "OK"
                dev.channels[1].resume()
                mine = dev.submit(dev.load(kernel_path("work"))["forever"], grid=1, block=1,
                                  args=[dev.buffer(nbytes=64), 0])
                dev.channels[0].cancel()
                expect("ERR_CANCELLED", mine.wait, LONG)
                dev.raw_put(2, 12345)
                until(lambda d=dev: d.channels[2].state == "REFUSED", "channel is refused")
                assert other.channels[2].state == "OPEN"
                dev.channel_reset(2)
                expect("ERR_ARGUMENT", dev.command("SUSPEND", args=(4, 1)).wait, LONG)
                assert not held.task.done


LEAVING = """
import os, signal, sys, ganger
path, kernel = sys.argv[1:]
dev = ganger.Device.attach(path)
module = dev.load(kernel)
out = dev.buffer(nbytes=64)
big = dev.buffer(b"secret" * 100000)
with ganger.Graph(dev) as graph:
    graph.pass_(module["count"], 1, 1, [graph.write(out)])
kept = [graph.keep(dev) for _graph in range(40)]
queue = dev.queue(module["count"], item_bytes=4, capacity=16, items=1, args=[out], channel=1)
late = dev.submit(module["count"], grid=1, block=1, args=[out], channel=2)
dev.channels[3].suspend()
for number in range(20):
    dev.submit(module["forever"], grid=4, block=1, args=[out, number % 4], channel=number % 3)
    dev.submit(module["count"], grid=1, block=1, args=[out], channel=3)
if sys.stdin.readline() == "refused\\n":
    dev.raw_put(2, 99999)
print(dev.info.heap, dev.info.heap_bytes, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_dead_host_leaves(pair, kernel_path):
    """S0-R13, S3-R22: a host dies with endless tasks, a queue, kept graphs, a suspended and a refused channel: all of
    that is gone, the memory too, before another host gets its share; the host beside it goes on."""
    with ganger.Device.attach(pair) as beside:
        module = beside.load(kernel_path("work"))
        before = beside.stat()["tasks_completed"]
        for how in ("open\n", "refused\n", "open\n"):
            done = subprocess.run([sys.executable, "-c", LEAVING, str(pair), str(kernel_path("work"))], input=how,
                                  env=ENVIRONMENT, capture_output=True, text=True, timeout=LONG * 5, check=False)
            assert done.returncode == -signal.SIGKILL, done.stderr
            heap, nbytes = map(int, done.stdout.split())
            run_good_task(beside, module)
            with ganger.Device.attach(pair) as next_one:
                assert (next_one.info.heap, next_one.info.heap_bytes) == (heap, nbytes)
                data = next_one.read(heap, 4 << 20)
                assert data.count(0) == len(data)
                assert [one.state for one in next_one.channels] == ["OPEN"] * 4
                assert next_one.query("TASKS") == 0
                run_good_task(next_one, next_one.load(kernel_path("work")))
                assert next_one.traffic()["unknown"] == 0
        assert beside.stat()["tasks_completed"] > before
        assert beside.traffic()["unknown"] == 0


def test_quota(pair, kernel_path):
    """A host has no more tasks on their way than it may; it can still end them, and the other host is not held up."""
    with ganger.Device.attach(pair) as first, ganger.Device.attach(pair) as second:
        module = first.load(kernel_path("work"))
        ganger.host_quota(pair, 0, 4)
        assert [one.most for one in ganger.hosts(pair)][0] == 4
        with Held(first, module, 1) as held:
            held.await_started()
            posted = [first.submit(module["blank"], grid=1, block=1, after=[held.task]) for _task in range(3)]
            assert ganger.hosts(pair)[0].on_way == 4
            error = expect("ERR_RING_FULL", first.submit, module["blank"], grid=1, block=1, timeout=0.3)
            assert (error.field, error.value) == ("commands", 4)
            run_good_task(second, second.load(kernel_path("work")))
            posted[0].cancel()
            expect("ERR_CANCELLED", posted[0].wait, LONG)
            posted.append(first.submit(module["blank"], grid=1, block=1, after=[held.task]))
            ganger.host_quota(pair, 0, 5)
            posted.append(first.submit(module["blank"], grid=1, block=1, after=[held.task]))
        assert all(task.wait(LONG).status == "OK" for task in posted[1:])
        for host, most in ((2, 4), (0, 0), (0, 2049), (200, 4), (0, 1 << 24)):
            expect("ERR_ARGUMENT", ganger.host_quota, pair, host, most)


def test_more_tasks_than_the_quota(pair, kernel_path):
    """A host that posts many tasks at once waits for its own, and gets them all; quiet ones, too."""
    with ganger.Device.attach(pair) as dev:
        ganger.host_quota(pair, 0, 16)
        counts = dev.buffer(bytes(4))
        kernel = dev.load(kernel_path("work"))["count"]
        work = [dev.work(kernel, grid=1, block=1, args=[counts], interrupt=number % 2 == 0) for number in range(200)]
        tasks = dev.submit_many(work, timeout=LONG)
        assert all(task.wait(LONG).status == "OK" for task in tasks)
        assert words(counts.read()) == [200]


def test_a_host_of_an_older_library(pair, board, tmp_path):
    """S3-R22: a library that knows no shares is told so, instead of owning what others use; hosts alone share nothing."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as old:
        old.connect(str(pair))
        old.send(struct.pack("4I", 0x4b524247, 1, 1, 1))
        _magic, _version, kind, status = struct.unpack_from("3Ii", old.recv(4096))
        assert (kind, ganger.errors.status_name(status)) == (1, "ERR_UNSUPPORTED")
    with up(tmp_path / "one.sock", board, sms=1) as alone, ganger.Device.attach(alone) as dev:
        assert [(one.state, one.pid, one.most) for one in ganger.hosts(alone)] == [("HELD", os.getpid(), 0)]
        assert dev.info.channels == 8
        expect("ERR_ARGUMENT", ganger.host_quota, alone, 0, 4)
    expect("ERR_ARGUMENT", ganger.Device.up, tmp_path / "many.sock", board, hosts=9)
    expect("ERR_ARGUMENT", ganger.Device.up, tmp_path / "group.sock", board, group="no-such-group")


def test_command_line(board, tmp_path, sample_path):
    """S3-R49: `ganger up --hosts`, `hosts`, and what cannot be done on a device that is shared."""
    path = tmp_path / "g.sock"
    run = lambda *words_: run_ganger(*words_, "--device", path)  # noqa: E731
    assert run("up", "--board", board, "--sms", 1, "--hosts", 2).returncode == 0
    try:
        until(lambda: all(one.pid is None for one in ganger.hosts(path)), "the host that brought it up has left")
        with ganger.Device.attach(path):
            table = run("hosts", "--host", 1, "--most", 7)
            assert table.returncode == 0 and str(os.getpid()) in table.stdout, table
            found = json.loads(run("hosts", "--json").stdout)
            assert [(one["number"], one["pid"] is None, one["most"] == 7) for one in found] == \
                [(0, False, False), (1, True, True)]
            refused = run("submit", sample_path("vecadd"))
            assert refused.returncode == 1 and "ERR_UNSUPPORTED" in refused.stderr
            assert run("stat").returncode == 0 and run("hosts", "--host", 1).returncode == 1
    finally:
        assert run("down").returncode == 0


OTHER = """
import os, sys, ganger
path, kernel, uid, gid = sys.argv[1:]
ganger.clib.library()  # The new user may not reach its folder.
os.setgroups([])
os.setgid(int(gid))
os.setuid(int(uid))
def status(call, *arguments):
    try:
        call(*arguments)
    except ganger.Error as error:
        return error.status
    return "OK"
if status(ganger.hosts, path) != "OK":
    print(status(ganger.Device.attach, path), status(ganger.hosts, path), status(ganger.Device.down, path))
    sys.exit(0)
with ganger.Device.attach(path) as dev:
    module = dev.load(kernel)
    dev.submit(module["blank"], grid=4, block=1).wait(60)
    print(status(dev.trace_on), status(setattr, dev.config, "time_limit_us", 5000), status(dev.sm_reset, 0),
          status(ganger.host_quota, path, 0, 5), status(ganger.Device.down, path),
          *(one.uid for one in ganger.hosts(path)))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start processes of another user")
def test_another_user(board, kernel_path):
    """S3-R22: only those may use the device whom its socket lets in; of these, only its own user changes it for all."""
    nobody = pwd.getpwnam("nobody")
    group = grp.getgrgid(nobody.pw_gid).gr_name

    def other(path):
        words_ = map(str, (path, kernel, nobody.pw_uid, nobody.pw_gid))
        done = subprocess.run([sys.executable, "-c", OTHER, *words_], env=ENVIRONMENT, capture_output=True,
                              text=True, timeout=LONG * 5, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        kernel = Path(folder) / "work.elf"
        kernel.write_bytes(kernel_path("work").read_bytes())
        with up(f"{folder}/own.sock", board, sms=1, hosts=2) as path:
            assert other(path) == ["ERR_PERMISSION"] * 3
        with up(f"{folder}/group.sock", board, sms=1, hosts=2, group=group) as path, \
                ganger.Device.attach(path) as dev:
            assert os.stat(path).st_mode & 0o777 == 0o660
            assert other(path) == ["ERR_PERMISSION"] * 5 + ["0", str(nobody.pw_uid)]
            dev.trace_on()
            dev.trace_off()


class Stream:
    """A process of host_stream.py."""

    def __init__(self, path, kernel, least):
        self.process = subprocess.Popen([sys.executable, STREAM, path, kernel, str(least)], env=ENVIRONMENT,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begun(self):
        """Waits until some of its tasks have completed."""
        assert self.process.stdout.readline() == "begun\n"

    def kill(self):
        """Ends it, wherever it is."""
        self.process.kill()
        self.process.communicate()

    def finish(self):
        """Lets it end; how many tasks it has done."""
        out = self.process.communicate(timeout=LONG * 20)[0]
        assert self.process.returncode == 0
        return int(out.split()[-1])


def test_streams_of_eight_hosts(board, tmp_path, kernel_path):
    """S3-R22: eight hosts, each with a stream of tasks; two of them are killed and started again and again. The others
    see no error, and have at least 60 % of an eighth of what was done meanwhile."""
    with up(tmp_path / "g.sock", board, sms=4, hosts=8) as path:
        streams = [Stream(path, kernel_path("work"), TASKS) for _host in range(8)]
        for stream in streams:
            stream.begun()
        mortal = [one.number for one in ganger.hosts(path) if one.pid in {s.process.pid for s in streams[:2]}]
        before = [one.completed for one in ganger.hosts(path)]
        for _round in range(KILLS):
            for place in range(2):
                streams[place].kill()
                streams[place] = Stream(path, kernel_path("work"), TASKS)
                streams[place].begun()
        after = [one.completed for one in ganger.hosts(path)]
        assert sorted(mortal) == sorted(one.number for one in ganger.hosts(path)
                                        if one.pid in {s.process.pid for s in streams[:2]})
        counts = [stream.finish() for stream in streams]
        assert min(counts) >= TASKS
        done = [b - a for a, b in zip(before, after)]
        fair = sum(done) / 8
        print(f"completed in {2 * KILLS} kills: {done}; of the killed: {mortal}; in all {counts}")
        assert all(done[number] >= 0.6 * fair for number in range(8) if number not in mortal), done
        until(lambda: len(free(path)) == 8, "all shares are free")
