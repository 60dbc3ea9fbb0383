/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/history.h"

#include <string.h>

#define WAYS 4u                     /* entries of a set */
#define SETS (GRAPH_HISTORY / WAYS) /* a power of two */

_Static_assert(GRAPH_HISTORY >= WAYS && (GRAPH_HISTORY & (GRAPH_HISTORY - 1)) == 0,
	       "sets are found by a mask");

/* What is known of a pass. */
struct entry {
	uint64_t entry;   /* kernel */
	uint64_t ctas;    /* CTAs */
	uint32_t context; /* context */
	uint32_t ticks;   /* time expected; 0: the entry is empty */
	uint32_t added;   /* value of the counter of additions when it was added or changed last */
};

static struct entry entries[GRAPH_HISTORY]; /* each set side by side */
static uint32_t additions;

void graph_history_init(void)
{
	memset(entries, 0, sizeof(entries));
	additions = 0;
}

static struct entry *set_of(const struct graph_history_key *key)
{
	uint32_t mix = key->context;

	mix = mix * 0x9e3779b1u ^ (uint32_t)key->entry;
	mix = mix * 0x9e3779b1u ^ (uint32_t)(key->entry >> 32);
	mix = mix * 0x9e3779b1u ^ (uint32_t)key->ctas;
	mix = mix * 0x9e3779b1u ^ (uint32_t)(key->ctas >> 32);
	mix *= 0x9e3779b1u;
	return &entries[((mix >> 16) & (SETS - 1)) * WAYS];
}

static bool is_of(const struct entry *entry, const struct graph_history_key *key)
{
	return entry->entry == key->entry && entry->ctas == key->ctas &&
	       entry->context == key->context && entry->ticks != 0;
}

/* The entry of a pass, or NULL. */
static __attribute__((noinline)) struct entry *find(const struct graph_history_key *key)
{
	struct entry *set = set_of(key);

	for (uint32_t way = 0; way < WAYS; way++) {
		if (is_of(&set[way], key)) {
			return &set[way];
		}
	}
	return NULL;
}

/* An empty entry of the set, or the one that was changed longest ago. */
static struct entry *oldest(struct entry *set)
{
	struct entry *found = &set[0];

	for (uint32_t way = 0; way < WAYS; way++) {
		if (set[way].ticks == 0) {
			return &set[way];
		}
		if (additions - set[way].added > additions - found->added) {
			found = &set[way];
		}
	}
	return found;
}

uint32_t graph_history_ticks(const struct graph_history_key *key, uint16_t *place)
{
	const struct entry *entry = find(key);

	if (entry == NULL) {
		return 0;
	}
	*place = (uint16_t)(entry - entries);
	return entry->ticks;
}

/* Moves a quarter of the way, rounded up, so that it arrives in the end. */
static uint32_t nearer(uint32_t from, uint32_t to)
{
	return to >= from ? from + (to - from) / 4 + ((to - from) % 4 != 0)
			  : from - (from - to) / 4 - ((from - to) % 4 != 0);
}

/* The entry of a pass. If it has none it gets one, with no time yet. */
static __attribute__((cold, noinline)) struct entry *take(const struct graph_history_key *key)
{
	struct entry *entry = find(key);

	if (entry == NULL) {
		entry = oldest(set_of(key));
		*entry = (struct entry){ .entry = key->entry,
					 .ctas = key->ctas,
					 .context = key->context };
	}
	return entry;
}

void graph_history_add(const struct graph_history_key *key, uint64_t ticks, uint16_t *place)
{
	const uint32_t taken = ticks > UINT32_MAX ? UINT32_MAX : ticks == 0 ? 1 : (uint32_t)ticks;
	struct entry *entry = &entries[*place % GRAPH_HISTORY];

	if (!is_of(entry, key)) {
		entry = take(key);
		*place = (uint16_t)(entry - entries);
	}
	entry->ticks = entry->ticks == 0 ? taken : nearer(entry->ticks, taken);
	entry->added = ++additions;
}

bool graph_history_holds(uint16_t place, uint32_t estimate)
{
	const uint32_t ticks = entries[place].ticks;

	return (ticks > estimate ? ticks - estimate : estimate - ticks) < ticks / 8;
}
