/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/mailbox/flight.h"

#include <stdlib.h>

#include "host/lib/mailbox/device.h"

#define CHAINS_FIRST 256u
#define CHAINS_MAX   (1u << 30)

/** Tags count up, so their low bits spread them evenly. */
static struct task **chain_of(const struct flight *flight, uint32_t tag)
{
	return &flight->at[tag & (flight->chains - 1)].first;
}

static void link_task(struct flight *flight, struct task *task)
{
	struct task **chain = chain_of(flight, task->done.tag);

	task->next = *chain;
	*chain = task;
}

/** Doubles the table. @return GG_ERR_NO_MEMORY: it is as it was. */
static enum gg_status grow(struct flight *flight)
{
	struct flight grown = { .chains = flight->chains ? 2 * flight->chains : CHAINS_FIRST,
				.count = flight->count };

	grown.at = calloc(grown.chains, sizeof(*grown.at));
	if (!grown.at)
		return GG_ERR_NO_MEMORY;
	for (uint32_t i = 0; i < flight->chains; i++) {
		while (flight->at[i].first) {
			struct task *task = flight->at[i].first;

			flight->at[i].first = task->next;
			link_task(&grown, task);
		}
	}
	free(flight->at);
	*flight = grown;
	return GG_OK;
}

enum gg_status flight_add(struct flight *flight, struct task *task)
{
	if (flight->count >= flight->chains && flight->chains < CHAINS_MAX) {
		/* A table that cannot grow still works, only slower. */
		enum gg_status status = grow(flight);

		if (status != GG_OK && flight->chains == 0)
			return status;
	}
	link_task(flight, task);
	flight->count++;
	return GG_OK;
}

void flight_remove(struct flight *flight, const struct task *task)
{
	struct task **link;

	if (flight->chains == 0)
		return;
	link = chain_of(flight, task->done.tag);
	while (*link && *link != task)
		link = &(*link)->next;
	if (*link) {
		*link = task->next;
		flight->count--;
	}
}

struct task *flight_find(const struct flight *flight, uint32_t tag)
{
	struct task *task = flight->chains ? *chain_of(flight, tag) : NULL;

	while (task && task->done.tag != tag)
		task = task->next;
	return task;
}

void flight_clear(struct flight *flight)
{
	free(flight->at);
	*flight = (struct flight){ 0 };
}
