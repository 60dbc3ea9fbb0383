# SPDX-License-Identifier: Apache-2.0
"""How many CGAs could run: the device's answer against a computed number, and against what happens."""
import pytest

import ganger
from support import LONG, Held, configured, error_of, expect, free_bytes, until, zeros

# SMs of each domain on 8 SMs, as the device groups them at boot.
SIZES = {"gpu": [8], "gpc": [4, 4], "cpc": [2] * 4, "tpc": [1] * 8}


def slots_of(dev, threads):
    """CTAs of so many threads that an SM can hold."""
    return min(dev.info.sm_ctas, dev.info.sm_warps // -(-threads // dev.info.warp_threads))


@pytest.mark.parametrize("threads", [1, 512, 1024])
@pytest.mark.parametrize("cluster, domain, mode", [
    (1, "gpc", None), (3, "gpc", None), (8, "gpc", None), (5, "gpu", None), (16, "gpu", None),
    (2, "tpc", None), (3, "cpc", None), (4, "gpc", "multicast"), (3, "gpc", "multicast"),
    (8, "gpu", "multicast"), (5, "gpu", "multicast"), (2, "cpc", "multicast"), (1, "tpc", "multicast")])
def test_computed(device, load, threads, cluster, domain, mode):
    """S1-R44, S1-R79: on an idle device of 8 SMs, as many as whole CGAs fit into each domain's slots."""
    dev = device(8)
    slots = slots_of(dev, threads)
    want = sum(sms * slots // cluster for sms in SIZES[domain])
    ask = {"grid": cluster, "block": threads, "cluster": cluster, "cluster_in": domain, "mode": mode}
    kernel = load(dev, "work")["blank"]
    if want:
        assert dev.max_active_clusters(kernel, **ask) == (want, want)
    else:
        error = expect("ERR_CLUSTER", dev.max_active_clusters, kernel, **ask)
        assert error.value == max(SIZES[domain]) * slots


@pytest.mark.parametrize("threads", [1, 512])
def test_nested(device, load, threads):
    """S1-R36, S1-R44: larger CGAs are counted in whole smaller ones, domain by domain."""
    dev = device(8)
    kernel, slots = load(dev, "work")["blank"], slots_of(dev, threads)
    in_gpcs = sum(sms * slots // 3 for sms in SIZES["gpc"])
    assert dev.max_active_clusters(kernel, grid=12, block=threads, cluster=[(3,), (4,)]) == \
        (in_gpcs // 4, in_gpcs // 4)
    in_gpc = 2 * (2 * slots // 3) // 2
    assert dev.max_active_clusters(kernel, grid=18, block=threads, cluster=[(3,), (2,), (3,)]) == \
        (2 * in_gpc // 3, 2 * in_gpc // 3)


def test_as_many_start(device, load):
    """S1-R44, S1-R39: so many CGAs start, and no more; then none could; at the end all could again."""
    dev = device(8)
    module = load(dev, "work")
    for keywords in ({"cluster": 5}, {"cluster": 3, "cluster_in": "cpc"}, {"cluster": 4, "mode": "multicast"},
                     {"cluster": [(2,), (5,)]}):
        size = 10 if isinstance(keywords["cluster"], list) else keywords["cluster"]
        ask = {"grid": size, "args": [zeros(dev, 2), zeros(dev, 2)], **keywords}
        now, most = dev.max_active_clusters(module["where"], **ask)
        assert now == most > 0
        with Held(dev, module, size * (most + 3), **keywords) as held:
            held.await_started(size * most)
            for _look in range(20):
                dev.nop()
            assert held.started() == size * most == dev.query("DEVICE")
            assert dev.max_active_clusters(module["where"], **ask) == (0, most)
        until(lambda most=most, ask=ask: dev.max_active_clusters(module["where"], **ask) == (most, most),
              "all could run again")


def test_beside_others(device, load):
    """S1-R44: `now` counts what other tasks, whichever they are, leave; `most` does not see them."""
    dev = device(8)
    module = load(dev, "work")
    with Held(dev, module, 5, affinity=[0]) as held:
        held.await_started()
        assert dev.max_active_clusters(module["blank"], grid=8, cluster=8) == (3 + 4, 8)
        assert dev.max_active_clusters(module["blank"], grid=4, cluster=4, affinity=[0]) == (0, 2)
        assert dev.max_active_clusters(module["blank"], grid=4, cluster=4, gpcs=[1]) == (8, 8)


def test_enabled_sms(device, load):
    """S1-R44, S1-Q10: SMs that are switched off count for nothing."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    with configured(dev, enabled=[0, 1, 2, 5]):
        assert dev.max_active_clusters(kernel, grid=8, cluster=8) == (4, 4)
        error = expect("ERR_CLUSTER", dev.max_active_clusters, kernel, grid=25, cluster=25)
        assert (error.field, error.value) == ("tmd.cluster_x", 24)


@pytest.mark.parametrize("threads", [1, 512, 1024])
def test_plain_grid(device, load, threads):
    """S1-R44: of a plain grid, the CTAs that all SMs can hold."""
    dev = device(8)
    most = 8 * slots_of(dev, threads)
    assert dev.max_active_clusters(load(dev, "work")["blank"], grid=9, block=threads) == (most, most)


def test_ids_are_a_limit(device, load):
    """S1-R141, S1-R44: there are no more CGAs than ids: in each GPC's pool, or in the device's. One of more is refused."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    with configured(dev, cga_ids=3):
        assert dev.max_active_clusters(kernel, grid=2, cluster=2).most == 2 * 3
        assert dev.max_active_clusters(kernel, grid=2, cluster=2, cluster_in="gpu").most == 3
        assert dev.max_active_clusters(kernel, grid=6, cluster=[(2,), (3,)]).most == 2
        for call in (dev.max_active_clusters, lambda *args, **more: dev.submit(*args, **more).wait(LONG)):
            error = expect("ERR_CLUSTER", call, kernel, grid=8, cluster=[(2,), (4,)])
            assert (error.field, error.value) == ("config.cga_ids", 3)


def test_nothing_is_kept(device, load):
    """S1-R44: a question is no task: nothing runs, nothing stays, not even the memory that it was asked with."""
    dev = device(8)
    kernel, before = load(dev, "work")["blank"], dev.stat()
    free = free_bytes(dev)
    for _question in range(300):
        dev.max_active_clusters(kernel, grid=8, cluster=4, prints=4096)
    after = dev.stat()
    assert all(after[name] == before[name] for name in ("tasks_accepted", "ctas", "cgas"))
    assert dev.query("TASKS") == 0 and free_bytes(dev) == free


def test_questions_that_make_no_sense(device, load):
    """S1-R44: a query without a grid, of a kernel whose local memory is not given, or by a wrong name is refused."""
    dev = device(8)
    kernel = load(dev, "work")["blank"]
    error = expect("ERR_CLUSTER", dev.max_active_clusters, kernel, queue=ganger.Queue(4, 4, 1))
    assert (error.field, error.value) == ("tmd.type", ganger.abi.ENUMS["task_type"]["QUEUE"])
    with_local = next(one for one in map(load(dev, "shared").__getitem__, load(dev, "shared"))
                      if any(parameter.kind == "local" for parameter in one.parameters))
    error = expect("ERR_ARGUMENT", dev.max_active_clusters, with_local, grid=8, cluster=2)
    assert error.field == "args"
    tmd = dev.tmd(kernel, grid=8, cluster=4)
    number = ganger.abi.ENUMS["query_what"]["CLUSTERS_NOW"]
    tmd.store()
    for address, generation in ((tmd.address, tmd.generation + 1), (tmd.address + 4, tmd.generation), (0, 1)):
        ask = dev.command("QUERY", address=address, args=(number, generation))
        assert error_of(ask.wait, LONG).field, (address, generation)
