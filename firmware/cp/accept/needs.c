/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/accept/needs.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/schedule/throttle.h"

static uint32_t units_for(uint64_t bytes, uint32_t unit_shift)
{
	return (uint32_t)((bytes + ((uint64_t)1 << unit_shift) - 1) >> unit_shift);
}

static uint64_t private_bytes(const struct task *task)
{
	const uint32_t threads = gg_get(task->tmd.block_xy, GG_TMD_BLOCK_X) *
				 gg_get(task->tmd.block_xy, GG_TMD_BLOCK_Y) *
				 gg_get(task->tmd.block_z, GG_TMD_BLOCK_Z);

	/* without barriers the threads run one after another, on one stack (S3-Q3) */
	return gg_get(task->tmd.header, GG_TMD_BARRIER) != 0
		       ? (uint64_t)task->tmd.private_bytes * threads
		       : task->tmd.private_bytes;
}

static bool check_memory(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;
	const uint64_t private = private_bytes(task);

	const uint32_t shift = task->rules.throttle ? throttle_shift() : 0;

	if (tmd->shared_bytes > (uint64_t)device.resources.shared_bytes << shift) {
		return task_refuse(task, GG_ERR_SHARED_TOO_LARGE, GG_FIELD_TMD_SHARED_BYTES,
				   tmd->shared_bytes);
	}
	if (tmd->private_bytes == 0 || tmd->private_bytes % 16 != 0) {
		return task_refuse(task, GG_ERR_ARGUMENT, GG_FIELD_TMD_PRIVATE_BYTES,
				   tmd->private_bytes);
	}
	if (private > (uint64_t)device.resources.private_bytes << shift) {
		return task_refuse(task, GG_ERR_PRIVATE_TOO_LARGE, GG_FIELD_TMD_PRIVATE_BYTES,
				   private);
	}
	const uint32_t shared_units =
		units_for(tmd->shared_bytes, device.unit_shared_shift + shift);
	const uint32_t private_units = units_for(private, device.unit_private_shift + shift);

	task->rules.needs.units = shared_units > private_units ? shared_units : private_units;
	task->rules.unit_mask = bits_ones(task->rules.needs.units);
	return true;
}

static bool check_registers(struct task *task)
{
	const uint64_t registers =
		(uint64_t)task->tmd.registers * task->rules.needs.warps * CP_WARP_THREADS;

	if (device.resources.registers == 0) {
		return true; /* the board does not limit registers */
	}
	if (registers > device.resources.registers) {
		return task_refuse(task, GG_ERR_REGISTERS_TOO_LARGE, GG_FIELD_TMD_REGISTERS,
				   task->tmd.registers);
	}
	task->rules.needs.registers = (uint32_t)registers;
	return true;
}

bool needs_check(struct task *task)
{
	return check_memory(task) && check_registers(task);
}
