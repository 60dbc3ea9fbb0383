# SPDX-License-Identifier: Apache-2.0
"""CGAs in configuration, trace, fault records, registers, and the `ganger` command."""
import json

import pytest

from support import LONG, Held, configured, expect, run_ganger, until, words, zeros


@pytest.mark.parametrize("parts, field, value", [
    ({"cga_ids": 0}, "config.cga_ids", 0), ({"cga_ids": 257}, "config.cga_ids", 257),
    ({"cga_ids": 5, "group": {0: (32, 0, 1)}}, "config.gpc", None)], ids=str)
def test_bad_configuration(device, parts, field, value):
    """S1-R141: a wrong number of ids is refused with its field, and nothing is changed."""
    dev = device(8)
    before = dev.config()
    error = expect("ERR_CONFIG", dev.config, **parts)
    assert error.field == field and (value is None or error.value == value)
    assert dev.config() == before


@pytest.mark.parametrize("parts, field", [
    ({"cga_ids": -1}, "cga_ids"), ({"cga_patience": 1 << 32}, "cga_patience"),
    ({"group": {0: (256, 0, 0)}}, "group"), ({"group": {8: (0, 0, 0)}}, "group"),
    ({"group": {0: (0, 0)}}, "group"), ({"enabled": [0, 600]}, "enabled"), ({"rank": [-1]}, "rank")], ids=str)
def test_configuration_that_no_word_holds(device, parts, field):
    """S1-R141: such a number is not cut to its low bits, but refused before it is sent."""
    dev = device(8)
    before, posted = dev.config(), dev.traffic()["posted"]
    assert expect("ERR_ARGUMENT", dev.config, **parts).field == field
    assert dev.config() == before and dev.traffic()["posted"] == posted


def test_configuration(device):
    """S1-R141, S1-Q9: ids and patience as at boot, and changed; the other parts stay."""
    dev = device(8)
    before = dev.config()
    assert (before["cga_ids"], before["cga_patience"]) == (256, 256)
    with configured(dev, cga_ids=3, cga_patience=0):
        assert dev.config() == {**before, "cga_ids": 3, "cga_patience": 0}
        dev.config.cga_patience = 0xffffffff
        assert (dev.config.cga_ids, dev.config.cga_patience) == (3, 0xffffffff)
    assert dev.config() == before


def test_few_ids(device, load):
    """S1-R139, S1-R141: with one id a GPC has one CGA in flight; when it has ended, the next one starts."""
    dev = device(8)
    stalls = dev.stat()["cga_stalls"]
    with configured(dev, cga_ids=1):
        with Held(dev, load(dev, "work"), 12, cluster=2) as held:
            held.await_started(4)
            for _look in range(20):
                dev.nop()
            assert held.started() == 4 and dev.query("DEVICE") == 4
            assert dev.max_active_clusters(load(dev, "work")["blank"], grid=2, cluster=2) == (0, 2)
            until(lambda: dev.stat()["cga_stalls"] > stalls, "a stall is counted")
        assert held.task.wait(LONG).ctas == 12


