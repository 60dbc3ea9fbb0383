# SPDX-License-Identifier: Apache-2.0
"""Handles: released ones, ones of another kind or device, calls at the same time, children of fork()."""
import ctypes
import functools
import os
import re
import signal
import struct
import threading

import pytest

import ganger
from conftest import ROOT
from ganger import clib, structs
from support import LONG, Held, error_of, expect, free_bytes, until, words
from test_boot import is_alive

KINDS = ("device", "context", "module", "task", "task_graph")
# What has no handle among its parameters, and so can be called at any time.
WITHOUT = {"gg_error_last", "gg_status_name", "gg_status_text", "gg_field_name", "gg_device_boot", "gg_device_attach",
           "gg_device_observe", "gg_device_connect", "gg_device_up", "gg_device_up_shared", "gg_device_down", "gg_hosts",
           "gg_host_quota", "gg_elf_info", "gg_elf_kernel",
           "gg_elf_parameter", "gg_group_run", "gg_graph_check", "gg_range_items", "gg_range_index", "gg_range_position", "gg_range_recompose"}
# NULL is nothing for them, as for free().
NULL_IS_NOTHING = {"gg_device_close", "gg_task_release", "gg_graph_destroy"}
ROUNDS = 100  # of calls that come at the same time


def prototypes():
    """Parameters of each function of the headers, as text."""
    found = {}
    for header in sorted((ROOT / "host" / "include").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)
        for name, parameters in re.findall(r"^GG_(?:API|CHECKED)[^;(]*?\b(gg_\w+)\(([^;]*?)\);", text, re.M | re.S):
            found[name] = [" ".join(one.split()) for one in parameters.split(",")]
    return found


def kind_of(parameter):
    """Kind of a parameter that is a handle, or a list of them; "work"; or None."""
    found = re.match(r"struct gg_(\w+) \*(const \*)?\w+$", parameter)
    if found and found[1] in KINDS:
        return found[1]
    return "work" if parameter.startswith("const struct gg_work *") else None


class Member(ctypes.Structure):
    """The handles of struct gg_group_member."""
    _fields_ = [("device", ctypes.c_void_p), ("module", ctypes.c_void_p), ("lost", ctypes.c_uint64)]


def call(name, arguments):
    """A call of the library with any arguments; its status."""
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *(type(one) for one in arguments))((name, clib.library()))
    return function(*arguments)


def scratch():
    """Room for what a call may write, or reads as zeros."""
    return ctypes.c_void_p(ctypes.addressof(scratch.room))


scratch.room = ctypes.create_string_buffer(1 << 16)


def arguments_of(parameters, bad, work):
    """Zeros, memory of zeros, and bad handles."""
    made = []
    for parameter in parameters:
        kind = kind_of(parameter)
        if kind == "work":
            made.append(ctypes.cast(ctypes.pointer(work), ctypes.c_void_p))
        elif kind and "*const *" in parameter:
            made.append(ctypes.cast((ctypes.c_void_p * 1)(bad), ctypes.c_void_p))
        elif kind:
            made.append(ctypes.c_void_p(bad))
        elif "*" in parameter or "[" in parameter:
            made.append(scratch())
        elif "uint64_t" in parameter or "size_t" in parameter:
            made.append(ctypes.c_uint64(0))
        else:
            made.append(ctypes.c_uint32(1 if parameter.endswith(" count") else 0))
    return made


def graph_of(context):
    """Handle of an empty graph of C."""
    graph = ctypes.c_void_p()
    place = ctypes.cast(ctypes.byref(graph), ctypes.c_void_p)
    assert call("gg_graph_create", [ctypes.c_void_p(context.pointer), place]) == clib.OK
    return graph.value


@pytest.fixture
def given(fresh, kernel_path):
    """A good handle of each kind, and those that were released, of a device of this test's own."""
    dev = fresh(1)
    context = dev.context(1 << 20)
    module = context.load(kernel_path("work"))
    task = context.submit(module["blank"])
    task.wait(LONG)
    kept = dev.load(kernel_path("work"))
    dev.kept = [kept, dev.submit(kept["blank"])]  # Not to be collected.
    good = {"device": dev.handle.pointer, "context": dev.default_context.pointer, "module": kept.pointer,
            "task": dev.kept[1].pointer, "task_graph": graph_of(dev.default_context)}
    stale = {"context": context.pointer, "module": module.pointer, "task": task.pointer}
    task.release()
    module.unload()
    stale["task_graph"] = graph_of(context)
    context.close()
    other = fresh(1)
    stale["device"] = other.handle.pointer
    other.close()
    return good, stale


