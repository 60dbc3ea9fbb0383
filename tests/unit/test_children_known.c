/* SPDX-License-Identifier: Apache-2.0 */
/* Children whose TMD is known, and tasks of hosts that do not say that their TMDs are short, are not checked again. Whatever a
 * kernel changes in such a TMD is seen: it is answered as if none were known.
 * sources: scheduler tests/unit/fake_run.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/tmd_kept.h"
#include "firmware/cp/task/task_table.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_run.h"

#define WORDS (sizeof(struct gg_tmd) / 4)

static struct gg_answer launch_at(uint64_t address, uint32_t generation)
{
	return fake_request(0, (struct gg_request){ .kind = GG_REQUEST_KIND_LAUNCH,
						    .address_lo = gg_low(address),
						    .argument = generation });
}

/* Launches a TMD as a child of the first CTA. `says`: it may say that it is short. */
static struct gg_answer launch(const struct gg_tmd *tmd, bool says)
{
	const uint64_t address = fake_put_tmd(tmd);
	struct gg_tmd *put = fake_at(address);

	if (!says) {
		put->header &= ~(uint32_t)GG_TMD_SHORT;
	}
	return launch_at(address, tmd->generation);
}

/* The task beside the parent, which has begun. */
static struct task *child_of(void)
{
	assert_int_equal(fake_take_all(), 2);
	return task_table_holder(fake_ctas[1].slot);
}

/* A parent runs, and children of one TMD have run; returns the number by which it is known. */
static uint32_t begin(const struct gg_tmd *good, bool says)
{
	uint32_t number = 0;

	fake_device_init(2);
	fake_run(1, good);
	assert_int_equal(fake_take_all(), 1);
	for (uint32_t time = 0; time < 3; time++) {
		assert_int_equal(launch(good, says).answer_status, GG_OK);
		assert_int_equal(device.sms[0].state_sync, GG_SYNC_STATE_ACKED);
		number = child_of()->rules.kept;
		fake_end(1, GG_OK);
		fake_settle(100);
	}
	assert_int_not_equal(number, 0);
	return number;
}

/* S0-R07: a child of a TMD that is known is the same task, whether it says that it is short or not. */
static void it_is_known(void **state)
{
	const struct gg_tmd good = fake_confined(fake_tmd(1));

	(void)state;
	for (uint32_t round = 0; round < 4; round++) {
		const uint32_t number = begin(&good, round / 2 != 0);
		const bool says = round % 2 != 0;
		struct gg_tmd tmd = good;

		tmd.args_lo = FAKE_HEAP + 0x10000;
		tmd.args_bytes = 16;
		tmd.generation = 7;
		assert_int_equal(launch(&tmd, says).answer_status, GG_OK);
		const struct task *child = child_of();

		tmd.header |= GG_TMD_SHORT;
		assert_int_equal(child->rules.kept, number);
		assert_memory_equal(&child->tmd, &tmd, sizeof(tmd));
		assert_int_equal(child->source.tag, 1);
		assert_int_equal(child->source.depth, 1);
		assert_false(child->source.trusted);
		fake_end(1, GG_OK);
		fake_end(0, GG_OK);
		fake_settle(100);
		fake_expect(1, GG_OK);
		fake_expect_none();
	}
}

/* A child with a TMD, once known and once not. */
static void compare(const struct gg_tmd *good, const struct gg_tmd *tmd, bool says)
{
	struct gg_answer answers[2];
	struct gg_tmd taken[2];

	memset(taken, 0, sizeof(taken));
	for (uint32_t way = 0; way < 2; way++) {
		begin(good, true);
		if (way == 1) {
			tmd_kept_init();
		}
		answers[way] = launch(tmd, says);
		if (answers[way].answer_status == GG_OK && fake_take_all() > 1) {
			taken[way] = task_table_holder(fake_ctas[1].slot)->tmd;
			taken[way].header |= GG_TMD_SHORT;
		}
	}
	assert_int_equal(answers[0].answer_status, answers[1].answer_status);
	assert_int_equal(answers[0].answer_field, answers[1].answer_field);
	assert_memory_equal(&taken[0], &taken[1], sizeof(taken[0]));
}

