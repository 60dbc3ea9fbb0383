/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/tmd.h"

#include <stddef.h>

#include "firmware/abi/field.h"
#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/pull/nd_check.h"
#include "firmware/cp/accept/needs.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/pull/pull.h"
#include "firmware/cp/schedule/issue.h"
#include "firmware/cp/task/quarantine.h"
#include "firmware/cp/task/retry.h"
#include "firmware/cp/task/semaphore.h"
#include "firmware/cp/accept/tmd_cga.h"
#include "firmware/cp/accept/tmd_copy.h"
#include "firmware/cp/accept/tmd_extra.h"
#include "firmware/cp/accept/tmd_memory.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/work.h"

_Static_assert(sizeof(struct gg_tmd) == 256, "a TMD is 256 bytes");

/* Sets of task types, a bit each. */
#define GRID      (1u << GG_TASK_TYPE_GRID)
#define QUEUE     (1u << GG_TASK_TYPE_QUEUE)
#define GRID_NULL (1u << GG_TASK_TYPE_GRID_NULL)
#define GRAPH     (1u << GG_TASK_TYPE_GRAPH)
#define CGAS                                                       \
	(1u << GG_TASK_TYPE_GPC_CGA | 1u << GG_TASK_TYPE_GPU_CGA | \
	 1u << GG_TASK_TYPE_GPU_GPC_CGA | 1u << GG_TASK_TYPE_CGA)
#define GRIDS (GRID | CGAS)
#define CTAS  (GRIDS | QUEUE)
#define ANY   (CTAS | GRID_NULL | GRAPH)

static bool is_of(const struct task *task, uint32_t types)
{
	return (types >> task_type(task) & 1u) != 0;
}

/* Whether the part of the firmware that runs tasks of this type is built in. */
static bool has_part(uint32_t type)
{
	const uint32_t set = 1u << type;

	if ((set & CGAS) != 0) {
		return part_is_here(GG_FEATURE_CLUSTERS);
	}
	if ((set & GRAPH) != 0) {
		return part_is_here(GG_FEATURE_GRAPHS);
	}
	return (set & QUEUE) == 0 || part_is_here(GG_FEATURE_QUEUES);
}

static bool check_header(struct task *task)
{
	const uint32_t header = task->tmd.header;
	const uint32_t version = gg_get(header, GG_TMD_VERSION);
	const uint32_t type = gg_get(header, GG_TMD_TYPE);

	if (version != GG_TMD_VERSION_1) {
		return task_refuse(task, GG_ERR_TMD_VERSION, GG_FIELD_TMD_VERSION, version);
	}
	if (type > GG_TASK_TYPE_CGA) {
		return task_refuse(task, GG_ERR_TMD_TYPE, GG_FIELD_TMD_TYPE, type);
	}
	if (!has_part(type)) {
		return task_refuse(task, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_TYPE, type);
	}
	task->rules.priority = (uint8_t)gg_get(header, GG_TMD_PRIORITY);
	if (task->rules.priority < 1 || task->rules.priority > CP_PRIORITIES) {
		return task_refuse(task, GG_ERR_PRIORITY, GG_FIELD_TMD_PRIORITY,
				   task->rules.priority);
	}
	return true;
}

/* ROUND_ROBIN places single CTAs and so cannot be used with CGAs; MULTI_CAST can be used only with CGAs, and PULL only
 * with plain grids. */
static bool has_mode(uint32_t mode, bool cgas, bool plain)
{
	if (mode == GG_TASK_MODE_MULTI_CAST || mode == GG_TASK_MODE_ROUND_ROBIN) {
		return cgas == (mode == GG_TASK_MODE_MULTI_CAST);
	}
	return mode == GG_TASK_MODE_DEVICE || mode == GG_TASK_MODE_LOAD_BALANCING ||
	       (mode == GG_TASK_MODE_PULL && plain);
}

static bool check_mode(struct task *task)
{
	const uint32_t mode = gg_get(task->tmd.header, GG_TMD_MODE);

	task->rules.mode = (uint8_t)mode;
	if (mode == GG_TASK_MODE_PULL && !part_is_here(GG_FEATURE_PULL)) {
		return task_refuse(task, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_MODE, mode);
	}
	return has_mode(mode, is_of(task, CGAS), is_of(task, GRID)) ||
	       task_refuse(task, GG_ERR_MODE, GG_FIELD_TMD_MODE, mode);
}

static bool check_reserved(struct task *task)
{
	const uint32_t value = gg_get(task->tmd.header, GG_TMD_RESERVED);

	return value == 0 || task_refuse(task, GG_ERR_TMD_RESERVED, GG_FIELD_TMD_RESERVED, value);
}