def bad_works(good, bad):
    """Works with one handle that is bad, by the kind that it should be."""
    graph = ctypes.pointer(structs.GraphRun())
    yield "module", structs.Work(module=bad, graph=graph)
    yield "context", structs.Work(context=bad, graph=graph)
    yield "task", structs.Work(module=good["module"], graph=graph, after_count=1, after=(ctypes.c_void_p * 1)(bad))
    yield "task", structs.Work(module=good["module"], graph=graph, dependent_count=1,
                               dependents=(structs.Dependence * 1)(structs.Dependence(task=bad)))


def test_every_function_refuses_bad_handles(given):
    """Each function of the library, with NULL, with a released handle, with one of each other kind, and with
    numbers that are no handles: always ERR_HANDLE, and no crash."""
    good, stale = given
    found = prototypes()
    assert len(found) > 80
    assert {name for name, parameters in found.items() if not any(map(kind_of, parameters))} == WITHOUT
    calls = 0
    for name, parameters in sorted(found.items()):
        kinds = {kind_of(one) for one in parameters} - {None}
        if not kinds:
            continue
        values = [0, 1, 0xdeadbeef, (1 << 64) - 8, ctypes.addressof(scratch.room), *stale.values(),
                  *(one for kind, one in good.items() if kind not in kinds)]
        for bad in values:
            works = [work for kind, work in bad_works(good, bad) if bad and bad != good.get(kind)] \
                if "work" in kinds else [structs.Work()]
            for work in works:
                status = call(name, arguments_of(parameters, bad, work))
                expected = clib.OK if not bad and name in NULL_IS_NOTHING else clib.HANDLE
                assert status == expected, (name, hex(bad), status)
                calls += 1
    print(f"{calls} calls of {len(found) - len(WITHOUT)} functions")


# Pointers that may be NULL, as the headers say.
MAY_BE_NULL = {("gg_device_boot", "boot"), ("gg_device_up", "boot"), ("gg_device_up_shared", "boot"), ("gg_task_wait", "done"),
               ("gg_queue_push", "data"), ("gg_error_last", "failure")}


def test_every_function_refuses_null(given):
    """Each function of the library, with good handles, and NULL for each pointer that it needs: ERR_ARGUMENT, which names the pointer,
    before anything else is looked at, and no crash."""
    good, _ = given
    calls = 0
    for name, parameters in sorted(prototypes().items()):
        work = structs.Work(module=good["module"])
        for place, parameter in enumerate(parameters):
            word = re.findall(r"\w+", parameter.split("[")[0])[-1]
            is_handle = kind_of(parameter) in KINDS and "*const *" not in parameter
            if not ("*" in parameter or "[" in parameter) or is_handle or (name, word) in MAY_BE_NULL:
                continue
            arguments = [ctypes.c_void_p(good[kind_of(one)]) if kind_of(one) in KINDS else
                         type(made)(made.value or 1) for one, made in zip(parameters, arguments_of(parameters, 0, work))]
            arguments[place] = ctypes.c_void_p(None)
            status, failure = call(name, arguments), clib.last_failure()
            assert (status, failure.name.decode(), failure.value) == (-1, word, 0), (name, parameter, failure.message)
            calls += 1
    assert calls > 90


def test_lists_that_are_null(given):
    """A list of a work that has entries, and is NULL."""
    good, _ = given
    for word, count in (("arguments", "argument_count"), ("affinity", "affinity_count"), ("memory", "memory_count"),
                        ("after", "after_count"), ("dependents", "dependent_count")):
        work = structs.Work(module=good["module"], grid=(1, 1, 1), block=(1, 1, 1), **{count: 3})
        for name in ("gg_submit", "gg_template_create", "gg_clusters", "gg_tmd_create", "gg_graph_state"):
            status, failure = call(name, arguments_of(prototypes()[name], 0, work)), clib.last_failure()
            assert (status, failure.name.decode(), failure.value) == (-1, word, 3), (name, failure.message)


