# SPDX-License-Identifier: Apache-2.0
"""Queries of the CP: how many CGAs of a TMD can run."""
import pytest

from ganger import abi

from support import LONG, Held, expect, run_good_task, zeros

WHAT = abi.ENUMS["query_what"]


def tmd_of(dev, load, **fields):
    """The TMD of a grid of 60 CTAs in CGAs of 5, each in a GPC; other fields if so asked."""
    tmd = dev.tmd(load(dev, "work")["count"], grid=(60,), block=(4,), args=[zeros(dev, 60)])
    for name, value in {"type": 3, "cluster_x": 5, "cluster_y": 1, "cluster_z": 1, **fields}.items():
        setattr(tmd, name, value)
    tmd.store()
    return tmd


def post(dev, what, tmd):
    """A query of the TMD."""
    return dev.command("QUERY", address=tmd.address, args=(WHAT[what], tmd.generation))


def both(dev, tmd):
    """The answers for now, and for an idle device."""
    return tuple(post(dev, what, tmd).wait(LONG).value for what in ("CLUSTERS_NOW", "CLUSTERS_MOST"))


def test_now_and_most(device, load):
    """S1-R44: on two GPCs of four SMs of eight slots: as many as fit; fewer while something runs."""
    dev = device(8)
    tmd = tmd_of(dev, load)
    accepted = dev.stat()["tasks_accepted"]
    assert both(dev, tmd) == (12, 12)
    with Held(dev, load(dev, "work"), 8) as held:
        held.await_started()
        assert both(dev, tmd) == (10, 12)
    assert both(dev, tmd_of(dev, load, type=4)) == (12, 12)
    assert both(dev, tmd_of(dev, load, gpc_mask=2)) == (6, 6)
    assert both(dev, tmd_of(dev, load, mode=2, cluster_x=4)) == (16, 16)
    nested = tmd_of(dev, load, type=5, outer_x=4, outer_y=1, outer_z=1)
    assert both(dev, nested) == (3, 3)
    assert dev.stat()["tasks_accepted"] == accepted + 1  # That of Held.


@pytest.mark.parametrize("fields, field, value", [
    ({"grid_x": 66, "cluster_x": 33}, "cluster_x", 32), ({"cluster_x": 7}, "grid_x", 60),
    ({"mode": 2}, "mode", 4), ({"type": 5}, "outer_x", 0)], ids=str)
def test_refused(device, load, fields, field, value):
    """S1-Q10: a query refuses what a submission refuses, with the same field and value."""
    dev = device(8)
    tmd = tmd_of(dev, load, **fields)
    for task in (post(dev, "CLUSTERS_NOW", tmd), post(dev, "CLUSTERS_MOST", tmd), dev.submit_tmd(tmd)):
        error = expect("ERR_CLUSTER", task.wait, LONG)
        assert (error.field, error.value) == (f"tmd.{field}", value)
    run_good_task(dev, load(dev, "work"))


def test_words(device, load):
    """S1-R44: a query of a TMD names it; the others name none."""
    dev = device(8)
    tmd = tmd_of(dev, load)
    error = expect("ERR_GENERATION", dev.command(
        "QUERY", address=tmd.address, args=(WHAT["CLUSTERS_MOST"], tmd.generation + 1)).wait, LONG)
    assert (error.field, error.value) == ("tmd.generation", tmd.generation)
    error = expect("ERR_TMD_RANGE", dev.command("QUERY", args=(WHAT["CLUSTERS_NOW"],)).wait, LONG)
    assert (error.field, error.value) == ("command.address", 0)
    for what in ("DEVICE", "TASKS"):
        error = expect("ERR_FLAGS", dev.command("QUERY", args=(WHAT[what], 1)).wait, LONG)
        assert (error.field, error.value) == ("command.argument1", 1)
    error = expect("ERR_ARGUMENT", dev.command("QUERY", args=(5,)).wait, LONG)
    assert (error.field, error.value) == ("command.argument0", 5)