/* CGAs run again as a whole, but not trees of them. */
static bool check_retry(struct task *task)
{
	const uint32_t limit = task->tmd.retry_limit;
	const bool may = part_is_here(GG_FEATURE_RETRIES) && is_of(task, CTAS) &&
			 task->rules.shape.levels <= 1;

	return limit <= (may ? RETRY_MOST : 0) ||
	       task_refuse(task, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_RETRY_LIMIT, limit);
}

static bool check_grid(struct task *task)
{
	const uint32_t x = task->tmd.grid_x, yz = task->tmd.grid_yz;
	const uint64_t ctas = tmd_ctas(x, yz);

	if (ctas == 0) {
		return task_refuse(task, GG_ERR_GRID_ZERO,
				   x == 0                           ? GG_FIELD_TMD_GRID_X
				   : gg_get(yz, GG_TMD_GRID_Y) == 0 ? GG_FIELD_TMD_GRID_Y
								    : GG_FIELD_TMD_GRID_Z,
				   0);
	}
	if (ctas > INT64_MAX) {
		return task_refuse(task, GG_ERR_GRID_OVERFLOW, GG_FIELD_TMD_GRID_X, ctas);
	}
	task_work_set(task, 0, ctas);
	return !task_is_pull(task) || nd_check_range(task);
}

/* The largest global id along x must be a number of the kernel's. */
static bool check_width(struct task *task)
{
	const uint64_t width = tmd_width(task->tmd.grid_x, task->tmd.block_xy);

	return width <= device.size_max ||
	       task_refuse(task, GG_ERR_GRID_OVERFLOW, GG_FIELD_TMD_GRID_X, width);
}

static bool check_block(struct task *task)
{
	const uint32_t x = gg_get(task->tmd.block_xy, GG_TMD_BLOCK_X);
	const uint32_t y = gg_get(task->tmd.block_xy, GG_TMD_BLOCK_Y);
	const uint32_t z = gg_get(task->tmd.block_z, GG_TMD_BLOCK_Z);
	const uint64_t threads = (uint64_t)(x * y) * z; /* x · y fits 32 bits */

	if (threads == 0) {
		return task_refuse(task, GG_ERR_BLOCK_ZERO,
				   x == 0   ? GG_FIELD_TMD_BLOCK_X
				   : y == 0 ? GG_FIELD_TMD_BLOCK_Y
					    : GG_FIELD_TMD_BLOCK_Z,
				   0);
	}
	if (threads > CP_BLOCK_THREADS || threads > device.resources.warps * CP_WARP_THREADS) {
		return task_refuse(task, GG_ERR_BLOCK_TOO_LARGE, GG_FIELD_TMD_BLOCK_X, threads);
	}
	if (gg_get(task->tmd.block_z, GG_TMD_BLOCK_RESERVED) != 0) {
		return task_refuse(task, GG_ERR_TMD_RESERVED, GG_FIELD_TMD_BLOCK_RESERVED,
				   gg_get(task->tmd.block_z, GG_TMD_BLOCK_RESERVED));
	}
	if (is_of(task, GRIDS) && !check_width(task)) {
		return false;
	}
	task->rules.needs.warps = ((uint32_t)threads + CP_WARP_THREADS - 1) / CP_WARP_THREADS;
	return true;
}

/* The part of the grid that is run. It is counted in CTAs, and begins and ends with a CGA. */
static __attribute__((cold)) bool check_part(struct task *task)
{
	const uint64_t position = gg_join(task->tmd.resume_lo, task->tmd.resume_hi);
	const uint64_t rest = task->work.left - position;
	const uint64_t cga = cga_shape_ctas(&task->rules.shape);
	const uint32_t part = task->tmd.queue_items;

	if (position >= task->work.left || position % cga != 0) {
		return task_refuse(task, GG_ERR_RESUME, GG_FIELD_TMD_RESUME, position);
	}
	if (part > rest || part % cga != 0) {
		return task_refuse(task, GG_ERR_RESUME, GG_FIELD_TMD_QUEUE_ITEMS, part);
	}
	task_work_set(task, position, part != 0 ? part : rest);
	return true;
}

static bool check_kernel(struct task *task)
{
	const uint64_t entry = gg_join(task->tmd.entry_lo, task->tmd.entry_hi);

	return !quarantine_has(entry) ||
	       task_refuse(task, GG_ERR_QUARANTINE, GG_FIELD_TMD_ENTRY, entry);
}

static bool check_code(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint64_t code = gg_join(tmd->code_lo, tmd->code_hi);
	const uint64_t entry = gg_join(tmd->entry_lo, tmd->entry_hi);

	if (!device_holds(code, tmd->code_bytes) || (code | tmd->code_bytes) % 4 != 0) {
		return task_refuse(task, GG_ERR_CODE_RANGE, GG_FIELD_TMD_CODE, code);
	}
	if (entry < code || entry - code >= tmd->code_bytes || entry % 2 != 0) {
		return task_refuse(task, GG_ERR_ENTRY, GG_FIELD_TMD_ENTRY, entry);
	}
	return check_kernel(task);
}