def test_group_refuses_bad_handles(given):
    """The handles of a group's members. A member that is lost is not looked at."""
    good, stale = given
    empty, done = (ctypes.c_uint64 * 256)(), (ctypes.c_uint64 * 128)()

    def run(*members):
        return call("gg_group_run", [ctypes.cast((Member * len(members))(*members), ctypes.c_void_p),
                                     ctypes.c_uint32(len(members)), ctypes.cast(empty, ctypes.c_void_p), ctypes.c_uint32(0),
                                     ctypes.cast(done, ctypes.c_void_p)])

    member = (good["device"], good["module"], 0)
    accepted = run(member)
    assert accepted not in (clib.OK, clib.HANDLE)  # Its work is all zeros.
    for bad in (0, 1, 0xdeadbeef, *stale.values(), good["task"], good["context"]):
        assert run((bad, good["module"], 0)) == clib.HANDLE, hex(bad)
        assert run(member, (good["device"], bad, 0)) == clib.HANDLE, hex(bad)
        assert run(member, (bad, bad, 1)) == accepted, hex(bad)


def test_released_task(device, load):
    """All that a released task is asked for is ERR_HANDLE, with its kind and number, and another task in its
    place is not meant. Its completion can still be had."""
    dev = device(1)
    kernel = load(dev, "work")["blank"]
    task = dev.submit(kernel)
    done = task.wait(LONG)
    assert task.release() and task.release()
    later = dev.submit(kernel)
    for one in (task.cancel, task.suspend, task.resume, lambda: task.address, lambda: task.generation,
                lambda: task.output, lambda: ganger.wait_any([task]), lambda: ganger.wait_any([later, task]),
                lambda: dev.submit(kernel, after=[task]), lambda: dev.submit(kernel, dependents=[task]),
                lambda: dev.template(kernel, after=[task])):
        error = expect("ERR_HANDLE", one)
        assert (error.field, error.value) == ("task", task.pointer)
    assert task.poll() == done == task.wait()
    assert later.wait(LONG).status == "OK"
    assert expect("ERR_ARGUMENT", ganger.wait_any, []).field == "tasks"


def test_released_queue(device, load):
    """A released queue takes nothing."""
    dev = device(1)
    queue = dev.queue(load(dev, "queue")["tally"], capacity=4, item_bytes=8, items=1, args=[dev.buffer(bytes(64))])
    queue.close()
    queue.wait(LONG)
    assert queue.release()
    for one in (lambda: queue.push(bytes(8)), queue.close):
        assert expect("ERR_HANDLE", one).field == "task"


def test_closed_context(device, kernel_path):
    """S3-R22, S3-R24: kernels, buffers and templates of a closed context are refused everywhere."""
    dev = device(1)
    context = dev.context(1 << 20)
    kernel = context.load(kernel_path("work"))["blank"]
    buffer, template = context.buffer(bytes(64)), context.template(kernel)
    context.close()
    context.close()
    for one in (lambda: dev.submit(kernel), lambda: context.submit(kernel), lambda: dev.template(kernel),
                lambda: dev.max_active_clusters(kernel), lambda: context.info, lambda: context.buffer(bytes(4)),
                lambda: context.signal(), lambda: context.load(kernel_path("work")), buffer.read,
                lambda: buffer.write(b"1234"), template.read, lambda: buffer.address):
        expect("ERR_HANDLE", one)
    buffer.free()
    template.free()
    kernel.module.unload()


def test_freed_buffer_is_no_argument(device, load):
    """S3-R24: a freed buffer is neither argument, window nor place of a semaphore."""
    dev = device(1)
    kernel, buffer = load(dev, "work")["count"], dev.buffer(bytes(64))
    buffer.free()
    for keywords in ({"args": [buffer]}, {"args": [None], "windows": [buffer]},
                     {"args": [None], "semaphores": [(buffer, 1)]}):
        assert expect("ERR_HANDLE", dev.submit, kernel, **keywords).field == "buffer"


def test_two_devices(device, load):
    """Kernels, tasks and memory of one device are not taken by another."""
    one, other = device(1), device(2)
    kernel, local = load(one, "work")["blank"], load(other, "work")["blank"]
    task = one.submit(kernel)
    expect("ERR_HANDLE", other.submit, kernel)
    expect("ERR_HANDLE", other.submit_many, [other.work(local), one.work(kernel)])
    expect("ERR_HANDLE", other.template, kernel)
    assert expect("ERR_HANDLE", other.submit, local, after=[task]).field == "after"
    assert expect("ERR_HANDLE", other.submit, local, dependents=[task]).field == "dependents"
    with one.buffer(bytes(64)) as buffer, one.template(kernel) as template:
        for place, keywords in (("argument 1", {"args": [0, buffer]}), ("window 0", {"windows": [buffer]}),
                                ("semaphore 0", {"semaphores": [(buffer, 1)]}),
                                ("dependent 0", {"dependents": [template]})):
            error = expect("ERR_HANDLE", other.submit, local, **keywords)
            assert error.field == place and error.value in (buffer.address, template.address)
    assert task.wait(LONG).status == "OK"


