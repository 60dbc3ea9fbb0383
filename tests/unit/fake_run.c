/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/bits.h"
#include "tests/unit/fake_device.h"

struct gg_tmd fake_with_priority(struct gg_tmd tmd, uint32_t priority)
{
	tmd.header &= ~GG_TMD_PRIORITY;
	tmd.header |= gg_put(GG_TMD_PRIORITY, priority);
	return tmd;
}

struct gg_tmd fake_with_mode(struct gg_tmd tmd, enum gg_task_mode mode)
{
	tmd.header &= ~GG_TMD_MODE;
	tmd.header |= gg_put(GG_TMD_MODE, mode);
	return tmd;
}

struct gg_tmd fake_with_affinity(struct gg_tmd tmd, uint64_t sms)
{
	const uint64_t address = fake_alloc(CP_SMS / 8);
	uint32_t *words = fake_at(address);

	gg_split(&words[0], &words[1], sms);
	tmd.affinity_lo = gg_low(address);
	return tmd;
}

struct gg_tmd fake_with_type(struct gg_tmd tmd, enum gg_task_type type)
{
	tmd.header &= ~GG_TMD_TYPE;
	tmd.header |= gg_put(GG_TMD_TYPE, type);
	return tmd;
}

struct gg_tmd fake_own(struct gg_tmd tmd)
{
	tmd.context = 7;
	tmd.heap_lo = FAKE_HEAP;
	tmd.heap_bytes_lo = FAKE_HEAP_SIZE;
	return tmd;
}

struct gg_tmd fake_confined(struct gg_tmd tmd)
{
	tmd = fake_own(tmd);
	tmd.heap_lo = FAKE_HEAP + 4096;
	tmd.heap_bytes_lo = FAKE_HEAP_SIZE - 8192;
	tmd.code_lo = FAKE_HEAP + 0x80000;
	tmd.entry_lo = tmd.code_lo;
	return tmd;
}

uint64_t fake_put_own(struct gg_tmd tmd)
{
	tmd = fake_own(tmd);
	return fake_put_tmd(&tmd);
}

struct gg_tmd fake_queue(uint32_t capacity, uint32_t items)
{
	struct gg_tmd tmd = fake_with_type(fake_own(fake_tmd(0)), GG_TASK_TYPE_QUEUE);

	tmd.grid_yz = 0;
	tmd.queue_lo = gg_low(fake_alloc(capacity * 4));
	tmd.queue_capacity = capacity;
	tmd.queue_item_bytes = 4;
	tmd.queue_items = items;
	tmd.coalesce_us = 0xffffffffu;
	return tmd;
}

struct gg_dependent fake_edge(uint64_t tmd, enum gg_dependence_action action, uint32_t amount)
{
	return (struct gg_dependent){
		.tmd_lo = gg_low(tmd),
		.tmd_hi = gg_high(tmd),
		.action = gg_put(GG_DEPENDENT_ACTION, action) | gg_put(GG_DEPENDENT_AMOUNT, amount),
	};
}

static uint64_t put_list(const struct gg_dependent *entries, uint32_t count)
{
	const uint64_t address = fake_alloc(count * (uint32_t)sizeof(*entries));

	memcpy(fake_at(address), entries, count * sizeof(*entries));
	return address;
}

void fake_set_dependents(struct gg_tmd *tmd, const struct gg_dependent *entries, uint32_t count)
{
	tmd->dependents_lo = gg_low(put_list(entries, count));
	tmd->dependent_count = count;
}

void fake_set_after(struct gg_tmd *tmd, const uint64_t *tmds, uint32_t count)
{
	struct gg_dependent entries[64];

	assert_true(count <= 64);
	for (uint32_t index = 0; index < count; index++) {
		entries[index] = fake_edge(tmds[index], GG_DEPENDENCE_ACTION_DECREMENT, 0);
	}
	tmd->after_lo = gg_low(put_list(entries, count));
	tmd->after_count = count;
}

static void post(uint32_t channel, struct gg_command command)
{
	fake_post(channel, command);
	fake_settle(1000);
}

void fake_submit_at(uint32_t channel, uint32_t tag, uint64_t address)
{
	const struct gg_tmd *tmd = fake_at(address);

	post(channel, (struct gg_command){ .header = GG_OPCODE_SUBMIT,
					   .tag = tag,
					   .address_lo = gg_low(address),
					   .argument0 = tmd->generation });
}

uint64_t fake_run(uint32_t tag, const struct gg_tmd *tmd)
{
	const uint64_t address = fake_put_tmd(tmd);

	fake_submit_at(0, tag, address);
	return address;
}

void fake_name(uint32_t tag, enum gg_opcode opcode, uint64_t address)
{
	post(1, (struct gg_command){ .header = opcode, .tag = tag, .address_lo = gg_low(address) });
}

void fake_channel(uint32_t tag, enum gg_opcode opcode, uint32_t channel)
{
	post(1, (struct gg_command){ .header = opcode,
				     .tag = tag,
				     .argument0 = channel,
				     .argument1 = GG_TARGET_CHANNEL });
}

static enum gg_status answered(struct gg_command command)
{
	struct gg_completion done;

	fake_expect_none();
	command.tag = 0xfffffffeu;
	post(1, command);
	assert_true(fake_completion(&done));
	assert_int_equal(done.tag, command.tag);
	return (enum gg_status)(int32_t)done.status;
}