def test_tree_stays_while_in_use(device, load):
    """S1-R35: the tree of SMs cannot be changed under tasks with CGAs; without them it can."""
    dev = device(8)
    before = dev.config.group
    other = {sm: (sm // 2, 0, sm % 2) for sm in range(8)}
    with Held(dev, load(dev, "work"), 8, cluster=4) as held:
        held.await_started()
        error = expect("ERR_BUSY", dev.config, group=other)
        assert error.field == "config.gpc"
        assert dev.config.group == before
    until(lambda: dev.query("TASKS") == 0, "the task has left")
    with configured(dev, group=other):
        assert dev.max_active_clusters(load(dev, "work")["blank"], grid=16, cluster=16) == (4, 4)
        expect("ERR_CLUSTER", lambda: dev.submit(load(dev, "work")["blank"], grid=17, cluster=17).wait(LONG))
    assert dev.max_active_clusters(load(dev, "work")["blank"], grid=32, cluster=32) == (2, 2)


def linear(position):
    """Linear number of the CTA at a launch position: 6 x 4 CTAs in clusters of 3 x 2."""
    cluster, rank = divmod(position, 6)
    return (cluster // 2 * 2 + rank // 3) * 6 + cluster % 2 * 3 + rank % 3


def test_launch_positions(device, load):
    """S1-R109, S1-R115: launches are traced CGA by CGA; the CTAs that they start have their linear numbers."""
    dev = device(8)
    dev.trace_on()
    task = dev.submit(load(dev, "work")["count"], grid=(6, 4), cluster=(3, 2), args=[zeros(dev, 24)])
    assert task.wait(LONG).ctas == 24
    dev.trace_off()
    trace = dev.trace()
    launched, ran = {}, {}
    for event in trace.events:
        if event.tag == task.tag and event.type == "LAUNCH":
            launched.setdefault(event.sm, []).extend(range(event.cta, event.cta + event.extra))
        if event.tag == task.tag and event.type == "CTA":
            ran.setdefault(event.sm, []).append(event.cta)
    assert sorted(sum(launched.values(), [])) == list(range(24))
    assert {sm: sorted(map(linear, found)) for sm, found in launched.items()} == \
        {sm: sorted(found) for sm, found in ran.items()}


def test_fault_of_a_member(device, load):
    """S1-R157: the record of a CTA in a CGA has the CGA's id and the CTA's rank; that of a plain CTA has none."""
    dev = device(8)
    kernel, counts = load(dev, "work")["forever"], zeros(dev, 16)
    error = expect("ERR_TIME_LIMIT", dev.submit(kernel, grid=16, args=[counts, 6], cluster=4,
                                                time_limit_ms=2000).wait, LONG)
    assert error.record.cta == 6 and error.record.rank == 2 and 0 <= error.record.cga < 256
    assert f"rank 2 of CGA {error.record.cga}" in str(error.record)
    error = expect("ERR_TIME_LIMIT", dev.submit(kernel, grid=16, args=[counts, 6], time_limit_ms=2000).wait, LONG)
    assert error.record.cta == 6 and error.record.cga is None and error.record.rank is None


def test_registers(device, load):
    """S1-R71, S1-R72: members are seen where their SM finds them, by rank in a circle; without CGAs there are none."""
    dev = device(8)

    def members():
        return {(sm, unit): found[4 * unit:4 * unit + 4]
                for sm, block in enumerate(dev.regs.cluster)
                for found in [block.read()["members"]]
                for unit in range(dev.info.sm_units) if found[4 * unit]}

    assert members() == {}
    with Held(dev, load(dev, "work"), 6, cluster=6) as held:
        held.await_started()
        there = members()
        assert sorted(words[1] for words in there.values()) == list(range(6))
        assert len({(words[0], words[3]) for words in there.values()}) == 1
        for words_of in there.values():
            following = there[(words_of[2] >> 8, words_of[2] & 0xff)]
            assert following[1] == (words_of[1] + 1) % 6
    until(lambda: members() == {}, "the entries are gone")


def test_run_command(tmp_path, board, kernel_path):
    """S1-R6, S1-R35, S1-R36, S1-R77: `ganger run` with clusters, nested ones, modes; and what is wrong with them."""
    call = ["run", kernel_path("work"), "--kernel", "count", "--board", board, "--sms", 8,
            "--arg", "out:96:counts.bin", "--grid", "6x4"]
    for more in (["--cluster", "3,2"], ["--cluster", "3,2", "--cluster-in", "gpu", "--mode", "multicast"],
                 ["--cluster", "3x1", "--cluster", "2x4"],
                 ["--cluster", "3", "--cluster-in", "cpc", "--cluster", "2", "--cluster-in", "gpu"]):
        done = run_ganger(*call, *more, folder=tmp_path)
        assert done.returncode == 0 and "OK" in done.stdout, done.stderr
        assert words((tmp_path / "counts.bin").read_bytes()) == [1] * 24
        (tmp_path / "counts.bin").unlink()
    for more, status, field in ((["--cluster", "4"], "ERR_CLUSTER", "tmd.grid_x"),
                                (["--mode", "multicast"], "ERR_MODE", "tmd.mode"),
                                (["--cluster-in", "gpc"], "ERR_ARGUMENT", "cluster_in"),
                                (["--cluster", "0"], "ERR_CLUSTER", "tmd.cluster_x")):
        done = run_ganger(*call, *more, "--json", folder=tmp_path)
        error = json.loads(done.stdout)["error"]
        assert (done.returncode, error["status"], error["field"]) == (1, status, field)
    assert run_ganger(*call, "--cluster", "3", "--cluster-in", "moon", folder=tmp_path).returncode == 2


def test_commands_that_show(tmp_path, board, kernel_path):
    """S1-R35, S1-R44: `info` shows limits and the tree of SMs, `stat` the counters of CGAs, `submit` takes clusters."""

    def ganger(*arguments):
        done = run_ganger(*arguments, folder=tmp_path, XDG_RUNTIME_DIR=str(tmp_path))
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    ganger("up", "--board", board, "--sms", 8)
    try:
        about = json.loads(ganger("info", "--json"))
        assert about["facts"]["sms"] == 8 and about["facts"]["cga_ctas_max"] >= 1024
        assert about["config"]["cga_ids"] == 256 and len(about["tree"]) == 2
        assert [tpc["sms"] for gpc in about["tree"] for cpc in gpc["cpcs"] for tpc in cpc["tpcs"]] == \
            [[sm] for sm in range(8)]
        assert "GPC 1  CPC 0  [4] [5]" in ganger("info") and "cgas_max" in ganger("info")
        tag = json.loads(ganger("submit", kernel_path("work"), "--kernel", "blank", "--grid", 8,
                                "--cluster", 4, "--json"))["tag"]
        assert json.loads(ganger("wait", tag, "--json"))["done"]["ctas"] == 8
        stat = json.loads(ganger("stat", "--json"))
        assert stat["cgas"] == 2 and stat["cga_queries"] > 0
        assert {"cga_failures", "cga_stalls", "cga_barriers", "cga_reservations", "not_issued_cluster"} <= set(stat)
    finally:
        ganger("down")
