# SPDX-License-Identifier: Apache-2.0
"""Priorities, insertion, eviction, both ways of choosing an SM, failure."""
from workloads import workloads
from world import World


@workloads(600)
def test_grids(steps):
    """S0-R10, S0-R12, S0-R13, S0-R26, S0-C1, S0-C6, S0-C7, S0-C8: tasks of many priorities, more
    than the table has slots; those evicted go on where they stopped."""
    steps("resume")


@workloads(600)
def test_failures(steps):
    """S0-R20, S0-R15: the first error of a CTA ends its task, and nothing else."""
    steps("failure")


@workloads(600)
def test_configured(steps):
    """S0-R31, S0-R32, S0-R33, S0-R14: modes, SM priority lists and SMs are switched while tasks
    of many channels run."""
    steps("config", "failure", "channels")


def done(world, *tmds):
    """All CTAs of these tasks end."""
    for cta in [cta for cta in world.ctas if cta[2].task.tmd in tmds]:
        world.end([cta])
    world.turn()


def launch(world, *tmds):
    """A batch of SUBMITs."""
    for tmd in tmds:
        world.submit(tmd)
    world.turn()


def test_an_sm_with_as_much_room():
    """S0-R31: an SM that holds something and has as many free slots comes first if its number is lower."""
    world = World(sms=2)
    small, large = {"shared": 2048}, {"shared": 5 * 2048}
    for _ in range(3):  # so that its next launch takes the short way
        tmd = world.tmd(**large)
        launch(world, tmd)
        done(world, tmd)
    held = world.tmd(**small)
    launch(world, held)
    for _ in range(3):
        tmd = world.tmd(**large)
        launch(world, tmd)
        done(world, tmd)
    world.finish()


def test_a_batch_of_several_priorities():
    """S0-R10: of two tasks that come together the more urgent one is issued first."""
    world = World(sms=2)
    for _ in range(3):
        tmd = world.tmd(priority=5)
        launch(world, tmd)
        done(world, tmd)
    later, urgent = world.tmd(priority=5), world.tmd(priority=3)
    launch(world, later, urgent)
    assert [sm for sm, _, cta in world.ctas if cta.task.tmd is urgent] == [0]
    done(world, later, urgent)
    world.finish()