def test_graph_and_two_devices(device):
    """S3-R24: no graph runs with memory of another device, or with memory that was freed: neither its own buffers nor arguments."""
    one, other = device(1), device(2)
    graph, given = ganger.Graph(), ganger.graph_of("graph g(x: buffer(64))\nwrite x\nfill(x, 1, 64)")
    with one.buffer(bytes(64)) as buffer, other.buffer(bytes(64)) as own, given.keep(other, x=own) as kept:
        graph.fill(buffer, 7)
        before = other.read(buffer.address, 64)
        for call, keywords, field in ((graph.launch, {}, "buffer0"), (graph.keep, {}, "buffer0"),
                                      (given.launch, {"x": buffer}, "x"), (given.keep, {"x": buffer}, "x")):
            error = expect("ERR_HANDLE", call, other, **keywords)
            assert (error.field, error.value) == (field, buffer.address)
        assert expect("ERR_HANDLE", kept.launch, x=buffer).field == "x"
        assert other.read(buffer.address, 64) == before and own.read() == bytes(64)
        assert graph.run(one).status == "OK" and words(buffer.read()) == [7] * 16
        assert kept.launch(x=own).wait(LONG).status == "OK" and words(own.read()) == [1] * 16
    assert expect("ERR_HANDLE", graph.launch, one).field == "buffer"


