/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/sms/availability.h"

#include <assert.h>

#include "firmware/cp/base/bits.h"

static void availability_leave(struct availability *levels, uint32_t rank)
{
	const uint32_t level = levels->level[rank];

	if (level == 0) {
		return;
	}
	bits_clear(levels->sms[level], rank);
	if (--levels->count[level] == 0) {
		levels->filled &= ~(1u << level);
	}
}

static void availability_enter(struct availability *levels, uint32_t rank, uint32_t level)
{
	levels->level[rank] = (uint8_t)level;
	if (level == 0) {
		return;
	}
	bits_set(levels->sms[level], rank);
	levels->count[level]++;
	levels->filled |= 1u << level;
}

void availability_set(struct availability *levels, uint32_t rank, uint32_t slots)
{
	assert(rank < CP_SMS && slots < AVAILABILITY_LEVELS);
	if (levels->level[rank] != slots) {
		availability_leave(levels, rank);
		availability_enter(levels, rank, slots);
	}
}

bool availability_best(const struct availability *levels, uint32_t *rank)
{
	if (levels->filled == 0) {
		return false;
	}
	const uint32_t *sms = levels->sms[bits_highest(levels->filled)];
	uint32_t word = 0;

	while (sms[word] == 0) { /* terminates: a filled level holds an SM */
		word++;
	}
	*rank = word * 32 + bits_lowest(sms[word]);
	return true;
}

/* To lower the surface by a level, every SM above it takes one CTA: `above` SMs. The loop does so as long as enough
 * CTAs are left; what is left then is less than a whole layer. */
struct availability_fill availability_pour(const struct availability *levels, uint64_t ctas)
{
	uint64_t left = ctas;
	uint32_t above = 0;
	uint32_t level = levels->filled == 0 ? 0 : bits_highest(levels->filled);

	while (level > 0) {
		above += levels->count[level];
		if (above > left) {
			break;
		}
		left -= above;
		level--;
	}
	return (struct availability_fill){
		.final = level,
		.extra = level > 0 ? (uint32_t)left : 0,
		.ctas = level > 0 ? ctas : ctas - left,
	};
}

uint32_t availability_at_least(const struct availability *levels, uint32_t level, uint32_t word)
{
	uint32_t filled = levels->filled & ~bits_ones(level == 0 ? 1 : level);
	uint32_t ranks = 0;

	while (filled != 0) {
		const uint32_t top = bits_lowest(filled);

		ranks |= levels->sms[top][word];
		filled &= filled - 1;
	}
	return ranks;
}
