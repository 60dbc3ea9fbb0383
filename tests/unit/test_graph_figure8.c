/* SPDX-License-Identifier: Apache-2.0 */
/* All schedules of the graph of figure 8a, and none other.
 * sources: firmware/graph/run.c firmware/graph/run_begin.c firmware/graph/choose.c
 *  firmware/graph/heap.c firmware/graph/lives.c tests/unit/graph_hand.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/graph_hand.h"

#define MIDDLE 3u /* passes 1, 2, 3 between 0 and 4 */

/* P1: R1 → R2; P2, P3, P4: R2 → R3, R4, R5; P5: these → R6. All are transients but R1 and R6. */
static void figure(const uint32_t *estimates)
{
	hand_begin();
	for (uint32_t resource = 0; resource < 6; resource++) {
		hand_resource(resource == 0 || resource == 5 ? 0 : 1024);
	}
	hand_pass(10);
	hand_read(0);
	hand_write(1);
	for (uint32_t pass = 0; pass < MIDDLE; pass++) {
		hand_pass(estimates[pass]);
		hand_read(1);
		hand_write(2 + pass);
	}
	hand_pass(10);
	for (uint32_t resource = 2; resource < 5; resource++) {
		hand_read(resource);
	}
	hand_write(5);
	hand_end();
}

/* What was seen of the middle. */
struct seen {
	uint32_t orders;  /* order of their starts, of 6 */
	uint32_t at_once; /* most at once: bit */
};

/* One schedule. `choice` says in base 3 whose turn to end it is. */
static void schedule(const struct graph_limits *limits, uint32_t choice, struct seen *seen)
{
	uint32_t running[5];
	uint32_t order[5];
	uint32_t count = 0;
	uint32_t started = 0;
	uint32_t ended = 0;
	uint32_t most = 0;

	hand_start(limits);
	for (uint64_t now = 1; !graph_run_is_over(&hand_run); now++) {
		for (uint32_t pass; (pass = hand_next(now)) != GRAPH_NONE;
		     running[count++] = pass) {
			/* P1 first; P2 to P4 after it; P5 after all (S2-R59, S2-R107) */
			assert_true(pass == 0 ? ended == 0 : ended >= (pass == 4 ? 4u : 1u));
			assert_true(pass != 0 || started == 0);
			order[started++] = pass;
		}
		assert_true(count >= 1 && count <= limits->at_once);
		most = count > most ? count : most;
		const uint32_t index = choice % 3 % count;

		choice /= 3;
		graph_run_end(&hand_run, running[index], GG_OK, now);
		running[index] = running[--count];
		ended++;
	}
	assert_int_equal(started, 5);
	assert_int_equal(ended, 5);
	assert_int_equal(order[0], 0);
	assert_int_equal(order[4], 4);
	seen->at_once |= 1u << most;
	seen->orders |= 1u << ((order[1] - 1) * 2 + (order[2] > order[3] ? 1 : 0));
	assert_int_equal(hand_run.live, 0);
}

/* S2-R63, S2-R106, S2-R107, S2-V3: whatever ends first and takes longest, P1 is first and P5 last;
 * all orders and overlaps of P2 to P4 occur: one after the other, two at once, all three. */
static void all_schedules(void **state)
{
	(void)state;
	static const uint32_t estimates[6][MIDDLE] = { { 3, 2, 1 }, { 3, 1, 2 }, { 2, 3, 1 },
						       { 1, 3, 2 }, { 2, 1, 3 }, { 1, 2, 3 } };
	struct seen seen = { 0 };

	for (uint32_t at_once = 1; at_once <= 3; at_once++) {
		struct seen now = { 0 };

		for (uint32_t index = 0; index < 6; index++) {
			figure(estimates[index]);
			for (uint32_t choice = 0; choice < 243; choice++) {
				schedule(&(struct graph_limits){ .at_once = at_once }, choice,
					 &now);
			}
		}
		assert_int_equal(now.at_once, 1u << at_once);
		assert_int_equal(now.orders, 0x3f);
		seen.at_once |= now.at_once;
	}
	assert_int_equal(seen.at_once, 0x0e);
}

/* S2-R39, S2-R78, S2-V4: the life of R2 ends with the last of P2 to P4, whichever that is. */
static void life_of_a_buffer(void **state)
{
	(void)state;
	for (uint32_t last = 1; last <= MIDDLE; last++) {
		figure((const uint32_t[]){ 1, 1, 1 });
		hand_start(&(struct graph_limits){ .at_once = 3 });
		assert_int_equal(hand_next(1), 0);
		graph_run_end(&hand_run, 0, GG_OK, 2);
		hand_expect((const uint32_t[]){ 1, 2, 3, GRAPH_NONE });
		for (uint32_t pass = 1; pass <= MIDDLE; pass++) {
			if (pass != last) {
				graph_run_end(&hand_run, pass, GG_OK, 3);
			}
		}
		assert_int_equal(hand_run.live, 4 * 1024);
		graph_run_end(&hand_run, last, GG_OK, 4);
		assert_int_equal(hand_run.live, 3 * 1024);
		assert_int_equal(hand_next(5), 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_schedules),
		cmocka_unit_test(life_of_a_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