def at_once(*calls):
    """Does calls at the same time, each in a thread; their errors' statuses, None for those without."""
    gate, found = threading.Barrier(len(calls)), [None] * len(calls)

    def run(place):
        gate.wait(LONG)
        try:
            calls[place]()
        except ganger.Error as error:
            found[place] = error.status

    threads = [threading.Thread(target=run, args=(place,), daemon=True) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
        assert not thread.is_alive(), "a call does not come back"
    return found


def forget(task):
    """Releases a task that may still be on its way, as a program in C may."""
    task._handle.call("gg_task_release", task._pointer)


@pytest.mark.parametrize("other", ["release", "wait", "poll", "cancel", "output", "after", "wait_any", "address"])
def test_release_beside_another_call(device, load, other):
    """Whatever a thread does with a task while another one releases it ends well or with ERR_HANDLE."""
    dev = device(1)
    kernel = load(dev, "work")["blank"]
    calls = {"release": forget, "wait": lambda task: task.wait(LONG), "poll": lambda task: task.poll(),
             "cancel": lambda task: task.cancel(LONG), "output": lambda task: task.output,
             "after": lambda task: dev.submit(kernel, after=[task]).wait(LONG),
             "wait_any": lambda task: ganger.wait_any([task], LONG), "address": lambda task: task.address}
    for _round in range(ROUNDS):
        task = dev.submit(kernel)
        found = at_once(lambda: forget(task), lambda: calls[other](task))
        # A blank task may well be complete before it can be cancelled.
        assert set(found) <= {None, "ERR_HANDLE", "ERR_TASK", "ERR_CANCELLED"} and found.count("ERR_HANDLE") <= 1
        expect("ERR_HANDLE", lambda: task.address)


def is_closed(context):
    """Closes a context, once no task runs in it any more; whether that is so."""
    try:
        context.close()
    except ganger.Error as error:
        assert error.status in ("ERR_BUSY", "ERR_HANDLE")
        return error.status == "ERR_HANDLE"
    return True


def test_unload_and_close_beside_other_calls(device, kernel_path):
    """S3-R22: modules are unloaded, and contexts closed, by one of two threads; a submission that comes at the
    same time is done before, or refused."""
    dev = device(1)
    free = free_bytes(dev)
    for _round in range(ROUNDS // 5):
        with dev.context(1 << 20) as context:
            module = context.load(kernel_path("work"))
            found = at_once(module.unload, module.unload, lambda: dev.submit(module["blank"]).wait(LONG))
            assert set(found) <= {None, "ERR_HANDLE", "ERR_BUSY"}
            module = context.load(kernel_path("work"))
            closes = at_once(context.close, context.close, lambda: dev.submit(module["blank"]).wait(LONG),
                             lambda: clib.call("gg_context_destroy", context._pointer))
            assert set(closes) <= {None, "ERR_HANDLE", "ERR_BUSY"}
            until(lambda: is_closed(context), "the context is closed")
    assert free_bytes(dev) == free


def test_close_of_a_device_ends_its_waits(fresh, load):
    """S3-R6: a device that is closed, twice at once, while other threads wait for it, is gone at once; the
    waits end with ERR_DEVICE_LOST."""
    dev = fresh(1)
    held = Held(dev, load(dev, "work"), 1)
    held.await_started()
    pid, pointer = dev.qemu_pid, dev.handle.pointer
    waits = [threading.Event() for _wait in range(3)]

    def wait(event):
        event.set()
        # One long wait of the library, where Python would come back now and then.
        dev.handle.call("gg_task_wait", held.task.pointer, int(1000 * LONG), ctypes.byref(structs.Done()))

    def close():
        assert all(event.wait(LONG) for event in waits)
        dev.close()

    found = at_once(*(functools.partial(wait, event) for event in waits), close, close)
    assert found == ["ERR_DEVICE_LOST"] * 3 + [None, None]
    assert not is_alive(pid)
    assert clib.library().gg_device_close(pointer) == clib.HANDLE


def in_child(work):
    """What a forked child's function returns, as text; its process has ended then. None: a signal ended it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(int(LONG))
            os.write(writer, str(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read().decode()
    return text if os.waitpid(child, 0)[1] == 0 else None


def test_forked_child(device, load):
    """A child of fork() is refused by each object of its parent, and harms nobody; a device of its own it may
    have."""
    dev = device(1)
    kernel, buffer, context = load(dev, "work")["blank"], dev.buffer(bytes(64)), dev.context(1 << 20)
    task, work = dev.submit(kernel), dev.work(kernel)
    calls = (lambda: dev.submit(kernel), lambda: dev.submit_many([work] * 20), dev.nop, dev.fence, task.poll,
             lambda: task.wait(LONG), task.cancel, task.release, lambda: dev.buffer(bytes(4)), buffer.read, buffer.free,
             dev.context, context.close, dev.doorbell, dev.stat, lambda: dev.channel_reset(0), kernel.module.unload, dev.restart,
             lambda: ganger.wait_any([task]), lambda: dev.raw_put(0, 77))
    for _round in range(3):
        assert in_child(lambda: {error_of(one).status for one in calls}) == "{'ERR_FORKED'}"
    assert in_child(dev.close) == "None"

    def own():
        with ganger.Device.boot(dev.info.board, sms=1) as mine:
            return mine.nop().status

    assert in_child(own) == "OK"
    context.close()
    assert task.wait(LONG).status == "OK"
    for _more in range(2 * dev.info.channel_entries):
        dev.nop()


def test_child_does_not_keep_the_device(fresh):
    """S3-R6: a device ends with its process, also while a forked child lives on."""
    dev = fresh(1)
    pid = dev.qemu_pid
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(4 * int(LONG))
        os.read(reader, 1)
        os._exit(0)
    try:
        dev.close()
        assert not is_alive(pid)
    finally:
        os.write(writer, b"x")
        os.waitpid(child, 0)
        os.close(reader)
        os.close(writer)


def test_new_context_reads_zeros(device, load, kernel_path):
    """S3-R22, S3-R24: what a context wrote, its kernels, arguments, items and templates included, is gone when it is
    closed: the next one in its place reads zeros."""
    dev = device(1)
    with dev.context(1 << 20) as context:
        heap = context.info.heap
        kept = [context.buffer(b"secret, " * 2048) for _buffer in range(8)]
        kept[3].free()
        kept[7].free()
        module = context.load(kernel_path("queue"))
        queue = context.queue(module["tally"], capacity=64, item_bytes=8, items=1, initial=struct.pack("4I", 1, 2, 3, 4),
                              args=[context.buffer(bytes(64))])
        queue.close()
        assert queue.wait(LONG).ctas == 2
        kept.append(context.template(module["tally"], args=[kept[0]]))
        assert any(dev.read(heap, 1 << 20))
    # A large job is not in a context, but its memory may become that of one.
    task = dev.submit(load(dev, "work")["blank"], prints=1 << 17)
    place = task.address
    assert any(dev.read(place, 256)) and task.wait(LONG).status == "OK"
    assert not any(dev.read(place, 1 << 17))
    with dev.context(1 << 20) as context:
        assert context.info.heap == heap
        whole = context.buffer(nbytes=context.info.free_bytes)
        assert not any(whole.read())
