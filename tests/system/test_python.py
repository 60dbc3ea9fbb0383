# SPDX-License-Identifier: Apache-2.0
"""The Python package as a Python programmer meets it: await, `with`, loops, progress."""
import asyncio
import threading

import pytest

import ganger
from ganger.cli.run import how_far
from queue_support import ITEM_BYTES, items_of
from support import LONG, Held, expect, until, words, zeros


def awaited(coroutine):
    """Runs a coroutine with a deadline."""
    return asyncio.run(asyncio.wait_for(coroutine, LONG))


def test_await_gives_what_wait_gives(device, load):
    """Completions, in the order of the tasks, and the task's own error."""
    dev = device(8)
    module = load(dev, "work")
    counts = zeros(dev, 50)

    async def several():
        tasks = [dev.submit(module["count"], grid=50, args=[counts]) for _ in range(40)]
        return tasks, await asyncio.gather(*tasks)

    tasks, done = awaited(several())
    assert [one.tag for one in done] == [task.tag for task in tasks]
    assert all((one.status, one.ctas) == ("OK", 50) for one in done) and words(counts.read()) == [40] * 50
    assert done == [task.wait(0) for task in tasks]

    async def wrong():
        return await dev.submit(module["blank"], block=4096)

    error = error_of(wrong())
    assert error.status.startswith("ERR_") and error.field and error.done.status == error.status


def error_of(coroutine):
    """The error of a coroutine that must fail."""
    with pytest.raises(ganger.Error) as caught:
        awaited(coroutine)
    return caught.value


def test_other_coroutines_run_during_an_await(device, load):
    """An await does not hold the loop: the coroutine that lets the task end is one of it."""
    dev = device(8)
    held = Held(dev, load(dev, "work"), 3)

    async def let_go():
        while held.started() < 3:
            await asyncio.sleep(0.001)
        held.release()

    async def both():
        return await asyncio.gather(held.task, let_go())

    assert awaited(both())[0].ctas == 3


def test_the_end_of_an_await_is_not_the_tasks(device, load):
    """A cancelled await leaves the task as it was; it can be awaited again, also by several."""
    dev = device(8)
    with Held(dev, load(dev, "work"), 2) as held:

        async def cancelled():
            problems = []
            asyncio.get_running_loop().set_exception_handler(lambda _loop, told: problems.append(told))
            waits = [asyncio.ensure_future(one) for one in (held.task, held.task)]
            await asyncio.sleep(0)
            waits[0].cancel()
            with pytest.raises(asyncio.CancelledError):
                await waits[0]
            held.await_started()
            assert not waits[1].done() and held.task.poll() is None
            held.release()
            held.task.wait(LONG)  # The loop stands still, so the await is under way.
            assert held.task.awaited and held.task.release() is False
            results = await waits[1], await held.task
            while held.task.awaited:
                await asyncio.sleep(0.001)
            assert not problems
            return results

        first, second = awaited(cancelled())
        assert first == second == held.task.wait(0) and first.status == "OK"


def threads():
    """Threads that wait for event loops."""
    return [one for one in threading.enumerate() if one.name == "ganger-await"]


def test_few_threads_wait_for_many_tasks(device, load):
    """Tasks that are awaited one after the other share a thread in the end, and none is left after them."""
    dev = device(8)
    with Held(dev, load(dev, "work"), 2) as held:

        async def many():
            waits = []
            for _ in range(30):
                waits.append(asyncio.ensure_future(dev.submit(load(dev, "work")["blank"], after=[held.task])))
                await asyncio.sleep(0.001)
            while len(threads()) > 1:
                await asyncio.sleep(0.01)
            held.release()
            return await asyncio.gather(*waits)

        assert len(awaited(many())) == 30
    until(lambda: not threads(), "the last thread ends")


def test_an_await_ends_with_the_device(fresh, kernel_path):
    """close() of the device ends awaits with an error, and the loop's process can end."""
    dev = fresh(1)
    task = dev.submit(dev.load(kernel_path("work"))["forever"], grid=1, args=[zeros(dev, 1), 0])

    async def closed():
        wait = asyncio.ensure_future(task)
        await asyncio.sleep(0)
        await asyncio.get_running_loop().run_in_executor(None, dev.close)
        return await wait

    assert error_of(closed()).status == "ERR_DEVICE_LOST"


