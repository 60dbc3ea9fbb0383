# SPDX-License-Identifier: Apache-2.0
"""OpenCL C 3.0: its atomics, in global and local memory, and the other built-ins that 1.2 does not have."""
import struct

import pytest

import ganger
from opencl_support import dev, get, put, run  # noqa: F401
from support import zeros

COMMON = "kernel void k(volatile global atomic_{T} *all, global {T} *old) {{ size_t i = get_global_id(0); {T} one = i + 1; {body} }}"
LOCAL = """kernel void k(volatile global atomic_{T} *all, global {T} *old) {{
    local atomic_{T} here;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) atomic_init(&here, atomic_load_explicit(&all[0], memory_order_relaxed, memory_scope_work_group));
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
    {T} one = i + 1;
    volatile local atomic_{T} *all_ = &here;
    {body}
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_store(&all[0], atomic_load(&here));
}}"""
# name: (call, first value, what 60 work-items leave)
OPERATIONS = {
    "add": ("old[i] = atomic_fetch_add_explicit({p}, one, memory_order_relaxed, memory_scope_work_group);", 5, 5 + 1830),
    "sub": ("old[i] = atomic_fetch_sub({p}, one);", 5000, 5000 - 1830),
    "or": ("old[i] = atomic_fetch_or_explicit({p}, ({T})1 << i % 31, memory_order_release);", 0, 2**31 - 1),
    "and": ("old[i] = atomic_fetch_and_explicit({p}, ~(({T})1 << i % 16), memory_order_acq_rel, memory_scope_device);", 0xfffff, 0xf0000),
    "xor": ("old[i] = atomic_fetch_xor({p}, one);", 9, 9 ^ 60),
    "min": ("old[i] = atomic_fetch_min_explicit({p}, one + 3, memory_order_seq_cst, memory_scope_work_group);", 77, 4),
    "max": ("old[i] = atomic_fetch_max({p}, one);", 0, 60),
    "compare": ("{T} was = atomic_load({p}); while (!atomic_compare_exchange_weak({p}, &was, was + one)) {{ }} old[i] = was;", 7, 7 + 1830),
    "compare_explicit": ("{T} was = 0; while (!atomic_compare_exchange_strong_explicit({p}, &was, was + one, memory_order_acquire, "
                         "memory_order_relaxed, memory_scope_device)) {{ }} old[i] = was;", 7, 7 + 1830),
}
TYPES = {"int": "i", "uint": "I", "long": "q", "ulong": "Q"}


def built(dev, xlen, text, *options):
    """A module of a source in OpenCL C 3.0."""
    return dev.load(ganger.build(text, f"--xlen={xlen}", "-cl-std=CL3.0", *options, language="cl").image)


@pytest.mark.parametrize("where", ["global", "local"])
@pytest.mark.parametrize("type_", TYPES)
def test_atomics(dev, xlen, type_, where):
    """S3-R74: each operation on each type: what all work-items leave together, and that none saw the same as another
    where that tells; 64 bits are for devices of 64 bits, others refuse them."""
    code = TYPES[type_]
    form = COMMON if where == "global" else LOCAL
    texts = {name: form.format(T=type_, body=body.format(T=type_, p="all" if where == "global" else "all_")).replace(
        "void k(", f"void k_{name}(") for name, (body, _first, _last) in OPERATIONS.items()}
    if code in "qQ" and xlen == 32:
        with pytest.raises(ganger.Error) as caught:
            built(dev, xlen, texts["add"])
        assert caught.value.status == "ERR_COMPILE" and f"atomic_{type_}" in str(caught.value)
        return
    module = built(dev, xlen, "\n".join(texts.values()))
    for name, (_body, first, last) in OPERATIONS.items():
        total, old = put(dev, code, [first]), put(dev, code, [0] * 60)
        run(dev, module[f"k_{name}"], *((12, 5) if where == "global" else (1, 60)), total, old)
        assert get(total, code) == [last], (name, where)
        if name in ("add", "sub", "compare", "compare_explicit"):
            seen = get(old, code)
            assert len(set(seen)) == 60 and first in seen, name


