/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/tmd_memory.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"

#define RIGHTS (GG_WINDOW_READ | GG_WINDOW_WRITE)
#define WINDOWS_FIT \
	((CP_PMP_ENTRIES - 8u) / 2u) /* beside a CTA's memory, code, arguments and heap */

_Static_assert(CP_PMP_ENTRIES >= 8u && CP_PMP_ENTRIES <= 16u, "a task without windows fits");

static uint64_t base_of(const struct gg_window *window)
{
	return gg_join(window->base_lo, window->base_hi);
}

static uint64_t bytes_of(const struct gg_window *window)
{
	return gg_join(window->bytes_lo, gg_get(window->rights, GG_WINDOW_BYTES_HI));
}

/* A window must be readable: memory protection has no right to write alone. */
static bool check_window(struct task *task, const struct gg_window *window)
{
	const uint64_t base = base_of(window);
	const uint64_t bytes = bytes_of(window);

	if (!device_holds(base, bytes) || (base | bytes) % 4 != 0) {
		return task_refuse(task, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_BASE, base);
	}
	if (gg_get(window->rights, GG_WINDOW_READ) == 0) {
		return task_refuse(task, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_READ, 0);
	}
	return gg_get(window->rights, GG_WINDOW_WINDOW_RESERVED) == 0 ||
	       task_refuse(task, GG_ERR_WINDOW_RANGE, GG_FIELD_WINDOW_WINDOW_RESERVED,
			   window->rights);
}

static bool covers(const struct gg_window *outer, const struct gg_window *inner)
{
	const uint64_t offset = base_of(inner) - base_of(outer);

	return base_of(inner) >= base_of(outer) && bytes_of(inner) <= bytes_of(outer) &&
	       offset <= bytes_of(outer) - bytes_of(inner) &&
	       (inner->rights & RIGHTS & ~outer->rights) == 0;
}

static bool has_window(const struct task *parent, const struct gg_window *window)
{
	for (uint32_t index = 0; index < parent->tmd.window_count; index++) {
		if (covers(&parent->windows[index], window)) {
			return true;
		}
	}
	return false;
}

bool tmd_check_windows(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint64_t list = gg_join(tmd->windows_lo, tmd->windows_hi);
	const uint32_t count = tmd->window_count;

	if (count > (!task_has_cgas(task) ? TASK_WINDOWS : TASK_WINDOWS_CGA)) {
		return task_refuse(task, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOW_COUNT, count);
	}
	if (count > WINDOWS_FIT) {
		return task_refuse(task, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_WINDOW_COUNT, count);
	}
	if (count == 0) {
		return list == 0 ||
		       task_refuse(task, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOWS, list);
	}
	if (list % 4 != 0 || !device_holds(list, count * sizeof(struct gg_window))) {
		return task_refuse(task, GG_ERR_WINDOW_RANGE, GG_FIELD_TMD_WINDOWS, list);
	}
	for (uint32_t index = 0; index < count; index++) {
		struct gg_window *window = &task->windows[index];

		*window = ((const struct gg_window *)device_pointer(list))[index];
		if (!check_window(task, window)) {
			return false;
		}
		if (!task->source.trusted && !has_window(task->source.parent, window)) {
			return task_refuse(task, GG_ERR_CONTEXT, GG_FIELD_WINDOW_BASE,
					   base_of(window));
		}
	}
	return true;
}

bool tmd_check_print(struct task *task)
{
	const uint64_t print = gg_join(task->tmd.print_lo, task->tmd.print_hi);
	const uint32_t bytes = task->tmd.print_bytes;

	if (bytes == 0 && print == 0) {
		return true;
	}
	if (task->source.parent != NULL || (print | bytes) % 4 != 0 ||
	    !device_holds(print, (uint64_t)bytes + 4)) {
		return task_refuse(task, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRINT, print);
	}
	return true;
}
