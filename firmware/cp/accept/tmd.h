/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * TMDs (S0-R01…R04): copies a TMD into a task and checks the copy completely, before it has any effect.
 *
 * The host can change a TMD while it is read, so only the copy is checked and used. A refusal names the field and its
 * value. A field that asks for something that this firmware does not do is refused as unsupported, never ignored.
 */
#ifndef FIRMWARE_CP_ACCEPT_TMD_H
#define FIRMWARE_CP_ACCEPT_TMD_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

/** Whether a device address that the host or a kernel names may be that of a TMD: aligned, and in the heap. */
static inline bool tmd_may_be_at(uint64_t address)
{
	return address % sizeof(struct gg_tmd) == 0 && device_holds(address, sizeof(struct gg_tmd));
}

/** CTAs of a grid of a size, at most 32 + 16 + 16 bits. */
static inline uint64_t tmd_ctas(uint32_t x, uint32_t yz)
{
	return (uint64_t)x * gg_get(yz, GG_TMD_GRID_Y) * gg_get(yz, GG_TMD_GRID_Z);
}

/** Work-items of a grid along x. */
static inline uint64_t tmd_width(uint32_t x, uint32_t block_xy)
{
	return (uint64_t)x * gg_get(block_xy, GG_TMD_BLOCK_X);
}

/** Whether the arguments are aligned, and in the heap. */
static inline bool tmd_args_fit(const struct gg_tmd *tmd)
{
	const uint64_t args = gg_join(tmd->args_lo, tmd->args_hi);

	return tmd->args_bytes == 0 || (device_holds(args, tmd->args_bytes) && args % 16 == 0);
}

/** Whether a header is that of a grid that uses none of the rare attributes. */
static inline bool tmd_is_plain(uint32_t header)
{
	const uint32_t usual = GG_TMD_VERSION | GG_TMD_MODE | GG_TMD_PRIORITY | GG_TMD_HEAD |
			       GG_TMD_BARRIER | GG_TMD_SHORT;

	return (header & ~usual) == gg_put(GG_TMD_TYPE, GG_TASK_TYPE_GRID);
}

/** Copy a TMD into a task and check it. On success `rules` and the work of the task are filled in.
 * @param task  From the pool, with `source` filled in.
 * @return      false: refused, with task->failure set. */
bool tmd_take(struct task *task, struct task_name name);

/** Like tmd_take(), for a TMD that is already in `task->tmd`, and that tmd_check_child() has found right with another grid,
 * priority and arguments.
 * @param rules  What it found. The arguments lie in the heap. */
bool tmd_check_known(struct task *task, const struct task_rules *rules);

/** The mode of a plain grid of several CTAs: one that leaves it to the device may be pulled if it does not fit.
 * @param mode  What its TMD says.
 * @param most  CTAs of its kind that fit into the device. */
uint32_t tmd_mode(uint32_t mode, uint64_t ctas, uint32_t most);

/** Choose whether a task of several CTAs, all of which are to run, is pulled: if it is a plain grid whose mode is DEVICE, and does not
 * fit into the device at once. tmd_take() has done it. */
void tmd_choose_mode(struct task *task);

/** Like tmd_take(), for a TMD in the CP's own memory, which is checked as that of a child of `parent`. */
bool tmd_check_child(struct task *task, struct task *parent, const struct gg_tmd *tmd);

#endif /* FIRMWARE_CP_ACCEPT_TMD_H */