def test_other_atomics(dev, xlen):
    """S3-R74: exchanges of real numbers, flags, and fences; the older names on 64 bits."""
    module = built(dev, xlen, """
kernel void k(volatile global atomic_float *f, volatile global atomic_flag *flag, global int *got, global float *old) {
    if (!atomic_flag_test_and_set_explicit(flag, memory_order_acquire, memory_scope_device)) {
        got[0] += 1;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    }
    old[get_global_id(0)] = atomic_exchange(f, (float)get_global_id(0));
}
kernel void clear(volatile global atomic_flag *flag) { atomic_flag_clear(flag); }
#ifdef cl_khr_int64_extended_atomics
kernel void wide(volatile global long *p, volatile global ulong *q) {
    atom_add(&p[0], (long)get_global_id(0) << 32);
    atom_inc(&p[1]);
    atom_min(&p[2], -(long)get_global_id(0) << 40);
    atom_max(q, (ulong)get_global_id(0) << 60);
    atom_cmpxchg(&p[3], 3L, 1L << 50);
}
#endif
""")
    number, flag, got, old = put(dev, "f", [0.5]), zeros(dev, 1), zeros(dev, 1), put(dev, "f", [0] * 30)
    run(dev, module["k"], 10, 3, number, flag, got, old)
    assert get(got, "i") == [1] and get(flag, "i") == [1]
    assert sorted(get(old, "f") + get(number, "f")) == sorted([0.5, *map(float, range(30))])
    run(dev, module["clear"], 1, 1, flag)
    assert get(flag, "i") == [0]
    assert ("wide" in module) == (xlen == 64)
    if xlen == 64:
        p, q = put(dev, "q", [0, 1 << 33, 0, 3]), put(dev, "Q", [0])
        run(dev, module["wide"], 5, 3, p, q)
        assert get(p, "q") == [105 << 32, (1 << 33) + 15, -14 << 40, 1 << 50] and get(q, "Q") == [14 << 60]


def test_ctz(dev, xlen):
    """S3-R74: ctz() of every type; of 0 it is the number of bits."""
    types = ("char", "ushort", "int", "ulong4")
    module = built(dev, xlen, "".join(f"kernel void k_{t}(global {t} *p) {{ *p = ctz(*p); }}" for t in types))
    for type_, code, number, expected in (("char", "b", (0,), (8,)), ("char", "b", (-128,), (7,)), ("ushort", "H", (24,), (3,)), ("int", "i", (-2**31,), (31,)),
                                          ("int", "i", (0,), (32,)), ("ulong4", "Q", (1, 0, 1 << 63, 48), (0, 64, 63, 4))):
        data = dev.buffer(struct.pack(f"{len(number)}{code}", *number))
        run(dev, module[f"k_{type_}"], 1, 1, data)
        assert struct.unpack(f"{len(number)}{code}", data.read()) == expected, type_


@pytest.mark.parametrize("options", [(), ("-fno-loops",)], ids=str)
@pytest.mark.parametrize("barrier", ["", "barrier(CLK_LOCAL_MEM_FENCE);"])
def test_computed_dimensions(dev, xlen, barrier, options):
    """S0-R42: sizes and ids of a dimension that the program computes, which also differs between work-items."""
    names = ("get_global_size", "get_local_size", "get_enqueued_local_size", "get_num_groups", "get_group_id", "get_global_offset")
    module = built(dev, xlen, f"""kernel void k(global uint *all, uint dimensions) {{
    for (uint d = 0; d < dimensions; d++) {{
        {"".join(f"all[d * 6 + {i}] = {name}(d);" for i, name in enumerate(names))}
        {barrier}
    }}
    all[24 + get_local_id(0)] = get_global_size(get_local_id(0));
}}""", *options)
    for edge, expected in ((None, (10, 6, 5, 1)), ((2, 1, 0), (7, 4, 5, 1))):
        result = put(dev, "I", [0] * 29)
        dev.submit(module["k"], grid=(2, 2, 1), block=(5, 3, 5), edge=edge, offset=(1, 2, 3), args=[result, 4]).wait(60)
        found = get(result, "I")
        assert [found[6 * d] for d in range(4)] == list(expected) and tuple(found[24:]) == (*expected, 1)
        assert [found[6 * d + 2] for d in range(4)] == [5, 3, 5, 1] and [found[6 * d + 3] for d in range(4)] == [2, 2, 1, 1]
        assert [found[6 * d + 5] for d in range(4)] == [1, 2, 3, 0]
        assert [found[6 * d + 1] for d in range(4)] == ([5, 3, 5, 1] if edge is None else [found[1], found[7], 5, 1])
