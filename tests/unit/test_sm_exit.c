/* SPDX-License-Identifier: Apache-2.0 */
/* In which order an SM tells others that a CTA has ended.
 * sources: firmware/sm/cta.c firmware/sm/schedule.c firmware/sm/position.c firmware/sm/units.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/sm/cga/cga.h"
#include "firmware/sm/cta.h"
#include "firmware/sm/enter.h"
#include "firmware/sm/fault.h"
#include "firmware/sm/float.h"
#include "firmware/sm/pull/pull.h"
#include "firmware/sm/report.h"
#include "firmware/sm/schedule.h"
#include "firmware/sm/trace.h"

#define CTAS 3u

static struct gg_sm_state words;
static struct sm sm;
static struct sm_task task;
static uint32_t leaves;   /* CTAs that have left their CGA */
static uint32_t reported; /* CTAs that were reported, or gathered for a report */

/* The members find it gone from now on. */
void cga_leave(struct sm *of, struct sm_cta *cta, int32_t status)
{
	(void)of;
	(void)cta;
	(void)status;
	assert_int_equal(words.resident, CTAS - leaves);
	assert_int_equal(reported, leaves);
	leaves++;
}

static void note_report(void)
{
	reported++;
	assert_int_equal(words.resident, CTAS - reported);
}

void report_good(struct sm *of, const struct sm_cta *cta)
{
	(void)of;
	(void)cta;
	note_report();
}

void report_gather(struct sm *of, const struct sm_cta *cta, int32_t status, uint32_t fault)
{
	(void)of;
	(void)cta;
	(void)status;
	(void)fault;
	note_report();
}

static void begin(void)
{
	static const struct gg_packet packet = { .units = 1, .cga = GG_PACKET_CGA_VALID };

	memset(&words, 0, sizeof(words));
	memset(&sm, 0, sizeof(sm));
	memset(&task, 0, sizeof(task));
	sm.state = &words;
	leaves = 0;
	reported = 0;
	for (uint32_t unit = 0; unit < CTAS; unit++) {
		schedule_arrive(&sm, &packet, &task, &sm.ctas[unit], unit);
		sm.ctas[unit].state = SM_CTA_STARTED;
		sm.ctas[unit].sequence = 7;
	}
	schedule_arrived(&sm, &task, CTAS);
	assert_int_equal(words.resident, CTAS);
}

/* S1-R152: who sees that a member is resident no more can rely on its being gone for the others, however it ended. */
static void gone_before_it_is_resident_no_more(void **state)
{
	(void)state;
	begin();
	while (reported < CTAS) {
		cta_exit(&sm, schedule_first(&sm));
	}
	assert_int_equal(leaves, CTAS);
	begin();
	schedule_block(&sm, &sm.ctas[1], SM_CTA_AT_BARRIER);
	assert_int_equal(words.resident, CTAS);
	cta_fail(&sm, &sm.ctas[2], GG_ERR_ABORTED, 0);
	assert_int_equal(leaves, CTAS);
	assert_int_equal(words.resident, 0);
	assert_int_equal(words.faults, CTAS);
}

/* ---- the rest of the runtime, which is not called ---- */

void cga_begin(struct sm *of, const struct sm_cta *cta)
{
	(void)of;
	(void)cta;
	abort();
}

uint32_t fault_record(struct sm *of, const struct sm_cta *cta, const struct fault *fault)
{
	(void)of;
	(void)cta;
	(void)fault;
	abort();
}

uint32_t fault_thread(const struct sm *of, const struct sm_cta *cta)
{
	(void)of;
	(void)cta;
	abort();
}

void float_forget(struct sm *of, const struct sm_cta *cta)
{
	(void)of;
	(void)cta;
}

void pull_ended(struct sm *of, struct sm_cta *cta)
{
	(void)of;
	(void)cta;
	abort();
}

void pull_leave(struct sm *of, struct sm_cta *cta, int32_t status)
{
	(void)of;
	(void)cta;
	(void)status;
	abort();
}

void report_settle(struct sm *of, struct sm_task *ended)
{
	(void)of;
	(void)ended;
	abort();
}

void sm_begin(uintptr_t entry, uintptr_t tp, uintptr_t sp, uintptr_t block)
{
	(void)entry;
	(void)tp;
	(void)sp;
	(void)block;
	abort();
}

void trace_cta(struct sm *of, const struct sm_cta *cta, int32_t status)
{
	(void)of;
	(void)cta;
	(void)status;
	abort();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gone_before_it_is_resident_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
