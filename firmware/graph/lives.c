/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/graph/lives.h"

/* A reader is credited with at least 1 / 2^6 of a buffer's bytes. */
#define SHARE_MOST 6u

/* Bytes that a reader of a transient's last version is credited with: the remaining readers share the buffer's
 * bytes, so that readers of one buffer run close together (S2-R77, S2-A12). */
static uint64_t share(uint64_t bytes, uint32_t readers)
{
	uint32_t shift = 0;

	while (shift < SHARE_MOST && readers > 1u << shift) {
		shift++;
	}
	return bytes >> shift;
}

int64_t graph_lives_gain(const struct graph *graph, uint32_t number)
{
	const struct graph_pass *pass = &graph->passes[number];
	const struct graph_access *access = &graph->accesses[pass->first_access];
	uint64_t ends = 0;
	uint64_t begins = 0;

	for (uint32_t left = pass->accesses; left > 0; left--, access++) {
		if (access->use != GRAPH_USE_READ && access->use != GRAPH_USE_WRITE) {
			continue;
		}
		const struct graph_version *version = &graph->versions[access->version];
		const struct graph_resource *resource = &graph->resources[version->resource];

		if (resource->kind != GG_GRAPH_RESOURCE_KIND_TRANSIENT) {
			continue;
		}
		if (access->use == GRAPH_USE_READ) {
			ends += access->version == resource->last
					? share(resource->bytes, version->readers_left)
					: 0;
		} else {
			begins += resource->begun ? 0 : resource->bytes;
			ends += access->version == resource->last && version->readers == 0
					? resource->bytes
					: 0;
		}
	}
	return (int64_t)(ends - begins);
}