enum gg_status fake_push(uint64_t queue, uint32_t items)
{
	return answered((struct gg_command){
		.header = GG_OPCODE_PUSH, .address_lo = gg_low(queue), .argument2 = items });
}

enum gg_status fake_config(enum gg_config_part part)
{
	return answered((struct gg_command){ .header = GG_OPCODE_CONFIG, .argument0 = 1u << part });
}

void fake_floor(uint32_t per_mille)
{
	device.config->floor_per_mille = per_mille;
	assert_int_equal(fake_config(GG_CONFIG_PART_FLOOR), GG_OK);
}

uint32_t fake_take_now(void)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		fake_take_packets(sm);
	}
	return fake_cta_count;
}

uint32_t fake_take_all(void)
{
	fake_settle(1000);
	return fake_take_now();
}

void fake_end_all(void)
{
	while (fake_cta_count > 0) {
		fake_end(0, GG_OK);
		fake_settle(100);
	}
}

void fake_end_sm(uint32_t sm, enum gg_status status)
{
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm == sm) {
			fake_end(index, status);
		}
	}
	fake_settle(100);
}

void fake_finish(void)
{
	while (fake_take_all() > 0) {
		fake_end_all();
	}
}

const struct gg_answer *fake_ask(uint32_t index, struct gg_request request)
{
	const struct fake_cta *cta = &fake_ctas[index];
	struct launch_rings *rings = &device.launch[cta->sm];
	struct gg_sm_state *words = &device.sms[cta->sm];
	const uint32_t place = words->request_put % CP_LAUNCH_ENTRIES;

	assert_true(index < fake_cta_count);
	request.task = cta->task;
	rings->requests[place] = request;
	words->request_put++;
	fake_bell(cta->sm);
	return &rings->answers[place];
}

struct gg_answer fake_request(uint32_t index, struct gg_request request)
{
	const uint32_t sm = fake_ctas[index].sm;
	const struct gg_answer *answer = fake_ask(index, request);

	fake_settle(1000);
	assert_int_equal(device.launch[sm].header.request_get, device.sms[sm].request_put);
	assert_int_equal(fake_seen[sm].answers, device.sms[sm].request_put);
	return *answer;
}

enum gg_status fake_launch(uint32_t index, uint64_t address)
{
	const struct gg_request request = { .kind = GG_REQUEST_KIND_LAUNCH,
					    .address_lo = gg_low(address) };

	return (enum gg_status)(int32_t)fake_request(index, request).answer_status;
}

/* Whether a request to stop is for a CTA: for all of its task, or for those of CGAs that run again. */
static bool is_to_stop(const struct fake_cta *cta, uint32_t stop)
{
	const uint32_t bits = GG_SM_STATE_STOP_TURN | GG_SM_STATE_STOP_MEMBERS;
	const struct gg_member *members = (struct gg_member *)device.clusters[cta->sm].members;

	return (stop & ~bits) == cta->task &&
	       ((stop & GG_SM_STATE_STOP_MEMBERS) == 0 ||
		(members[bits_lowest(cta->start)].cga & GG_MEMBER_STOP) != 0);
}

/* An SM that is told to stop CTAs does so. True if it had to. */
static bool act_on_stop(uint32_t sm)
{
	const uint32_t stop = device.sms[sm].stop_slot;

	if (device.sms[sm].stop_ack == stop || device.sms[sm].hart_state == GG_HART_STATE_STOPPED) {
		return false;
	}
	assert_int_equal(fake_seen[sm].stop, stop);
	fake_take_packets(sm);
	for (uint32_t index = fake_cta_count; index-- > 0;) {
		if (fake_ctas[index].sm == sm && is_to_stop(&fake_ctas[index], stop)) {
			fake_end(index, GG_ERR_CANCELLED);
		}
	}
	device.sms[sm].stop_ack = stop;
	fake_bell(sm);
	fake_settle(1000);
	return true;
}

void fake_stop_all(void)
{
	fake_take_all();
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		while (act_on_stop(sm)) {
		}
	}
}

uint32_t fake_on_sm(uint32_t sm)
{
	uint32_t count = 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		count += fake_ctas[index].sm == sm;
	}
	return count;
}

uint32_t fake_tag(uint32_t index)
{
	return device.slots[fake_ctas[index].slot].tag;
}

uint32_t fake_count(uint32_t tag)
{
	uint32_t count = 0;

	for (uint32_t index = 0; index < fake_cta_count; index++) {
		count += fake_tag(index) == tag;
	}
	return count;
}

uint32_t fake_find(uint32_t tag)
{
	uint32_t index = 0;

	while (index < fake_cta_count && fake_tag(index) != tag) {
		index++;
	}
	assert_true(index < fake_cta_count);
	return index;
}

void fake_end_tag(uint32_t tag, enum gg_status status)
{
	fake_end(fake_find(tag), status);
	fake_settle(100);
}

struct gg_completion fake_expect(uint32_t tag, enum gg_status status)
{
	struct gg_completion done;

	assert_true(fake_completion(&done));
	assert_int_equal(done.tag, tag);
	assert_int_equal((int32_t)done.status, status);
	return done;
}

void fake_expect_none(void)
{
	struct gg_completion done;

	assert_false(fake_completion(&done));
}