static bool check_memory(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint64_t heap = gg_join(tmd->heap_lo, tmd->heap_hi);
	const uint64_t heap_bytes = gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi);

	if (!tmd_args_fit(tmd)) {
		return task_refuse(task, GG_ERR_ARGS_RANGE, GG_FIELD_TMD_ARGS,
				   gg_join(tmd->args_lo, tmd->args_hi));
	}
	if (heap_bytes != 0 && (!device_holds(heap, heap_bytes) || (heap | heap_bytes) % 4 != 0)) {
		return task_refuse(task, GG_ERR_HEAP_RANGE, GG_FIELD_TMD_HEAP, heap);
	}
	return true;
}

/* The checks behind the header, in order, with the task types that each is for. */
static const struct {
	uint32_t types;
	bool (*check)(struct task *task);
} checks[] = {
	{ CTAS, check_mode },
	{ ANY, check_reserved },
	{ GRIDS, check_grid },
	{ CTAS, check_block },
	{ ANY, tmd_check_cga },
	{ ANY, check_retry },
	{ ANY, nd_check_chunk },
	{ GRIDS, check_part },
	{ CTAS, check_code },
	{ ANY, check_memory },
	{ ANY, tmd_check_context },
	{ ANY, tmd_check_queue },
	{ ANY, tmd_check_order },
	{ ANY, tmd_check_affinity },
	{ CTAS, needs_check },
	{ ANY, semaphore_check },
	{ ANY, tmd_check_windows },
	{ ANY, tmd_check_print },
	{ CGAS, PART_IS_HERE(GG_FEATURE_CLUSTERS) ? cga_admit_check
						  : NULL }, /* not built in: no such tasks */
};

/* The checks of the table that can refuse a plain grid, in the same order. */
static bool check_plain(struct task *task)
{
	return check_mode(task) && check_grid(task) && check_block(task) && check_code(task) &&
	       check_memory(task) && tmd_check_context(task) && needs_check(task);
}

static bool check(struct task *task, uintptr_t rare)
{
	if (!check_header(task)) {
		return false;
	}
	task->rules.plain = rare == 0 && tmd_is_plain(task->tmd.header);
	if (task->rules.plain) { /* check_plain() is enough */
		return check_plain(task);
	}
	for (uint32_t index = 0; index < sizeof(checks) / sizeof(checks[0]); index++) {
		if (is_of(task, checks[index].types) && !checks[index].check(task)) {
			return false;
		}
	}
	return true;
}

/* For a plain grid only what depends on its size is left to be checked, and what the device has learnt since. */
bool tmd_check_known(struct task *task, const struct task_rules *rules)
{
	if (!rules->plain || !task->source.trusted) {
		return check(task, tmd_copy(&task->tmd, &task->tmd));
	}
	task->rules = *rules;
	task->rules.priority = (uint8_t)gg_get(task->tmd.header, GG_TMD_PRIORITY);
	return check_grid(task) && check_width(task) && check_kernel(task);
}

bool tmd_check_child(struct task *task, struct task *parent, const struct gg_tmd *tmd)
{
	task->source.parent = parent;
	return check(task, tmd_copy(&task->tmd, tmd));
}

uint32_t tmd_mode(uint32_t mode, uint64_t ctas, uint32_t most)
{
	return mode == GG_TASK_MODE_DEVICE && ctas < PULL_GRID_MOST && issue_pulls(ctas, most)
		       ? GG_TASK_MODE_PULL
		       : mode;
}

__attribute__((cold, noinline)) void tmd_choose_mode(struct task *task)
{
	if (task->rules.plain) {
		task->rules.mode = (uint8_t)tmd_mode(task->rules.mode, task->work.left,
						     sm_state_slots_all(&task->rules.needs));
	}
}

bool tmd_take(struct task *task, struct task_name name)
{
	const uint64_t address = name.address;

	if (address % sizeof(struct gg_tmd) != 0) {
		return task_refuse(task, GG_ERR_TMD_ALIGN, GG_FIELD_COMMAND_ADDRESS, address);
	}
	if (!device_holds(address, sizeof(struct gg_tmd))) {
		return task_refuse(task, GG_ERR_TMD_RANGE, GG_FIELD_COMMAND_ADDRESS, address);
	}
	const uintptr_t rare = tmd_copy(&task->tmd, device_pointer(address));

	if (task->tmd.generation != name.generation) {
		return task_refuse(task, GG_ERR_GENERATION, GG_FIELD_TMD_GENERATION,
				   task->tmd.generation);
	}
	if (!check(task, rare)) {
		return false;
	}
	if (task->work.left != 1) {
		tmd_choose_mode(task);
	}
	return true;
}
