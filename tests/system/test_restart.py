# SPDX-License-Identifier: Apache-2.0
"""The control processor boots again, after a panic or when it is asked to: what was on its way ends with ERR_DEVICE_RESET, and
all else goes on."""
import collections
import contextlib
import os
import signal
import struct
import subprocess
import sys

import pytest
from elftools.elf.elffile import ELFFile

import ganger
from graph_kit import data_of, filled, mixed
from queue_support import items_of
from support import ENVIRONMENT, LONG, Held, assert_at_rest, expect, run_ganger, run_good_task, until, words, zeros
from test_hosts import free, up
from test_reset import everywhere, hang

SMS = 4
ROUNDS = int(os.environ.get("GANGER_RESTART_ROUNDS", "12"))  # of test_in_the_middle
BAD = 0x40  # an address of QEMU's machine at which nothing is
POST = 4  # place of the pointer `post` among those of struct device (firmware/cp/base/device.h)
ASSERTION = 0xffffffff  # `cause` of a panic
GRAPH = """graph kept(a: buffer(128), b: buffer(128), n: int)
    state graph_mix block 4
    read a write b dispatch args (a, a, a, b, u32(32), n)"""


@pytest.fixture
def cp(build, board):
    """Address of a variable of the control processor."""
    with open(build / board / "cp.elf", "rb") as file:
        symbols = {one.name.split(".")[0]: one["st_value"] for one in ELFFile(file).get_section_by_name(".symtab").iter_symbols()
                   if one["st_info"]["type"] == "STT_OBJECT"}
    return symbols.__getitem__


@pytest.fixture
def dev(fresh):
    """A device of this test alone."""
    return fresh(SMS)


def set_pointer(dev, address, value):
    """Writes a pointer of the control processor."""
    dev.write(address, struct.pack("<Q" if dev.info.xlen == 64 else "<I", value))


