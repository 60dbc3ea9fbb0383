/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels of queue tasks (S0-R05, S0-R06), and kernels that push into their queues.
 */
#include "give_way.h"

/** An item. */
struct item {
	uint value;
	uint level;
};

/** Adds each item's value to the word of its position, the CTA's number of items to `sizes`, and
 * one to `wrong` if its ids do not fit. */
kernel void consume(global uint *out, global uint *sizes, global uint *wrong)
{
	const uint items = get_queue_items();
	const uint64_t first = get_queue_position();
	const uint64_t cta = ganger_cta_linear_id();

	for (uint i = (uint)get_local_id(0); i < items; i += (uint)get_local_size(0)) {
		const struct item *item = ganger_queue_item(i);

		atomic_add(&out[first + i], item->value);
	}
	if (get_local_linear_id() == 0) {
		atomic_add(&sizes[cta], items);
		if (get_group_id(0) != (uint)cta || get_group_id(1) != 0 || get_group_id(2) != 0 ||
		    get_num_groups(0) != 1 || get_num_groups(1) != 1 || get_num_groups(2) != 1) {
			atomic_inc(wrong);
		}
	}
}

/** The same item by item of a queue that is too long for words by position: by the item's value. */
kernel void tally(global uint *counts)
{
	for (uint i = 0; i < get_queue_items(); i++) {
		const struct item *item = ganger_queue_item(i);

		atomic_inc(&counts[item->value]);
	}
}

/** The first item of each CTA waits until the host sets `go`; `started` counts those that wait. */
kernel void hold(global uint *started, volatile global uint *go)
{
	atomic_inc(started);
	while (*go == 0) {
		give_way();
	}
}

/** Each CTA pushes `n` items, n * CTA and on, one by one; it tries again while the queue is full.
 * `status` gets the first other error. */
kernel void produce(global const struct gg_tmd *queue, uint n, global int *status)
{
	for (uint i = 0; i < n; i++) {
		const struct item item = { n * (uint)ganger_cta_linear_id() + i, 0 };
		int result = GG_ERR_QUEUE_FULL;

		while (result == GG_ERR_QUEUE_FULL) {
			result = ganger_queue_push(queue, &item, 1);
		}
		if (result != GG_OK) {
			*status = result;
			return;
		}
	}
}

/** The queue task feeds itself: each item pushes two of the next level, down to `levels`. Counts the
 * items of each level; `status` gets the last error. */
kernel void grow(global const struct gg_tmd *queue, global uint *counts, uint levels,
		 global int *status)
{
	for (uint i = 0; i < get_queue_items(); i++) {
		const struct item *item = ganger_queue_item(i);
		const struct item next[2] = { { 2 * item->value, item->level + 1 },
					      { 2 * item->value + 1, item->level + 1 } };

		atomic_inc(&counts[item->level]);
		if (next[0].level < levels) {
			const int result = ganger_queue_push(queue, next, 2);

			if (result != GG_OK) {
				*status = result;
			}
		}
	}
}

/** Counts the items by value; the CTA of item 0 waits first until the host sets `go`. `started`
 * counts CTAs. */
kernel void tally_held(global uint *counts, global uint *started, volatile global uint *go)
{
	atomic_inc(started);
	for (uint i = 0; i < get_queue_items(); i++) {
		const struct item *item = ganger_queue_item(i);

		while (item->value == 0 && *go == 0) {
		}
		atomic_inc(&counts[item->value]);
	}
}

/** Name of a queue task of the host's, whose TMD is not in the heap. */
struct name {
	uint address[2];
	uint generation;
};

static int push_named(const struct name *name, const struct item *items, uint count)
{
	register uintptr_t a0 __asm__("a0") =
		(uintptr_t)((uint64_t)name->address[1] << 32 | name->address[0]);
	register uintptr_t a1 __asm__("a1") = name->generation;
	register uintptr_t a2 __asm__("a2") = (uintptr_t)items;
	register uintptr_t a3 __asm__("a3") = count;
	register uintptr_t a7 __asm__("a7") = GG_CALL_QUEUE_PUSH;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a7) : "memory");
	return (int)a0;
}

/** Each CTA pushes `n` items, from `first` + n * CTA on, `count` at a time, into a queue of the
 * host's; it tries again while the queue is full. `status` gets the first other error. */
kernel void produce_named(global const struct name *name, uint first, uint n, uint count,
			  uint level, global int *status)
{
	const uint base = first + n * (uint)ganger_cta_linear_id();
	struct item items[16];

	for (uint i = 0; i < n; i += count) {
		int result = GG_ERR_QUEUE_FULL;

		count = count < n - i ? count : n - i;
		for (uint k = 0; k < count; k++) {
			items[k] = (struct item){ base + i + k, level };
		}
		while (result == GG_ERR_QUEUE_FULL) {
			result = push_named(name, items, count);
		}
		if (result != GG_OK) {
			*status = result;
			return;
		}
	}
}

/** Counts the items by value, those of `limit` and more in one word, and leaves `limit` in their
 * places. An item of level > 0 makes another, of value + `stride` and one level less: in its own
 * queue or, if that is full, by this CTA. `status` gets the last other error. */
kernel void spread(global const struct name *name, global uint *counts, uint limit, uint stride,
		   global int *status)
{
	for (uint i = 0; i < get_queue_items(); i++) {
		struct item *place = (struct item *)(uintptr_t)ganger_queue_item(i);
		struct item item = *place;
		int result = GG_ERR_QUEUE_FULL;

		place->value = limit;
		place->level = 0;
		atomic_inc(&counts[item.value < limit ? item.value : limit]);
		while (item.level > 0 && result == GG_ERR_QUEUE_FULL) {
			item = (struct item){ item.value + stride, item.level - 1 };
			result = push_named(name, &item, 1);
			if (result == GG_ERR_QUEUE_FULL) {
				atomic_inc(&counts[item.value]);
			} else if (result != GG_OK) {
				*status = result;
			}
		}
	}
}
