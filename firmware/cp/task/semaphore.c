/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/task/semaphore.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "hal/fence.h"
#include "hal/mmio.h"

static bool check(struct task *task, uint32_t op, uint64_t address, enum gg_field address_field,
		  enum gg_field op_field)
{
	if (op > GG_SEMAPHORE_OP_XOR) {
		return task_refuse(task, GG_ERR_SEMAPHORE, op_field, op);
	}
	if (op != GG_SEMAPHORE_OP_NONE && (address % 4 != 0 || !device_holds(address, 4))) {
		return task_refuse(task, GG_ERR_SEMAPHORE, address_field, address);
	}
	return true;
}

bool semaphore_check(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;

	if ((tmd->semaphore0_op | tmd->semaphore1_op) == GG_SEMAPHORE_OP_NONE) {
		return true;
	}
	return check(task, tmd->semaphore0_op, gg_join(tmd->semaphore0_lo, tmd->semaphore0_hi),
		     GG_FIELD_TMD_SEMAPHORE0, GG_FIELD_TMD_SEMAPHORE0_OP) &&
	       check(task, tmd->semaphore1_op, gg_join(tmd->semaphore1_lo, tmd->semaphore1_hi),
		     GG_FIELD_TMD_SEMAPHORE1, GG_FIELD_TMD_SEMAPHORE1_OP);
}

static uint32_t combine(uint32_t op, uint32_t old, uint32_t value)
{
	switch (op) {
	case GG_SEMAPHORE_OP_ADD:
		return old + value;
	case GG_SEMAPHORE_OP_MINIMUM:
		return value < old ? value : old;
	case GG_SEMAPHORE_OP_MAXIMUM:
		return value > old ? value : old;
	case GG_SEMAPHORE_OP_AND:
		return old & value;
	case GG_SEMAPHORE_OP_OR:
		return old | value;
	case GG_SEMAPHORE_OP_XOR:
		return old ^ value;
	default:
		return value;
	}
}

/* Only the CP changes semaphores, so a plain read and a plain write are enough. */
static void release(uint32_t op, uint64_t address, uint32_t value)
{
	if (op != GG_SEMAPHORE_OP_NONE) {
		uint32_t *word = device_words(address);

		mmio_write32(word, combine(op, mmio_read32(word), value));
	}
}

void semaphore_release(const struct gg_tmd *tmd)
{
	if ((tmd->semaphore0_op | tmd->semaphore1_op) == GG_SEMAPHORE_OP_NONE) {
		return;
	}
	fence_full(); /* what the task's CTAs wrote becomes visible before the semaphores change */
	release(tmd->semaphore0_op, gg_join(tmd->semaphore0_lo, tmd->semaphore0_hi),
		tmd->semaphore0_value);
	release(tmd->semaphore1_op, gg_join(tmd->semaphore1_lo, tmd->semaphore1_hi),
		tmd->semaphore1_value);
}