def trap(dev, cp):
    """A panic by an exception: the words of completions are looked for where nothing is."""
    set_pointer(dev, cp("device") + POST * dev.info.xlen // 8, BAD)
    dev.doorbell()


def resets(dev):
    """How often the control processor has booted again."""
    return dev.regs.cap.resets.read()


def await_resets(dev, count):
    """Waits until it has done so `count` times, and is ready."""
    until(lambda: resets(dev) == count and dev.state == "READY", "the control processor boots again")


def whole(dev, load):
    """The device is as after its first boot."""
    assert dev.state == "READY"
    run_good_task(dev, load(dev, "work"))
    everywhere(dev, load)
    assert dev.stat()["sms_lost"] == 0
    assert_at_rest(dev)


def all_kinds(dev, load):
    """Tasks of all kinds that do not end by themselves. Returns them."""
    work, counts = load(dev, "work"), zeros(dev, 64)
    spin, blank = work["forever"], work["blank"]
    held = Held(dev, work, 2)
    held.await_started()
    items = dev.queue(load(dev, "queue")["tally"], capacity=4, item_bytes=8, items=4, args=[dev.buffer(bytes(64))])
    items.push(bytes(8))
    cga = Held(dev, work, SMS, cluster=SMS, cluster_in="gpu", mode="multicast")
    cga.await_started()
    with ganger.Graph() as graph:
        first = graph.argument("counts", 256)
        graph.pass_(spin, 2, 1, [graph.write(first), 1])
        graph.pass_(work["count"], 2, 1, [graph.write(first)])
    others = [graph.launch(dev, counts=counts), dev.submit(spin, grid=8, block=1, args=[counts, 3]),
              dev.submit(spin, grid=64, args=[counts, 5], mode="pull"),
              dev.submit(blank, after=[held.task], channel=1)]
    parked = dev.submit(spin, args=[counts, 0], priority=9)
    parked.suspend()
    return [held.task, items, cga.task, *others, parked]


def test_after_an_exception(dev, load, cp):
    """S1-R100: all tasks end with ERR_DEVICE_RESET, also endless kernels on all SMs; buffers, kernels and contexts stay as
    they are, and so does the record of the panic."""
    kept, module = dev.buffer(b"kept" * 1000), load(dev, "work")
    for count in range(1, 4):
        tasks = all_kinds(dev, load)
        trap(dev, cp)
        for task in tasks:
            expect("ERR_DEVICE_RESET", task.wait, LONG)
        assert resets(dev) == count
        assert dev.submit(module["blank"]).wait(LONG).status == "OK"
        panic = dev.panic()
        assert panic["panics"] == count and panic["cause"] == 5 and panic["file"] == ""
        assert BAD <= panic["address"] < BAD + 64
        assert kept.read() == b"kept" * 1000
        whole(dev, load)


def test_after_an_assertion(dev, load, cp):
    """The record names file and line, and is in the ERROR block after the restart."""
    work = load(dev, "work")
    held = Held(dev, work, 1)
    held.await_started()
    set_pointer(dev, cp("free_edges"), 0)
    follower = dev.submit(work["blank"], after=[held.task])
    for task in (follower, held.task):
        expect("ERR_DEVICE_RESET", task.wait, LONG)
    panic = dev.panic()
    assert (panic["cause"], panic["file"], panic["panics"]) == (ASSERTION, "dependence.c", 1)
    assert panic["line"] > 0
    whole(dev, load)


def test_asked_for(dev, load):
    """A host asks for it, while tasks of all kinds run; that is no panic, and as often as it likes. What completed before
    is not touched by it, channels that were suspended are open, and CONFIG is as at boot."""
    boot = dev.config()
    for count in range(1, 7):
        done = [dev.submit(load(dev, "work")["blank"]) for _task in range(40)]
        tasks = all_kinds(dev, load)
        dev.config(floor_per_mille=100, enabled=[0, 1, 2], trace=True)
        dev.channels[2].suspend()
        for task in done:
            task.wait(LONG)
        dev.restart()
        assert {task.poll().status for task in done} == {"OK"}
        assert {task.poll().status for task in tasks} == {"ERR_DEVICE_RESET"}
        assert resets(dev) == count and dev.panic() is None
        assert {one.state for one in dev.channels} == {"OPEN"} or dev.nop(channel=2, timeout=LONG).status == "OK"
        assert dev.config() == boot
        whole(dev, load)


def test_kept_graphs(dev, load):
    """S2-Q20: kept graphs are gone, and no handle of a later one is the same."""
    text, module, content = ganger.graph_of(GRAPH), load(dev, "graph"), filled(32, 3)
    source, out = dev.buffer(data_of(content)), zeros(dev, 32)
    kept = text.keep(dev, modules=[module], a=source, b=out)
    for number in (1, 2):
        kept.launch(a=source, b=out, n=number).wait(LONG)
        assert words(out.read()) == mixed(content, content, content, number)
    dev.restart()
    with text.keep(dev, modules=[module], a=source, b=out) as again:
        assert again.handle != kept.handle
        expect("ERR_GRAPH_HANDLE", lambda: kept.launch(a=source, b=out, n=1).wait(LONG))
        again.launch(a=source, b=out, n=3).wait(LONG)
        assert words(out.read()) == mixed(content, content, content, 3)
    whole(dev, load)


def test_full_rings(dev, load):
    """With a full channel, and completions that nobody has taken, none is lost and none comes twice."""
    work, counts = load(dev, "work"), zeros(dev, 600)
    tasks = dev.submit_many([dev.work(work["count"], grid=600, args=[counts]) for _task in range(300)])
    blocked = [dev.command("NOP", channel=3) for _one in range(dev.info.channel_entries)]
    dev.restart()
    ended = [task.poll().status for task in tasks + blocked]
    assert set(ended) <= {"OK", "ERR_DEVICE_RESET"}
    ok = sum(task.poll().status == "OK" for task in tasks)
    assert all(ok <= count <= len(tasks) for count in words(counts.read()))
    whole(dev, load)


class Kinds:
    """Tasks of all kinds that end by themselves. Each is a pair: the task, and a buffer in which each CTA, item or pass adds 1 to a
    word of its own; or a pass that makes a 1 of a 0, of a graph."""

    def __init__(self, dev, load, rng):
        self.dev, self.rng = dev, rng
        self.work, self.queue = load(dev, "work"), load(dev, "queue")

    def _grid(self, **keywords):
        ctas = 4 * self.rng.randint(1, 40)
        counts = zeros(self.dev, ctas)
        return self.dev.submit(self.work["count"], grid=ctas, block=self.rng.randint(1, 4), args=[counts],
                               channel=self.rng.randrange(4), priority=self.rng.randint(1, 10), **keywords), counts

    def _queue(self):
        count = self.rng.randint(1, 60)
        counts = zeros(self.dev, count)
        return self.dev.queue(self.queue["tally"], capacity=64, item_bytes=8, items=self.rng.randint(1, 5), args=[counts],
                              initial=items_of(range(count)), closed=True), counts

    def _graph(self):
        counts = zeros(self.dev, 32)
        with ganger.Graph() as graph:
            whole = graph.argument("counts", 128)
            for ctas in (32, 8):
                graph.pass_(self.work["count"], ctas, 1, [graph.write(whole)])
        return graph.launch(self.dev, counts=counts), counts

    def some(self, count):
        """So many, in random order; of each kind one at least."""
        kinds = [self._grid, self._queue, self._graph, lambda: self._grid(cluster=2), lambda: self._grid(mode="pull"),
                 lambda: self._grid(cluster=4, cluster_in="gpu"), lambda: self._grid(mode="round-robin")]
        kinds += self.rng.choices(kinds, k=count - len(kinds))
        self.rng.shuffle(kinds)
        return [kind() for kind in kinds]


def status_of(task):
    """How a task ends; it stays so."""
    try:
        task.wait(LONG)
    except ganger.Error as error:
        assert error.done is not None, error
    first, second = task.poll(), task.poll()
    assert first is not None and first == second
    return first.status


def all_done(counts):
    """What the words of Kinds are when all has run: 1, or 2 where two passes of a graph added."""
    found = words(counts.read())
    return found in ([1] * len(found), [2] * 8 + [1] * (len(found) - 8))


def test_in_the_middle(dev, load, cp, seed):
    """S3-T10: a panic at a random moment among grids, PULL grids, queues, CGAs and graphs: each task ends once, well or with
    ERR_DEVICE_RESET; what ended well is all done, what did not is not done twice; and all that comes afterwards is right."""
    dev.config(restarts=1000)
    kinds, ended = Kinds(dev, load, seed), collections.Counter()
    for count in range(1, ROUNDS + 1):
        before = dev.traffic()
        tasks, most = kinds.some(40), seed.randrange(40)
        until(lambda: sum(task.done for task, _ in tasks) >= most, "some have ended")  # pylint: disable=cell-var-from-loop
        trap(dev, cp)
        for task, counts in tasks:
            status = status_of(task)
            assert all_done(counts) if status == "OK" else status == "ERR_DEVICE_RESET" and max(words(counts.read())) <= 2
            ended[status] += 1
        await_resets(dev, count)
        assert dev.traffic()["completed"] - before["completed"] >= 40
        assert_at_rest(dev)
        for task, counts in kinds.some(10):
            assert status_of(task) == "OK" and all_done(counts)
    assert dev.panic()["panics"] == ROUNDS and sum(ended.values()) == 40 * ROUNDS and min(ended.values()) > 0
    whole(dev, load)


def test_trace(dev, load):
    """S3-R116: the trace is off after a restart; when it is on again, records go on from the first, and none counts as lost."""
    work = load(dev, "work")
    dev.trace_on()
    dev.submit(work["count"], grid=50, args=[zeros(dev, 50)]).wait(LONG)
    assert len(dev.trace().of_type("CTA")) == 50
    dev.restart()
    dev.submit(work["count"], grid=3, args=[zeros(dev, 3)]).wait(LONG)
    dev.config(trace=True)
    task = dev.submit(work["count"], grid=7, args=[zeros(dev, 7)])
    task.wait(LONG)
    trace = dev.trace()
    assert sorted(event.cta for event in trace.of_type("CTA") if event.tag == task.tag) == list(range(7))
    assert trace.lost == 0 and len(trace.of_type("CTA")) <= 57


@pytest.mark.parametrize("allowed", [0, 2])
def test_too_many(dev, load, cp, allowed):
    """One panic more in a minute than CONFIG allows, and it stays down, with its record, as without restarts."""
    dev.config(restarts=allowed)
    for count in range(1, allowed + 1):
        trap(dev, cp)
        await_resets(dev, count)
        run_good_task(dev, load(dev, "work"))
        assert dev.config.restarts == allowed
    trap(dev, cp)
    until(lambda: dev.state == "PANIC", "it stays down")
    assert "stopped" in str(expect("ERR_PANIC", dev.nop, timeout=LONG))
    assert dev.panic()["panics"] == allowed + 1 and resets(dev) == allowed
    expect("ERR_PANIC", dev.restart)


def test_an_sm_that_hangs(dev, load):
    """An SM that cannot be stopped on this machine is written off, and the others come back. What is submitted meanwhile
    waits until then, and runs."""
    task = hang(dev, load, 1)
    dev.command("RESET_SM", args=(0, ganger.abi.ENUMS["target"]["DEVICE"]))
    until(lambda: dev.state == "BOOTING", "it boots again")
    assert "boots again" in str(expect("ERR_TIMEOUT", dev.command, "NOP", timeout=0.1))
    assert dev.command("NOP", timeout=LONG).wait(LONG).status == "OK"
    assert task.poll().status == "ERR_DEVICE_RESET"
    assert dev.stat()["sms_lost"] == 1
    run_good_task(dev, load(dev, "work"))
    with Held(dev, load(dev, "work"), 3 * dev.info.sm_ctas) as rest:
        rest.await_started()
        assert rest.per_sm() == [dev.info.sm_ctas, 0, dev.info.sm_ctas, dev.info.sm_ctas]
    assert_at_rest(dev)


def test_nobody_is_there(board, tmp_path, kernel_path, cp):
    """It boots again while no host is there, and between two hosts; the next one finds a device that is whole."""
    path = tmp_path / "g.sock"
    ganger.Device.up(path, board, sms=2)
    try:
        for count in range(1, 4):
            with ganger.Device.attach(path) as dev:
                dev.nop(timeout=LONG)
                run_good_task(dev, dev.load(kernel_path("work")))
                dev.submit(dev.load(kernel_path("work"))["forever"], args=[zeros(dev, 1), 0])
                trap(dev, cp)
            with ganger.Device.observe(path) as seen:
                await_resets(seen, count)
    finally:
        ganger.Device.down(path)


def test_command(board, tmp_path, kernel_path):
    """`ganger reset --device`; a task that `ganger submit` left there ends, too."""
    path = tmp_path / "g.sock"
    ganger.Device.up(path, board, sms=1)
    try:
        at = ("--device", path)
        for count in (1, 2):
            tag = run_ganger("submit", kernel_path("work"), "--kernel", "forever", "--arg", "out:4:x.bin", "--arg", 0, *at,
                             folder=tmp_path).stdout.strip()
            done = run_ganger("reset", *at, "--json")
            assert done.returncode == 0, done.stderr
            assert f'"resets": {count}' in done.stdout
            done = run_ganger("wait", tag, *at)
            assert (done.returncode, "ERR_DEVICE_RESET" in done.stderr) == (1, True)
        done = run_ganger("reset", "--device", XDG_RUNTIME_DIR=str(tmp_path))
        assert (done.returncode, "ERR_NO_DEVICE" in done.stderr) == (1, True)  # Where `ganger up` would put it.
        assert "Reset what?" in run_ganger("reset").stderr
        with ganger.Device.attach(path) as dev:
            run_good_task(dev, dev.load(kernel_path("work")))
    finally:
        ganger.Device.down(path)


@pytest.fixture
def shared(board, tmp_path):
    """Path of a device for three hosts."""
    with up(tmp_path / "g.sock", board, sms=3, hosts=3) as path:
        yield path


def test_several_hosts(shared, kernel_path, cp):
    """S3-R22: each host's tasks end, and each goes on, in channels and memory of its own."""
    with contextlib.ExitStack() as stack:
        hosts = [stack.enter_context(ganger.Device.attach(shared)) for _host in range(3)]
        modules = [dev.load(kernel_path("work")) for dev in hosts]
        kept = [dev.buffer(bytes([number]) * 5000) for number, dev in enumerate(hosts)]
        for count in range(1, 4):
            ended = [dev.submit(module["blank"]) for dev, module in zip(hosts, modules)]
            for task in ended:
                task.wait(LONG)
            endless = [dev.submit(module["forever"], args=[zeros(dev, 1), 0]) for dev, module in zip(hosts, modules)]
            (lambda: trap(hosts[1], cp), lambda: hosts[2].restart(LONG), lambda: trap(hosts[0], cp))[count - 1]()
            for task in endless:
                expect("ERR_DEVICE_RESET", task.wait, LONG)
            for dev, module in zip(hosts, modules):
                for channel in range(dev.info.channels):
                    assert dev.nop(channel=channel, timeout=LONG).status == "OK"
                run_good_task(dev, module)
                traffic = dev.traffic()
                assert traffic["posted"] == traffic["completed"] and traffic["unknown"] == 0
            assert [one.on_way for one in ganger.hosts(shared)] == [0, 0, 0]
            assert all(buffer.read() == bytes([number]) * 5000 for number, buffer in enumerate(kept))
            assert resets(hosts[0]) == count


def test_a_host_that_dies(shared, kernel_path):
    """S3-R22: a host dies, and the device restarts while the broker cleans its share: the share is free all the same, and clean."""
    program = ("import sys, ganger\ndev = ganger.Device.attach(sys.argv[1])\nwork = dev.load(sys.argv[2])\n"
               "b = dev.buffer(b'secret' * 4096)\nfor n in range(40):\n    dev.submit(work['forever'], args=[b, 0])\n"
               "print(b.address, flush=True)\nsys.stdin.read()\n")
    with ganger.Device.attach(shared) as dev:
        for _round in range(3):
            with subprocess.Popen([sys.executable, "-c", program, shared, str(kernel_path("work"))], env=ENVIRONMENT,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                address = int(process.stdout.readline())
                process.send_signal(signal.SIGKILL)
                process.wait(LONG)
            dev.restart(LONG)
            until(lambda: len(free(shared)) == 2, "its share is free")
            assert dev.read(address, 64) == bytes(64)
            run_good_task(dev, dev.load(kernel_path("work")))


def test_as_a_plain_command(dev):
    """Targets that RESET_SM does not have are refused with the field, and nothing restarts; else it ends like all others."""
    target = ganger.abi.ENUMS["target"]
    for wrong in (target["CHANNEL"], target["DEVICE"] + 1):
        error = expect("ERR_ARGUMENT", dev.command("RESET_SM", args=(0, wrong)).wait, LONG)
        assert (error.field, error.value) == ("command.argument1", wrong)
    assert expect("ERR_FLAGS", dev.command("RESET_SM", args=(0, target["DEVICE"], 1)).wait, LONG).field == "command.argument2"
    assert resets(dev) == 0
    expect("ERR_DEVICE_RESET", dev.command("RESET_SM", args=(0, target["DEVICE"])).wait, LONG)
    assert resets(dev) == 1
    dev.nop(timeout=LONG)
