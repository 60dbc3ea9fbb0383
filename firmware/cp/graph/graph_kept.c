/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/graph/graph_kept.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/graph/graph_store.h"

static struct graph_image *images[GRAPH_KEPT]; /* by handle modulo GRAPH_KEPT; or NULL */
static uint32_t uses;  /* graphs kept so far; gives the high bits of handles */
static uint32_t count; /* graphs kept and not freed */

void graph_kept_init(void)
{
	for (uint32_t place = 0; place < GRAPH_KEPT; place++) {
		images[place] = NULL;
	}
	/* No handle from before a restart comes back soon. */
	uses = part_is_here(GG_FEATURE_RESTARTS) ? device.cap->resets << 16 : 0;
	count = 0;
}

uint32_t graph_kept_count(void)
{
	return count;
}

uint32_t graph_kept_add(struct graph_image *image)
{
	for (uint32_t place = 0; place < GRAPH_KEPT; place++) {
		if (images[place] == NULL) {
			uses = uses % (UINT32_MAX / GRAPH_KEPT - 1) + 1;
			images[place] = image;
			count++;
			image->handle = uses * GRAPH_KEPT + place;
			return image->handle;
		}
	}
	return 0;
}

struct graph_image *graph_kept_find(uint32_t handle)
{
	struct graph_image *image = images[handle % GRAPH_KEPT];

	return image != NULL && image->handle == handle && !image->forget ? image : NULL;
}

bool graph_kept_check(struct task *task, const struct gg_graph *settings)
{
	const struct graph_image *image = graph_kept_find(settings->handle);
	const uint64_t space = gg_join(settings->space_bytes_lo, settings->space_bytes_hi);

	if (image == NULL) {
		return task_refuse(task, GG_ERR_GRAPH_HANDLE, GG_FIELD_GRAPH_HANDLE,
				   settings->handle);
	}
	if (image->context != task->tmd.context) {
		return task_refuse(task, GG_ERR_CONTEXT, GG_FIELD_GRAPH_HANDLE, image->context);
	}
	if (settings->argument_count < image->argument_count) {
		return task_refuse(task, GG_ERR_ARGUMENT, GG_FIELD_GRAPH_ARGUMENT_COUNT,
				   settings->argument_count);
	}
	const uint64_t least = GRAPH_FLIGHTS * GRAPH_ARGUMENT_BYTES + image->graph.peak_bytes;

	return space >= least ||
	       task_refuse(task, GG_ERR_GRAPH_MEMORY, GG_FIELD_GRAPH_SPACE_BYTES, least);
}

static void forget(struct graph_image *image)
{
	images[image->handle % GRAPH_KEPT] = NULL;
	graph_store_free(image);
}

struct refusal graph_kept_free(uint32_t handle)
{
	struct graph_image *image = graph_kept_find(handle);

	if (image == NULL) {
		return refusal_of(GG_ERR_GRAPH_HANDLE, GG_FIELD_COMMAND_ARGUMENT1, handle);
	}
	image->forget = true;
	count--;
	if (image->user == NULL) {
		forget(image);
	}
	return refusal_none();
}

void graph_kept_release(struct graph_image *image)
{
	image->user = NULL;
	if (image->handle == 0) {
		graph_store_free(image);
	} else if (image->forget) {
		forget(image);
	}
}
