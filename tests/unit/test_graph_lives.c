/* SPDX-License-Identifier: Apache-2.0 */
/* Lives of transient buffers, and what emphasis on resources, or much memory in use, makes of them.
 * sources: firmware/graph/run.c firmware/graph/run_begin.c firmware/graph/choose.c
 *  firmware/graph/heap.c firmware/graph/lives.c tests/unit/graph_hand.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/graph/lives.h"
#include "tests/unit/graph_hand.h"

#define EXPECT(...) hand_expect((const uint32_t[]){ __VA_ARGS__, GRAPH_NONE })
#define BYTES       4096u
#define BRANCHES    8u

static const struct graph_limits thrifty = { .at_once = 1, .resource = true };

static void end(uint32_t pass)
{
	graph_run_end(&hand_run, pass, GG_OK, 50);
}

/* In turn, what the run gives; @return most bytes alive. */
static uint64_t run_all(const struct graph_limits *limits)
{
	uint32_t running[16];
	uint32_t count = 0;
	uint64_t most = 0;

	hand_start(limits);
	while (!graph_run_is_over(&hand_run)) {
		for (uint32_t pass; (pass = hand_next(1)) != GRAPH_NONE; running[count++] = pass) {
		}
		most = hand_run.live > most ? hand_run.live : most;
		end(running[0]);
		memmove(running, running + 1, --count * sizeof(running[0]));
	}
	assert_int_equal(hand_run.live, 0);
	return most;
}

/* Branches: one pass makes a buffer, another uses it up. */
static void branches(void)
{
	hand_begin();
	for (uint32_t branch = 0; branch < BRANCHES; branch++) {
		hand_pass(10);
		hand_write(hand_resource(BYTES));
	}
	for (uint32_t branch = 0; branch < BRANCHES; branch++) {
		hand_pass(10);
		hand_read(branch);
	}
	hand_end();
}

/* S2-R69, S2-R75, S2-R76, S2-R80: with speed all branches run at once, first what makes buffers; with resources one
 * after the other, each buffer used up before the next is made. */
static void emphasis(void **state)
{
	(void)state;
	branches();
	assert_int_equal(run_all(&(struct graph_limits){ .at_once = BRANCHES }), BRANCHES * BYTES);
	assert_int_equal(hand_run.most_at_once, BRANCHES);
	assert_int_equal(run_all(&(struct graph_limits){ .at_once = 1, .live_bytes = UINT64_MAX }),
			 BRANCHES * BYTES);
	assert_int_equal(run_all(&thrifty), BYTES);
	assert_int_equal(hand_run.most_at_once, 1);
}

/* S2-R76, S2-R81: with speed too, above three quarters of the planned bytes, or above what the caller says, a pass
 * that ends a life comes before one of higher rank; at or below it, rank counts. */
static void memory_is_high(void **state)
{
	(void)state;
	branches();
	hand_start(&(struct graph_limits){ .at_once = 1 });
	assert_int_equal(hand_run.limits.live_bytes, BRANCHES * BYTES / 4 * 3);
	for (uint32_t pass = 0; pass < 6; pass++) {
		EXPECT(pass);
		end(pass);
	}
	EXPECT(6); /* 6 of 8 buffers are not above three quarters */
	end(6);
	EXPECT(8); /* 7 are */
	end(8);
	EXPECT(7);

	branches();
	assert_int_equal(run_all(&(struct graph_limits){ .at_once = 1, .live_bytes = 2 * BYTES }),
			 3 * BYTES);
	branches();
	assert_int_equal(run_all(&(struct graph_limits){ .at_once = 1, .live_bytes = 1 }), BYTES);
}

/* S2-R77, S2-R78, S2-A12: the possible last passes of one buffer come together, at the same time or one behind the other,
 * though passes of higher rank are ready. */
static void last_passes_together(void **state)
{
	(void)state;
	hand_begin();
	hand_resource(BYTES);
	hand_pass(1000); /* 0 makes it; 1, 5 read it; 2, 3, 4 have nothing to do with it */
	hand_write(0);
	for (uint32_t pass = 1; pass < 6; pass++) {
		hand_pass(100 + pass % 5);
		if (pass == 1 || pass == 5) {
			hand_read(0);
		}
	}
	hand_end();
	hand_start(&thrifty);
	EXPECT(4);
	end(4);
	EXPECT(3);
	end(3);
	EXPECT(2);
	end(2);
	EXPECT(0);
	end(0);
	EXPECT(1);
	end(1);
	EXPECT(5);

	hand_start(&(struct graph_limits){ .at_once = 2, .live_bytes = 1 });
	EXPECT(0, 4);
	end(0);
	EXPECT(1);
	end(4);
	EXPECT(5);
	end(1);
	end(5);
	assert_int_equal(hand_run.live, 0);
	EXPECT(3, 2);
}

/* S2-R77: when others have read a buffer, the last reader gains all of it, and comes before a pass that gains more
 * than its share was. */
