/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lab/lab_sms.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/base/limits.h"
#include "host/lab/lab_device.h"

#define FINE 1024u /* parts of a nanosecond in which work is counted */

/* A CTA that runs. */
struct resident {
	uint64_t ends;  /* `work` of its SM at which it ends */
	uint64_t first; /* when it was started, in ns */
	uint32_t task;  /* packet.task */
	uint32_t start; /* its lowest unit, as a bit */
};

/* CTAs of a slot's task that have ended and are not reported. */
struct gathered {
	uint64_t first;
	uint32_t task;
	uint32_t starts;
	uint32_t ctas;
};

struct sm {
	struct resident ctas[CP_UNITS];
	struct gathered gathered[CP_SLOTS];
	uint64_t next;  /* when its next CTA ends, in ns */
	uint64_t work;  /* work that each of its CTAs could have done so far, in parts of a ns */
	uint64_t until; /* `work` is up to date at this time, in ns */
	uint32_t count; /* CTAs that run */
	uint32_t taken; /* packets taken */
	uint32_t place; /* in the heap */
};

uint64_t lab_busy_ns;

static struct sm sms[CP_SMS];
static uint32_t
	heap[CP_SMS + 1]; /* SMs from entry 1 on; the one whose CTA ends next is the first */
static uint32_t heap_count;
static uint32_t lanes;
static uint64_t begin; /* lab_now when the SMs were made */
static bool is_logged; /* a line is printed for each packet */

static bool is_before(uint32_t left, uint32_t right)
{
	return sms[left].next != sms[right].next ? sms[left].next < sms[right].next : left < right;
}

static void heap_put(uint32_t place, uint32_t sm)
{
	heap[place] = sm;
	sms[sm].place = place;
}

/* Moves an SM whose `next` has changed to its place. */
static void heap_settle(uint32_t sm)
{
	uint32_t place = sms[sm].place;

	for (; place > 1 && is_before(sm, heap[place / 2]); place /= 2) {
		heap_put(place, heap[place / 2]);
	}
	for (uint32_t child = place * 2; child <= heap_count; child = place * 2) {
		if (child < heap_count && is_before(heap[child + 1], heap[child])) {
			child++;
		}
		if (!is_before(heap[child], sm)) {
			break;
		}
		heap_put(place, heap[child]);
		place = child;
	}
	heap_put(place, sm);
}

void lab_sms_init(const struct lab_setup *setup)
{
	lanes = setup->lanes;
	begin = lab_now;
	is_logged = setup->log != 0;
	heap_count = setup->sms;
	for (uint32_t sm = 0; sm < heap_count; sm++) {
		sms[sm] = (struct sm){ .next = LAB_NEVER, .until = lab_now };
		heap_put(sm + 1, sm);
	}
}

/* Counts the work that was done until a time. */
static void advance(struct sm *sm, uint64_t when)
{
	const uint64_t ns = when - sm->until;
	const uint32_t used = sm->count < lanes ? sm->count : lanes;

	if (sm->count != 0) {
		sm->work += ns * FINE * used / sm->count;
		lab_busy_ns += ns * used;
	}
	sm->until = when;
}

static void plan(uint32_t number)
{
	struct sm *sm = &sms[number];
	uint64_t least = UINT64_MAX;

	for (uint32_t index = 0; index < sm->count; index++) {
		least = sm->ctas[index].ends < least ? sm->ctas[index].ends : least;
	}
	sm->next = LAB_NEVER;
	if (sm->count != 0) {
		const uint64_t used = (uint64_t)FINE * (sm->count < lanes ? sm->count : lanes);
		const uint64_t left = least > sm->work ? least - sm->work : 0;

		assert(used != 0);
		sm->next = sm->until + (left * sm->count + used - 1) / used;
	}
	heap_settle(number);
}

static void start(struct sm *sm, const struct gg_packet *packet)
{
	const uint32_t slot = gg_get(packet->task, GG_PACKET_SLOT);
	const struct lab_task *task = &lab_tasks[device.slots[slot].tag];
	uint64_t cta = gg_join(packet->first_lo, packet->first_hi);

	for (uint32_t starts = packet->starts; starts != 0; starts &= starts - 1) {
		assert(sm->count < CP_UNITS);
		sm->ctas[sm->count++] = (struct resident){
			.ends = sm->work + lab_work_ns(task, cta++) * FINE,
			.first = sm->until,
			.task = packet->task,
			.start = bits_isolate(starts),
		};
	}
}

/* Time, SM, task, first CTA and number of CTAs. */
static void print(uint32_t number, const struct gg_packet *packet)
{
	printf("packet %" PRIu64 " %u %u %" PRIu64 " %u\n", lab_now - begin, number,
	       device.slots[gg_get(packet->task, GG_PACKET_SLOT)].tag,
	       gg_join(packet->first_lo, packet->first_hi), bits_count(packet->starts));
}

void lab_sms_take(void)
{
	uint32_t number;

	while (lab_device_rung(&number)) {
		struct sm *sm = &sms[number];
		const struct launch_rings *rings = &device.launch[number];

		advance(sm, lab_now);
		for (; sm->taken != rings->header.launch_put; sm->taken++) {
			const struct gg_packet *packet =
				&rings->packets[sm->taken % CP_LAUNCH_ENTRIES];

			device.sms[number].sync_ack = packet->assign;
			start(sm, packet);
			if (is_logged) {
				print(number, packet);
			}
		}
		device.sms[number].launch_get = sm->taken;
		plan(number);
	}
}

uint64_t lab_sms_next(void)
{
	return sms[heap[1]].next;
}

static void report(uint32_t number, struct gathered *gathered)
{
	struct gg_sm_state *words = &device.sms[number];

	device.launch[number].reports[words->report_put % CP_LAUNCH_ENTRIES] = (struct gg_report){
		.task = gathered->task,
		.starts = gathered->starts,
		.first_lo = gg_low(gathered->first),
		.first_hi = gg_high(gathered->first),
		.last_lo = gg_low(sms[number].until),
		.last_hi = gg_high(sms[number].until),
	};
	words->report_put++;
	((unsigned char *)device.bells)[number]++;
	*gathered = (struct gathered){ 0 };
}

static bool has_more(const struct sm *sm, uint32_t task)
{
	for (uint32_t index = 0; index < sm->count; index++) {
		if (sm->ctas[index].task == task) {
			return true;
		}
	}
	return false;
}

static void end(uint32_t number, uint32_t index)
{
	struct sm *sm = &sms[number];
	const struct resident cta = sm->ctas[index];
	const uint32_t slot = gg_get(cta.task, GG_PACKET_SLOT);
	struct gathered *gathered = &sm->gathered[slot];

	sm->ctas[index] = sm->ctas[--sm->count];
	if (gathered->ctas == 0 || cta.first < gathered->first) {
		gathered->first = cta.first;
	}
	gathered->task = cta.task;
	gathered->starts |= cta.start;
	gathered->ctas++;
	if (gathered->ctas >= device.slots[slot].batch || !has_more(sm, cta.task)) {
		report(number, gathered);
	}
}

void lab_sms_run(void)
{
	while (lab_sms_next() <= lab_now) {
		const uint32_t number = heap[1];
		struct sm *sm = &sms[number];

		advance(sm, sm->next);
		for (uint32_t index = sm->count; index-- > 0;) {
			if (sm->ctas[index].ends <= sm->work) {
				end(number, index);
			}
		}
		plan(number);
	}
}