@pytest.mark.parametrize("how", [{"quota": 7}, {}], ids=str)
def test_progress_counts_ctas_that_have_ended(device, load, how):
    """All but one CTA of a grid, launched or pulled, have ended, then all; what was never started counts nothing."""
    dev = device(2)
    module, counts = load(dev, "work"), zeros(dev, 300)
    task = dev.submit(module["forever"], grid=(20, 15), args=[counts, 299], **how)
    seen = [task.progress()]

    def all_but_one():
        seen.append(task.progress())
        return seen[-1].ctas == 299

    until(all_but_one, "299 CTAs of 300 are told")
    assert [one.ctas for one in seen] == sorted(one.ctas for one in seen)
    assert seen[-1].fraction == 299 / 300
    assert how_far(task, 2.4) == f"forever: 2 s [{'#' * 29}.] 299 of 300 CTAs"
    waiting = dev.submit(module["blank"], grid=8, after=[task])
    assert waiting.progress() == (0, 8) and "] 0 of 8 CTAs" in how_far(waiting, 0)
    task.cancel()
    done = expect("ERR_CANCELLED", task.wait, LONG).done
    assert done.ctas == task.progress().ctas == 299 and done.mode == ("device" if how else "pull")
    expect("ERR_DEPENDENCY", waiting.wait, LONG)
    assert waiting.progress() == (0, 8)
    with dev.submit(module["blank"], grid=(4, 4), cluster=(2, 2)) as clusters:
        clusters.wait(LONG)
        assert clusters.progress() == (16, 16) and clusters.progress().fraction == 1
    assert dev.signal().progress().total == 0
    pulled = dev.submit(module["blank"], grid=100, mode="pull")
    expect("ERR_UNSUPPORTED", pulled.progress)
    assert how_far(pulled, 1) == "blank: 1 s"
    assert pulled.wait(LONG).ctas == 100


def test_with_ends_what_it_begins(device, load, kernel_path):
    """Modules are unloaded, tasks released, queues closed, TMDs freed at the end of a `with` block."""
    dev = device(2)
    with dev.load(kernel_path("work")) as module:
        assert list(module) == module.kernels and len(module) > 3
        assert all(module[name].name == name for name in module)
        with dev.submit(module["blank"]) as task:
            task.wait(LONG)
        expect("ERR_HANDLE", task.cancel)
        assert task.wait().status == "OK"
        with dev.submit(module["blank"]) as running:
            pass  # Whether it has ended or not: it can still be waited for, or is forgotten.
        assert running.wait(LONG).status == "OK"
        with dev.tmd(module["blank"], grid=3) as tmd:
            assert tmd.grid_x == 3
        assert tmd.address == 0
    expect("ERR_HANDLE", dev.submit, module["blank"])
    counts = zeros(dev, 4)
    with dev.queue(load(dev, "queue")["tally"], args=[counts], capacity=16, items=2,
                   item_bytes=ITEM_BYTES) as queue:
        assert queue.push(items_of([1, 3, 3])) == 3
    assert queue.wait(LONG).status == "OK" and words(counts.read()) == [0, 1, 0, 2]
    with dev.queue(load(dev, "queue")["tally"], args=[counts], capacity=16, items=2,
                   item_bytes=ITEM_BYTES) as queue:
        queue.close()
        queue.wait(LONG)


def test_graphs_take_kernels_in_one_way(device, load, sample_path):
    """Graph, text, assembler and program: `modules` has paths, modules, kernels, or facts of an ELF."""
    dev, data = device(2), bytes(range(64)) * 64
    vecadd = dev.load(sample_path("vecadd"))
    expected = [2 * one & 0xffffffff for one in words(data)]

    def works(graph, **keywords):
        x, y = dev.buffer(data), zeros(dev, 1024)
        graph.launch(dev, x=x, y=y, **keywords).wait(LONG)
        assert words(y.read()) == expected

    text = """graph twice(x: buffer(4K), y: buffer(4K))
        state vecadd block 128 read x write y dispatch grid 8 args (x, x, y, 1024)"""
    unlinked = ganger.elf_info(sample_path("vecadd"))
    for source in (sample_path("vecadd"), vecadd, vecadd["vecadd"]):
        works(ganger.graph_of(text), modules=[source])
        works(ganger.graph_of(text, modules=[source]))
        program = ganger.graph_of(text, modules=[source]).program
        works(program, modules=[source])
        works(ganger.graph_of(program.save(), modules=[source]))
        works(ganger.graph_of(ganger.disassemble(program), modules=[source]))
    for kernel, keywords in ((vecadd["vecadd"], {}), (unlinked.kernels["vecadd"], {"modules": [vecadd]})):
        with ganger.Graph() as graph:
            x, y = graph.argument("x", 4096), graph.argument("y", 4096)
            graph.pass_(kernel, 8, 128, [x, x, graph.write(y), 1024])
        works(graph, **keywords)
    assert ganger.graph_of(text, modules=[unlinked]).program.states[0].found is not None
    expect("ERR_KERNEL_NAME", ganger.graph_of(text).launch, dev, x=dev.buffer(data), y=zeros(dev, 1024))


def test_samples_are_found_by_name(xlen, sample_path):
    """sample() is where the build puts the kernels; an unknown name is refused with those that there are."""
    assert ganger.sample("vecadd", xlen) == sample_path("vecadd")
    assert "vecadd" in expect("ERR_IMAGE_MISSING", ganger.sample, "nothing", xlen).message
