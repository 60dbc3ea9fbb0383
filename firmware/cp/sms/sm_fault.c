/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/sms/sm_fault.h"

#include <stddef.h>
#include <string.h>

#include "firmware/cp/base/device.h"
#include "firmware/cp/base/limits.h"
#include "firmware/cp/sms/sm_start.h"
#include "hal/fence.h"
#include "hal/mmio.h"

static struct gg_fault_record *records_of(uint32_t sm)
{
	return (struct gg_fault_record *)((uintptr_t)device.cap + device.cap->faults_offset) +
	       sm * CP_FAULT_ENTRIES;
}

__attribute__((cold)) uint32_t sm_fault_write(uint32_t sm, const struct task *task)
{
	struct sm_boot *count = sm_start_argument(sm);
	struct gg_fault_record *record = &records_of(sm)[count->faults % CP_FAULT_ENTRIES];

	count->faults++;
	mmio_write32(&record->sequence, 0); /* the record is not valid while it is written */
	fence_release();
	memset(record, 0, sizeof(*record));
	record->status = (uint32_t)GG_ERR_SM_LOST;
	record->sm = sm;
	if (task != NULL) {
		record->tag = task->source.tag;
		record->context = task->tmd.context;
	}
	fence_release(); /* the record before the sequence that makes it valid */
	mmio_write32(&record->sequence, count->faults);
	return count->faults;
}