/* S0-R07: whatever word of a TMD that is known a kernel changes, it is answered as it would be if none were known. */
static void each_word_counts(void **state)
{
	static const uint32_t bits[] = { 1, 0x10, 0x4000, 0x20000000 };
	const struct gg_tmd good = fake_confined(fake_tmd(1));

	(void)state;
	for (uint32_t word = 0; word < WORDS; word++) {
		for (uint32_t at = 0; at < 8; at++) {
			struct gg_tmd tmd = good;

			((uint32_t *)&tmd)[word] ^= bits[at / 2];
			compare(&good, &tmd, at % 2 != 0);
		}
	}
}

/* S0-R07: arguments in the heap of the parent, to the byte. */
static void arguments_inside(void **state)
{
	const struct gg_tmd good = fake_confined(fake_tmd(1));
	const uint32_t end = good.heap_lo + good.heap_bytes_lo;
	const uint32_t places[] = { good.heap_lo, good.heap_lo - 16, end - 16, end, FAKE_HEAP };

	(void)state;
	for (uint32_t at = 0; at < sizeof(places) / sizeof(places[0]); at++) {
		for (uint32_t bytes = 15; bytes < 18; bytes++) {
			struct gg_tmd tmd = good;

			tmd.args_lo = places[at];
			tmd.args_bytes = bytes;
			compare(&good, &tmd, true);
		}
	}
}

/* S0-R07: the TMD itself lies in that heap. */
static void outside(void **state)
{
	const struct gg_tmd good = fake_confined(fake_tmd(1));
	const struct gg_tmd *known;
	struct gg_answer answer;

	(void)state;
	begin(&good, true);
	known = &task_table_holder(fake_ctas[0].slot)->tmd;
	memcpy(fake_at(FAKE_HEAP), known, sizeof(*known));
	answer = launch_at(FAKE_HEAP, 0);
	assert_int_equal((int32_t)answer.answer_status, GG_ERR_CONTEXT);
	assert_int_equal(answer.answer_field, GG_FIELD_COMMAND_ADDRESS);
}

/* S0-R07: a TMD that is known because the host has launched it is none that a kernel of another context, or with another heap,
 * may launch. */
static void of_the_host(void **state)
{
	static const enum gg_field fields[] = { GG_FIELD_TMD_HEAP, GG_FIELD_TMD_HEAP,
						GG_FIELD_TMD_CONTEXT, GG_FIELD_TMD_CODE };
	const struct gg_tmd good = fake_confined(fake_tmd(1));

	(void)state;
	for (uint32_t at = 0; at < 4; at++) {
		struct gg_tmd tmd = good;
		struct gg_answer answer;

		tmd.heap_lo -= at == 0 ? 4096 : 0;
		tmd.heap_bytes_lo -= at == 1 ? 4096 : 0;
		tmd.context += at == 2;
		if (at == 3) {
			tmd.code_lo = FAKE_HEAP;
			tmd.entry_lo = FAKE_HEAP;
		}
		begin(&good, true);
		for (uint32_t time = 0; time < 2; time++) {
			fake_run(2, &tmd);
			assert_true(child_of()->rules.kept != 0 || time == 0);
			fake_end(1, GG_OK);
			fake_settle(100);
			fake_expect(2, GG_OK);
		}
		answer = launch(&tmd, true);
		assert_int_equal((int32_t)answer.answer_status, GG_ERR_CONTEXT);
		assert_int_equal(answer.answer_field, fields[at]);
	}
}

/* S0-R25: a TMD of the host that is short and does not say so is known, too, after its first tasks; what was found for it is not
 * taken for one that has other words. */
static void of_an_older_host(void **state)
{
	const struct gg_tmd good = fake_tmd(1);
	const uint64_t address = (fake_device_init(2), fake_put_tmd(&good));
	struct gg_tmd *tmd = fake_at(address);
	const struct task *task;

	(void)state;
	tmd->header &= ~(uint32_t)GG_TMD_SHORT;
	for (uint32_t time = 0; time < 4; time++) {
		tmd->gpc_mask = time == 3; /* a word that short ones do not have */
		fake_submit_at(0, time, address);
		assert_int_equal(fake_take_all(), 1);
		task = task_table_holder(fake_ctas[0].slot);
		assert_int_equal(task->rules.kept != 0, time == 2);
		assert_int_equal(task->rules.restricted, time == 3);
		fake_end(0, GG_OK);
		fake_settle(100);
		fake_expect(time, GG_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_known),      cmocka_unit_test(each_word_counts),
		cmocka_unit_test(arguments_inside), cmocka_unit_test(outside),
		cmocka_unit_test(of_the_host),      cmocka_unit_test(of_an_older_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
