/* SPDX-License-Identifier: Apache-2.0 */
#include "qemu/plugin/watch.h"

#include "qemu/plugin/word.h"

#include <stddef.h>

/* Count of the watched hart at the begin of each span; written by that hart's thread only. */
static uint64_t span_begin[COUNT_SPANS];

static void mark_hit(const struct count_file *file, struct count_mark *mark, unsigned int hart)
{
	uint32_t arm = load32(&mark->arm);
	uint32_t claimed = load32(&mark->claimed);

	__atomic_fetch_add(&mark->hits, 1, __ATOMIC_RELAXED);
	store64(&mark->last_hart0, load64(&file->hart[0].count));
	__atomic_store_n(&mark->last_hart, hart, __ATOMIC_RELAXED);
	if (claimed == arm) {
		return;
	}
	if (!__atomic_compare_exchange_n(&mark->claimed, &claimed, arm, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED)) {
		return;
	}
	__atomic_store_n(&mark->hart, hart, __ATOMIC_RELAXED);
	store64(&mark->hart0_count, load64(&file->hart[0].count));
	store64(&mark->hart_count, load64(&file->hart[hart].count));
	__atomic_store_n(&mark->fired, arm, __ATOMIC_RELEASE);
}

static void span_start(struct count_span *span, uint64_t *begin, uint64_t count)
{
	uint32_t arm = load32(&span->arm);

	if (span->seen != arm) {
		store64(&span->hits, 0);
		store64(&span->min, UINT64_MAX);
		store64(&span->max, 0);
		store64(&span->sum, 0);
		__atomic_store_n(&span->seen, arm, __ATOMIC_RELEASE);
	}
	*begin = count;
	span->open = 1;
}

static void span_finish(struct count_span *span, uint64_t length)
{
	if (length < load64(&span->min)) {
		store64(&span->min, length);
	}
	if (length > load64(&span->max)) {
		store64(&span->max, length);
	}
	store64(&span->sum, load64(&span->sum) + length);
	store64(&span->hits, load64(&span->hits) + 1);
	span->open = 0;
}

static void look_at_spans(struct count_file *file, unsigned int hart, uint64_t address,
			  bool is_mret)
{
	uint64_t count = load64(&file->hart[hart].count);

	for (size_t i = 0; i < COUNT_SPANS; i++) {
		struct count_span *span = &file->span[i];
		uint64_t begin = load64(&span->begin);
		uint64_t end = load64(&span->end);

		if (begin == 0 || load32(&span->hart) != hart) {
			continue;
		}
		if (begin == address) {
			span_start(span, &span_begin[i], count);
		}
		if (span->open && (end == address || (end == 0 && is_mret))) {
			span_finish(span, count + 1 - span_begin[i]);
		}
	}
}

static void look_at_marks(struct count_file *file, unsigned int hart, uint64_t address)
{
	for (size_t i = 0; i < COUNT_MARKS; i++) {
		if (load64(&file->mark[i].address) == address) {
			mark_hit(file, &file->mark[i], hart);
		}
	}
}

void watch_look(struct count_file *file, unsigned int hart, uint64_t address, bool is_mret)
{
	look_at_marks(file, hart, address);
	look_at_spans(file, hart, address, is_mret);
}

bool watch_wants(const struct count_file *file, uint64_t address)
{
	for (size_t i = 0; i < COUNT_MARKS; i++) {
		if (load64(&file->mark[i].address) == address) {
			return true;
		}
	}
	for (size_t i = 0; i < COUNT_SPANS; i++) {
		const struct count_span *span = &file->span[i];

		if (load64(&span->begin) == address || load64(&span->end) == address) {
			return true;
		}
	}
	return false;
}