static void the_last_reader_rises(void **state)
{
	(void)state;
	hand_begin();
	hand_resource(BYTES);
	hand_resource(BYTES * 3 / 4);
	hand_pass(10); /* 0 makes both */
	hand_write(0);
	hand_write(1);
	hand_pass(20); /* 1, 2, 3 read the first, a quarter each; 4 the second */
	hand_read(0);
	hand_pass(20);
	hand_read(0);
	hand_pass(10);
	hand_read(0);
	hand_pass(10);
	hand_read(1);
	hand_end();
	for (uint32_t resource = 0; resource < 2; resource++) {
		hand_start(&(struct graph_limits){
			.at_once = 3, .resource = resource != 0, .live_bytes = 1 });
		EXPECT(0);
		end(0);
		assert_int_equal(graph_lives_gain(&hand, 3), BYTES / 4);
		EXPECT(4, 1, 2);
		end(1);
		assert_int_equal(hand_next(2), 3);
	}
	hand_start(&thrifty);
	EXPECT(0);
	end(0);
	graph_run_next(&hand_run, 1); /* 4 */
	end(4);
	EXPECT(1);
	end(1);
	assert_int_equal(hand.passes[3].gain, BYTES / 4);
	EXPECT(2);
	end(2);
	assert_int_equal(hand.passes[3].gain, BYTES);
	EXPECT(3);
}

/* S2-R77: readers of a buffer share its bytes, by powers of two; above 64 of them, each has a 64th all the same. */
static void a_share_of_many(void **state)
{
	static const struct {
		uint32_t readers, parts;
	} cases[] = {
		{ 1, 1 }, { 2, 2 }, { 3, 4 }, { 33, 64 }, { 64, 64 }, { 65, 64 }, { 300, 64 }
	};

	(void)state;
	for (uint32_t index = 0; index < sizeof(cases) / sizeof(cases[0]); index++) {
		hand_begin();
		hand_resource(BYTES);
		hand_pass(10);
		hand_write(0);
		for (uint32_t reader = 0; reader < cases[index].readers; reader++) {
			hand_pass(10);
			hand_read(0);
		}
		hand_end();
		hand_start(&thrifty);
		EXPECT(0);
		end(0);
		assert_int_equal(graph_lives_gain(&hand, 1), BYTES / cases[index].parts);
	}
}

/* S2-R77: the last reader passes others, of higher rank, that were before it. */
static void past_others(void **state)
{
	(void)state;
	hand_begin();
	hand_resource(BYTES);
	hand_resource(BYTES);
	hand_pass(10);
	hand_write(0);
	hand_write(1);
	for (uint32_t pass = 1; pass < 5; pass++) { /* 1, 4: read the first; 2, 3: the second */
		hand_pass(100 - pass);
		hand_read(pass == 2 || pass == 3);
	}
	hand_end();
	hand_start(&thrifty);
	EXPECT(0);
	end(0);
	EXPECT(1);
	end(1);
	EXPECT(4);
}

/* S2-R39: a life begins with the first writer, and ends with the last user of the last version, whatever the versions before
 * it; a buffer that nobody reads lives as long as its writer. Buffers of the host do not count. */
static void lives(void **state)
{
	(void)state;
	hand_begin();
	hand_resource(BYTES);
	hand_resource(BYTES);
	hand_resource(0);
	hand_pass(10); /* 0, 1: co-writers */
	hand_share(0);
	hand_pass(10);
	hand_share(0);
	hand_pass(10); /* 2: reads; 3: changes in place; nobody reads that */
	hand_read(0);
	hand_write(2);
	hand_pass(10);
	hand_update(0);
	hand_pass(1); /* 4: never read */
	hand_write(1);
	hand_end();
	hand_start(&(struct graph_limits){ .at_once = 1 });
	EXPECT(0);
	assert_int_equal(hand_run.live, BYTES);
	end(0);
	EXPECT(1);
	assert_int_equal(hand_run.live, BYTES);
	end(1);
	assert_int_equal(graph_lives_gain(&hand, 2), 0); /* the next version keeps the buffer */
	EXPECT(2);
	end(2);
	assert_int_equal(hand_run.live, BYTES);
	EXPECT(3);
	end(3);
	assert_int_equal(hand_run.live, 0);
	EXPECT(4);
	assert_int_equal(hand_run.live, BYTES);
	end(4);
	assert_int_equal(hand_run.live, 0);
}

/* S2-R75: buffers that are not the graph's own live on: to write or to read one begins and ends no life. */
static void other_buffers(void **state)
{
	(void)state;
	hand_begin();
	hand_resource(0);
	hand_pass(10);
	hand_write(0);
	hand_pass(10);
	hand_read(0);
	hand_end();
	hand.resources[0].bytes = BYTES;
	hand_start(&thrifty);
	assert_int_equal(graph_lives_gain(&hand, 0), 0);
	assert_int_equal(graph_lives_gain(&hand, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_buffers),
		cmocka_unit_test(emphasis),
		cmocka_unit_test(memory_is_high),
		cmocka_unit_test(last_passes_together),
		cmocka_unit_test(the_last_reader_rises),
		cmocka_unit_test(a_share_of_many),
		cmocka_unit_test(lives),
		cmocka_unit_test(past_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
