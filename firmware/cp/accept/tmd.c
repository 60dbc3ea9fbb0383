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
#include "firmware/cp/accept/tmd_extra.h"
#include "firmware/cp/accept/tmd_memory.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/task/work.h"
#include "hal/mmio.h"

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

/* CTAs of a grid of a size, at most 32 + 16 + 16 bits. */
static inline uint64_t ctas_of(uint32_t x, uint32_t yz)
{
	return (uint64_t)x * gg_get(yz, GG_TMD_GRID_Y) * gg_get(yz, GG_TMD_GRID_Z);
}

static bool check_grid(struct task *task)
{
	const uint32_t x = task->tmd.grid_x, yz = task->tmd.grid_yz;
	const uint64_t ctas = ctas_of(x, yz);

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

/* Work-items of a grid along x. */
static inline uint64_t width_of(uint32_t x, uint32_t block_xy)
{
	return (uint64_t)x * gg_get(block_xy, GG_TMD_BLOCK_X);
}

/* The largest global id along x must be a number of the kernel's. */
static bool check_width(struct task *task)
{
	const uint64_t width = width_of(task->tmd.grid_x, task->tmd.block_xy);

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

static bool args_fit(const struct gg_tmd *tmd)
{
	const uint64_t args = gg_join(tmd->args_lo, tmd->args_hi);

	return tmd->args_bytes == 0 || (device_holds(args, tmd->args_bytes) && args % 16 == 0);
}

static bool check_memory(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint64_t heap = gg_join(tmd->heap_lo, tmd->heap_hi);
	const uint64_t heap_bytes = gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi);

	if (!args_fit(tmd)) {
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

/* Bit of a word of a TMD. */
#define WORD(name) ((uint64_t)1 << offsetof(struct gg_tmd, name) / 4)

/* The words that are zero in the TMD of a plain grid. */
#define RARE                                                                                       \
	(WORD(cluster_xy) | WORD(cluster_z) | WORD(gpc_mask) | WORD(affinity_lo) |                 \
	 WORD(affinity_hi) | WORD(quota) | WORD(retry_limit) | WORD(chunk) | WORD(queue_lo) |      \
	 WORD(queue_hi) | WORD(queue_capacity) | WORD(queue_item_bytes) | WORD(queue_items) |      \
	 WORD(coalesce_us) | WORD(queue_outstanding) | WORD(semaphore0_op) | WORD(semaphore1_op) | \
	 WORD(resume_lo) | WORD(resume_hi) | WORD(windows_lo) | WORD(windows_hi) |                 \
	 WORD(window_count) | WORD(print_lo) | WORD(print_hi) | WORD(print_bytes) | WORD(outer) |  \
	 WORD(top))

/* The bits of word `at` of a TMD, seen as words of this processor, that belong to a set of the TMD's own words. */
#define BITS(words, at)                                               \
	((uintptr_t)(sizeof(uintptr_t) == 4                           \
			     ? 0 - ((words) >> (at)&1)                \
			     : ((words) >> 2 * (at)&1) * UINT32_MAX | \
				       ((words) >> (2 * (at) + 1) & 1) * UINT32_MAX << 32))

_Static_assert(BITS((uint64_t)7, 0) == UINTPTR_MAX, "all bits of a word, on both widths");

/* The words that say what kernel is run and how: a program that launches a kernel many times changes none of them. */
#define KERNEL                                                                              \
	(WORD(header) | WORD(entry_lo) | WORD(entry_hi) | WORD(code_lo) | WORD(code_hi) |   \
	 WORD(code_bytes) | WORD(grid_x) | WORD(grid_yz) | WORD(block_xy) | WORD(block_z) | \
	 WORD(shared_bytes) | WORD(private_bytes) | WORD(registers) | WORD(heap_lo) |       \
	 WORD(time_limit_us) | WORD(heap_hi) | WORD(heap_bytes_lo) | WORD(heap_bytes_hi))

/* The words of dependences, which are zero for most tasks. */
#define LISTS                                                                   \
	(WORD(dependence_count) | WORD(dependent_count) | WORD(dependents_lo) | \
	 WORD(dependents_hi) | WORD(after_count) | WORD(after_lo) | WORD(after_hi))

/** Plain tasks without dependences whose TMDs are kept: the last ones that tmd_take_again() did not know. */
static struct known {
	uint32_t key;    /* key_of() its TMD; 0: none is kept here */
	uint32_t kernel; /* kernel_of() it */
	uint32_t number; /* of the TMD: rules.kept of places that hold its words */
	struct gg_tmd tmd __attribute__((aligned(16))); /* it is read by words of the processor */
	struct task_needs needs;                        /* what was computed from it */
	uint32_t unit_mask;
	uint32_t ctas; /* the same */
	uint8_t mode;
} known[CP_KEPT];

static uint32_t oldest; /* of `known`: the next one comes in its place */
static bool wanted;     /* tmd_take_again() did not know a TMD: keep the next one that fits */

void tmd_init(void)
{
	wanted = false;
#pragma GCC unroll 1
	for (uint32_t index = 0; index < CP_KEPT; index++) {
		known[index].key = 0;
	}
}

/* A number that TMDs of different kernels and priorities nearly always differ in. Not needed where only one is kept. */
static inline uint32_t kernel_of(const struct gg_tmd *tmd)
{
	return CP_KEPT == 1 ? 0
			    : mmio_read32(&tmd->entry_lo) + mmio_read32(&tmd->header) * 4 +
				      mmio_read32(&tmd->block_xy) * 8;
}

/* The same for grids of different sizes. Never 0. */
static inline uint32_t key_of(uint32_t kernel, uint32_t x, uint32_t yz)
{
	return CP_KEPT == 1 ? 1 : (kernel + x * 2 + yz * 8) | 1;
}

static inline struct known *find(uint32_t key)
{
	struct known *one = known;

	while (one->key != key) {
		if (++one == known + CP_KEPT) {
			return NULL;
		}
	}
	return one;
}

uint32_t tmd_number(void)
{
	static uint32_t number = 1;

	return number += 2;
}

/* The mode of a plain grid: one that leaves it to the device may be pulled if it does not fit. */
static inline uint32_t mode_of(uint32_t mode, uint64_t ctas, uint32_t most)
{
	return mode == GG_TASK_MODE_DEVICE && ctas < PULL_GRID_MOST && issue_pulls(ctas, most)
		       ? GG_TASK_MODE_PULL
		       : mode;
}

/* Whether the short way can take a plain task of so many CTAs: what fits into the device, or, where there are waves, a PULL grid that
 * does not. */
static inline bool is_short(uint32_t mode, uint64_t ctas, uint32_t most)
{
	const bool pull = mode == GG_TASK_MODE_PULL;

	return (ctas > most) == pull && (CP_WAVE_SMS != 0 || !pull) && ctas <= UINT32_MAX &&
	       mode != GG_TASK_MODE_ROUND_ROBIN;
}

static struct known *take_oldest(void)
{
	struct known *one = &known[oldest];

	oldest = (oldest + 1) % CP_KEPT;
	return one;
}

/* Keeps the TMD of a plain task that has passed its checks, if the short way can take it. */
static __attribute__((cold)) void keep(const struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint32_t most = sm_state_slots_all(&task->rules.needs);

	if (!is_short(task->rules.mode, task->work.left, most) ||
	    (tmd->header & GG_TMD_HEAD) != 0 ||
	    (tmd->dependence_count | tmd->dependent_count | tmd->after_count) != 0) {
		return;
	}
	const uint32_t kernel = kernel_of(tmd);
	const uint32_t key = key_of(kernel, tmd->grid_x, tmd->grid_yz);
	struct known *one = find(key);

	if (one == NULL) {
		one = take_oldest();
	}
	wanted = false;
	one->key = key;
	one->kernel = kernel;
	one->number = tmd_number();
	one->tmd = *tmd;
	one->needs = task->rules.needs;
	one->unit_mask = task->rules.unit_mask;
	one->mode = task->rules.mode;
	one->ctas = (uint32_t)task->work.left;
}

__attribute__((cold, noinline)) void tmd_choose_mode(struct task *task)
{
	if (task->rules.plain) {
		task->rules.mode = (uint8_t)mode_of(task->rules.mode, task->work.left,
						    sm_state_slots_all(&task->rules.needs));
	}
}

/* Keeps a TMD with a grid of this size, that is like one of this kernel that is kept in all else: so a program that launches a kernel on
 * data of any size takes the short way, too. That the task's TMD is like it is seen when the two are compared.
 * Returns NULL if no such TMD is kept, or if the stages have to check this one. */
static __attribute__((cold, noinline)) struct known *keep_size(uint32_t kernel, uint32_t x,
							       uint32_t yz)
{
	const struct known *one = known;

	while (one->kernel != kernel || one->key == 0) {
		if (++one == known + CP_KEPT) {
			return NULL;
		}
	}
	const uint64_t ctas = ctas_of(x, yz);
	const uint32_t most = sm_state_slots_all(&one->needs);
	const uint32_t mode = mode_of(gg_get(one->tmd.header, GG_TMD_MODE), ctas, most);

	if (ctas == 0 || width_of(x, one->tmd.block_xy) > device.size_max ||
	    !is_short(mode, ctas, most)) {
		return NULL;
	}
	struct known *other = take_oldest();

	*other = *one;
	other->tmd.grid_x = x;
	other->tmd.grid_yz = yz;
	other->key = key_of(kernel, x, yz);
	other->number = tmd_number();
	other->ctas = (uint32_t)ctas;
	other->mode = (uint8_t)mode;
	return other;
}

/* Words of a TMD, seen as words of this processor. */
#define WORDS (sizeof(struct gg_tmd) / sizeof(uintptr_t))

/* On a board that is compiled for size only the loop of the short way is unrolled. */
#ifdef __OPTIMIZE_SIZE__
enum {
	UNROLL = 1
};
#else
enum {
	UNROLL = 64
};
#endif

/* Copies a TMD, and gathers its rare words in the same loop. Each word is read once. Returns 0 if they are all zero. */
static __attribute__((noinline)) uintptr_t copy(struct gg_tmd *to, const struct gg_tmd *from)
{
	const uintptr_t *source = (const void *)from;
	uintptr_t *target = (void *)to;
	uint64_t words = RARE;
	uintptr_t rare = 0;

#pragma GCC unroll UNROLL
	for (uint32_t at = 0; at < WORDS; at++) {
		const uintptr_t word = mmio_read_word(&source[at]);

		target[at] = word;
		rare |= word & BITS(words, 0);
		words >>= sizeof(word) / 4;
	}
	return rare;
}

/* The same for a place that has the words of the TMD that is kept: those that must be as they were are only compared.
 * Returns 0 if they are. */
static __attribute__((noinline)) uintptr_t copy_again(struct gg_tmd *to, const struct gg_tmd *from)
{
	const uintptr_t *source = (const void *)from;
	uintptr_t *target = (void *)to;
	uintptr_t wrong = 0;

#pragma GCC unroll 64
	for (uint32_t at = 0; at < WORDS; at++) {
		const uintptr_t word = mmio_read_word(&source[at]);

		wrong |= word & BITS(RARE | LISTS, at);
		if (BITS(KERNEL, at) != 0) {
			wrong |= (word ^ target[at]) & BITS(KERNEL, at);
		}
		if (BITS(RARE | LISTS | KERNEL, at) != UINTPTR_MAX) {
			target[at] = word;
		}
	}
	return wrong;
}

/* Whether a header is that of a grid that uses none of the rare attributes. */
static inline bool is_plain(uint32_t header)
{
	const uint32_t usual =
		GG_TMD_VERSION | GG_TMD_MODE | GG_TMD_PRIORITY | GG_TMD_HEAD | GG_TMD_BARRIER;

	return (header & ~usual) == gg_put(GG_TMD_TYPE, GG_TASK_TYPE_GRID);
}

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
	task->rules.plain = rare == 0 && is_plain(task->tmd.header);
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
		return check(task, copy(&task->tmd, &task->tmd));
	}
	task->rules = *rules;
	task->rules.priority = (uint8_t)gg_get(task->tmd.header, GG_TMD_PRIORITY);
	return check_grid(task) && check_width(task) && check_kernel(task);
}

bool tmd_check_child(struct task *task, struct task *parent, const struct gg_tmd *tmd)
{
	task->source.parent = parent;
	return check(task, copy(&task->tmd, tmd));
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
	const uintptr_t rare = copy(&task->tmd, device_pointer(address));

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
	if (wanted && task->rules.plain && task->source.trusted && task->source.parent == NULL) {
		keep(task);
	}
	return true;
}

/* Makes a clean place one that has the words of a TMD that is kept, and what was computed from it. */
static __attribute__((cold, noinline)) void prepare(struct task *task, const struct known *one)
{
	task->tmd = one->tmd;
	task->rules.kept = one->number;
	task->rules.needs = one->needs;
	task->rules.unit_mask = one->unit_mask;
	task->rules.priority = (uint8_t)gg_get(one->tmd.header, GG_TMD_PRIORITY);
	task->rules.mode = one->mode;
	task->rules.plain = true;
}

uint32_t tmd_take_again(struct task *task, struct task_name name)
{
	const struct gg_tmd *tmd = NULL;
	const struct known *one = NULL;

	if (tmd_may_be_at(name.address)) {
		uint32_t kernel = 0, x = 0, yz = 0;

		tmd = device_pointer(name.address);
		if (CP_KEPT > 1) {
			kernel = kernel_of(tmd);
			x = mmio_read32(&tmd->grid_x);
			yz = mmio_read32(&tmd->grid_yz);
		}
		one = find(key_of(kernel, x, yz));
		if (CP_KEPT > 1 && one == NULL && is_plain(mmio_read32(&tmd->header))) {
			one = keep_size(kernel, x, yz);
		}
	}
	if (one == NULL) {
		wanted = true;
		return 0;
	}
	if (task->rules.kept != one->number) {
		prepare(task, one);
	}
	/* The arguments are what changes from launch to launch. */
	wanted = copy_again(&task->tmd, tmd) != 0 || task->tmd.generation != name.generation ||
		 !args_fit(&task->tmd);
	if (wanted) {
		task->rules.kept = 0; /* the place has words of another TMD now */
		return 0;
	}
	return one->ctas;
}
