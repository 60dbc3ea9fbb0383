/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/sm/protect.h"

#include "firmware/abi/field.h"
#include "firmware/sm/cga/remote.h"
#include "firmware/sm/units.h"

#define READ_WRITE   (PROTECTION_READ | PROTECTION_WRITE)
#define READ_EXECUTE (PROTECTION_READ | PROTECTION_EXECUTE)
#define WINDOWS      4u
#define REGIONS      (4u + WINDOWS) /* with its own memory, code, arguments and heap */

/* Each region takes two entries, so a task with all its windows takes the 16 entries of a core. */
_Static_assert(2 * REGIONS <= PROTECTION_ENTRIES, "the worst task can be protected");

static uint32_t protect_rounded(uint32_t bytes, uint32_t grain)
{
	return (bytes + grain - 1) & ~(grain - 1);
}

static bool protect_add(const struct sm *sm, struct protection_table *table, uintptr_t base,
			uintptr_t bytes, uint32_t rights)
{
	return protection_add(&sm->protection, table, base, bytes, rights) == HAL_OK;
}

/* The CP has checked the windows. Its copies of them lie right behind its copy of the TMD. */
static bool protect_windows(const struct sm *sm, struct protection_table *table,
			    const struct gg_tmd *tmd)
{
	const struct gg_window *window = (const struct gg_window *)(tmd + 1);
	const struct gg_window *end = window + tmd->window_count;
	bool fits = true;

	sm_assert(tmd->window_count <= WINDOWS);
	for (; window < end && fits; window++) {
		const uint32_t rights = window->rights;

		fits = protect_add(
			sm, table, (uintptr_t)gg_join(window->base_lo, window->base_hi),
			(uintptr_t)gg_join(window->bytes_lo, gg_get(rights, GG_WINDOW_BYTES_HI)),
			(rights & GG_WINDOW_WRITE) != 0 ? READ_WRITE : PROTECTION_READ);
	}
	return fits;
}

/* What all CTAs of a task may reach, behind the memory that each has for itself. The first region that matches
 * decides. Code and arguments lie in the heap and come before it, so kernels cannot write them, whatever windows
 * there are (S3-R45); nor does a window take anything from the heap. */
static bool protect_make(const struct sm *sm, struct protection_table *table,
			 const struct gg_tmd *tmd)
{
	const uint32_t args_bytes = protect_rounded(tmd->args_bytes, sm->protection.grain);

	protection_begin(&sm->protection, table);
	return protect_add(sm, table, sm->units, sm->unit_bytes, READ_WRITE) &&
	       protect_add(sm, table, (uintptr_t)gg_join(tmd->code_lo, tmd->code_hi),
			   tmd->code_bytes, READ_EXECUTE) &&
	       protect_add(sm, table, (uintptr_t)gg_join(tmd->args_lo, tmd->args_hi), args_bytes,
			   PROTECTION_READ) &&
	       protect_add(sm, table, (uintptr_t)gg_join(tmd->heap_lo, tmd->heap_hi),
			   (uintptr_t)gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi),
			   READ_WRITE) &&
	       protect_windows(sm, table, tmd);
}

/* The table of a CTA that has windows into the shared memory of other members: that of its task, and these windows,
 * newest last. */
static bool protect_open(struct sm *sm, const struct sm_cta *cta)
{
	const uint32_t bytes = protect_rounded(cta->task->tmd->shared_bytes, sm->protection.grain);
	bool fits = true;

	sm_copy((uintptr_t)&sm->opened, (uintptr_t)&cta->task->protection, sizeof(sm->opened));
	for (uint32_t i = 0; i < cta->windows && fits; i++) {
		fits = protect_add(sm, &sm->opened, remote_shared(sm, cta, cta->window[i]), bytes,
				   READ_WRITE);
	}
	return fits;
}

/* Open as many windows into other members' memory as the core has entries for. One window always
 * fits, because the CP allows the task of a CGA fewer windows of its own. */
static SM_COLD bool protect_fit(struct sm *sm, struct sm_cta *cta)
{
	while (!protect_open(sm, cta)) {
		if (cta->windows <= 1) {
			return false;
		}
		remote_drop(cta);
	}
	return true;
}

static uintptr_t protect_bytes(const struct sm *sm, const struct sm_cta *cta)
{
	return (uintptr_t)cta->units * sm->unit_bytes;
}

static void protect_note(struct sm *sm, struct sm_cta *cta, uint32_t guard)
{
	sm->protected = cta;
	cta->protection_of = guard;
}

/* A program that launches a kernel again and again has the same table each time. One with windows is always made anew. */
void protect_prime(const struct sm *sm, struct sm_task *task, uint32_t units)
{
	if (sm->protection.entries == 0) {
		return; /* the empty table is that of all tasks */
	}
	const struct gg_tmd *tmd = task->tmd;
	const struct sm_guarded *before = &task->guarded;
	const struct sm_guarded now = {
		.code = (uintptr_t)gg_join(tmd->code_lo, tmd->code_hi),
		.args = (uintptr_t)gg_join(tmd->args_lo, tmd->args_hi),
		.heap = (uintptr_t)gg_join(tmd->heap_lo, tmd->heap_hi),
		.heap_bytes = (uintptr_t)gg_join(tmd->heap_bytes_lo, tmd->heap_bytes_hi),
		.code_bytes = tmd->window_count == 0 ? tmd->code_bytes : 0,
		.args_bytes = tmd->args_bytes,
		.units = units,
	};
	const uintptr_t other = (now.code ^ before->code) | (now.args ^ before->args) |
				(now.heap ^ before->heap) | (now.heap_bytes ^ before->heap_bytes) |
				(now.code_bytes ^ before->code_bytes) |
				(now.args_bytes ^ before->args_bytes) | (now.units ^ before->units);

	if (other != 0 || now.code_bytes == 0) {
		task->protectable = false;
		task->guard = sm->primes;
		task->guarded = now;
	}
}

void protect_forget(struct sm *sm)
{
	for (uint32_t slot = 0; slot < SM_SLOTS; slot++) {
		sm->tasks[slot].guarded.code_bytes = 0;
	}
}

/* The hart has another table: make the one of the task, if there is none yet, and load it, or the CTA's own one. */
static SM_APART bool protect_change(struct sm *sm, struct sm_cta *cta)
{
	struct sm_task *task = cta->task;
	const struct protection_table *table = &task->protection;

	task->protectable = task->protectable || protect_make(sm, &task->protection, task->tmd);
	if (!task->protectable || (cta->windows != 0 && !protect_fit(sm, cta))) {
		return false;
	}
	sm->loaded = task->guard;
	if (cta->windows != 0) {
		sm->loaded = 0;
		table = &sm->opened;
	}
	protection_load(table, cta->base, protect_bytes(sm, cta));
	protect_note(sm, cta, task->guard);
	return true;
}

bool protect_load(struct sm *sm, struct sm_cta *cta)
{
	const struct sm_task *task = cta->task;
	const uint32_t guard = task->guard;

	if (cta->windows != 0) {
		remote_prune(sm, cta);
	}
	if (sm->protected == cta && cta->protection_of == guard) {
		return true;
	}
	if (cta->windows != 0 || sm->loaded != guard) {
		return protect_change(sm, cta);
	}
	protection_move(&task->protection, cta->base, protect_bytes(sm, cta));
	protect_note(sm, cta, guard);
	return true;
}
