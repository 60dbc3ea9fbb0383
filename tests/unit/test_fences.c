/* SPDX-License-Identifier: Apache-2.0 */
/* Where the control processor puts fences: behind each count that it reads, before what the count speaks of, and before
 * each count that it writes. On this machine nothing goes wrong without them, so the test looks at their places.
 * sources: scheduler tests/unit/fake_run.c tests/unit/fake_graph.c tests/unit/fake_cga.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/limits.h"
#include "hal/fence.h"
#include "hal/mmio.h"
#include "tests/unit/fake_cga.h"
#include "tests/unit/fake_device.h"
#include "tests/unit/fake_graph.h"
#include "tests/unit/fake_run.h"

/* What happened, a letter each: fences as fake_fence() has them, and accesses to words of which a test speaks. */
static char events[4096];
static uint32_t count;

static struct {
	const volatile void *word;
	char read, written;
} words[16];
static uint32_t word_count;

static void note(char event)
{
	if (event != 0 && count < sizeof(events)) {
		events[count++] = event;
	}
}

void fake_fence(char kind)
{
	note(kind);
}

static uint32_t find(uintptr_t address)
{
	uint32_t word = 0;

	while (word < word_count && (uintptr_t)words[word].word != address) {
		word++;
	}
	return word;
}

bool fake_mmio_read(uintptr_t address, uint32_t bytes, uint32_t *value)
{
	(void)bytes;
	(void)value;
	note(find(address) < word_count ? words[find(address)].read : 0);
	return false;
}

bool fake_mmio_write(uintptr_t address, uint32_t bytes, uint32_t value)
{
	(void)bytes;
	(void)value;
	note(find(address) < word_count ? words[find(address)].written : 0);
	return false;
}

static void watch(const volatile void *word, char read, char written)
{
	words[word_count].word = word;
	words[word_count].read = read;
	words[word_count++].written = written;
}

/* Between each `then` and the last event before it that is in `since`, or the beginning, there is the fence. There is at
 * least one. */
static void assert_fence(const char *since, char fence, char then)
{
	uint32_t found = 0;

	for (uint32_t at = 0; at < count; at++) {
		bool fenced = false;

		for (uint32_t before = at; events[at] == then && before-- > 0;) {
			fenced = fenced || events[before] == fence;
			if (strchr(since, events[before]) != NULL) {
				break;
			}
		}
		assert_true(events[at] != then || fenced);
		found += events[at] == then;
	}
	assert_true(found > 0);
}

/* One SM. Bells b, reports: read r, taken g; packets L; requests: read q, taken G; stops S. */
static void begin(void)
{
	fake_device_init(1);
	word_count = 0;
	watch(device.bells, 'b', 0);
	watch(&device.sms[0].report_put, 'r', 0);
	watch(&device.launch[0].header.report_get, 0, 'g');
	watch(&device.launch[0].header.launch_put, 0, 'L');
	watch(&device.sms[0].request_put, 'q', 0);
	watch(&device.launch[0].header.request_get, 0, 'G');
	watch(&device.sms[0].stop_slot, 0, 'S');
	count = 0;
}

/* Packets and reports; with few CTAs left the long way, with many the short way. */
static void packets_and_reports(void **state)
{
	static const uint32_t sizes[] = { 1, 8, 9, 200 };

	(void)state;
	for (uint32_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); size++) {
		begin();

		const struct gg_tmd tmd = fake_tmd(sizes[size]);

		fake_run(1, &tmd);
		assert_fence("bL", 'R', 'L');
		for (uint32_t round = 0; round < 5 && fake_take_all() > 0; round++) {
			count = 0;
			fake_end_all();
			assert_fence("b", 'A', 'r');
			assert_fence("r", 'A', 'g');
			if (memchr(events, 'L', count) != NULL) {
				assert_fence("bL", 'R', 'L');
			}
		}
		fake_finish();
	}
}

/* Short tasks one after the other. */
static void many_tasks(void **state)
{
	const struct gg_tmd tmd = fake_tmd(1);

	(void)state;
	begin();
	for (uint32_t task = 0; task < 20; task++) {
		fake_run(task, &tmd);
	}
	for (uint32_t round = 0; round < 10 && fake_take_all() > 0; round++) {
		count = 0;
		fake_end_all();
		assert_fence("b", 'A', 'r');
		assert_fence("r", 'A', 'g');
	}
	fake_finish();
}

/* S0-R34: a wave. Its words W, whether it is open o, how many SMs are left l, when the first CTA began t, what SMs have counted k. */
static void waves(void **state)
{
	const uint32_t sms = 2 * CP_WAVE_SMS;

	(void)state;
	for (uint32_t opened = 0; opened < 2; opened++) {
		fake_device_init(sms);

		const struct gg_tmd tmd = fake_tmd(sms);
		const struct gg_tmd other = fake_tmd(sms * device.resources.ctas);

		device.cap->features |= 1u << GG_FEATURE_ATOMICS;
		word_count = 0;
		watch(&device.launch[0].header.wave, 0, 'W');
		watch(&device.waves[0].entry.open, 0, 'o');
		watch(&device.waves[0].entry.left, 'l', 0);
		watch(&device.waves[0].entry.first, 't', 0);
		watch(&device.sms[1].wave_ack, 'k', 0);
		memset(events, 0, sizeof(events));
		count = 0;
		fake_run(1, &tmd);
		assert_int_equal(device.perf->waves, 1);
		assert_non_null(strstr(events, "RW"));
		fake_take_all();
		fake_end(1, GG_OK);
		count = 0;
		if (opened != 0) {
			fake_run(2, &other);
			assert_int_equal(device.perf->waves_opened, 1);
			assert_fence("o", 'F', 'k');
			assert_fence("k", 'A', 't');
		} else {
			fake_end_all();
			assert_fence("l", 'A', 't');
		}
	}
}

/* Requests and their answers, a print among them; then the task is stopped. */
static void requests_and_stops(void **state)
{
	(void)state;
	begin();

	const uint64_t buffer = fake_alloc(1024), text = fake_alloc(64);
	struct gg_tmd tmd = fake_own(fake_tmd(1));

	tmd.print_lo = gg_low(buffer);
	tmd.print_bytes = 512;
	watch(fake_at(buffer), 0, 'P');

	const uint64_t address = fake_run(1, &tmd);

	fake_take_all();
	count = 0;
	assert_int_equal(fake_request(0, (struct gg_request){ .kind = GG_REQUEST_KIND_PRINT,
							      .source_lo = gg_low(text),
							      .count = 8,
							      .source_bytes = 8 })
				 .answer_status,
			 GG_OK);
	assert_fence("q", 'A', 'P');
	assert_fence("qA", 'R', 'P');
	assert_fence("qAP", 'R', 'G');
	count = 0;
	fake_name(2, GG_OPCODE_CANCEL, address);
	assert_fence("S", 'R', 'S');
	fake_stop_all();
	fake_finish();
}

/* A barrier that the control processor ends: who has come c, who may go w. */
static void barriers(void **state)
{
	const struct gg_tmd tmd = fake_cga(GG_DOMAIN_GPU, 1, 2);

	(void)state;
	begin();
	watch(&device.clusters[0].come[0], 'c', 0);
	watch(&device.clusters[0].go[0], 0, 'w');
	fake_run(1, &tmd);
	assert_fence("bL", 'R', 'L');
	fake_take_all();
	fake_come(1, 0, 0);
	count = 0;
	fake_come(1, 1, 0);
	assert_false(fake_waits(1, 0, 0));
	assert_fence("b", 'A', 'c');
	assert_fence("c", 'R', 'w');
	fake_finish();
}

/* S2-R31: commands of passes that the control processor itself does. */
static void graph_commands(void **state)
{
	static struct fake_graph graph;
	static const struct {
		enum gg_graph_op op;
		uint32_t a, b, c, imm;
		const char *events;
	} commands[] = {
		{ GG_GRAPH_OP_COPY, 40, 41, 255, 8, "AR" },
		{ GG_GRAPH_OP_FILL, 40, 1, 255, 8, "R" },
		{ GG_GRAPH_OP_SIGNAL, 40, 1, 0, 0, "RW" },
		{ GG_GRAPH_OP_FENCE, 0, 0, 0, 0, "F" },
	};
	char all[2][64];

	(void)state;
	for (uint32_t command = 0; command < 4; command++) {
		uint32_t counts[2];

		for (uint32_t with = 0; with < 2; with++) { /* without and with the command */
			fake_graph_fresh(&graph, 1, 1);

			const uint32_t to = fake_graph_buffer(&graph, 64);
			const uint32_t from = fake_graph_buffer(&graph, 64);

			word_count = 0;
			watch(fake_at(graph.resources[to].address_lo), 0, 'W');
			fake_graph_use(&graph, GG_GRAPH_OP_READ, from);
			fake_graph_use(&graph, GG_GRAPH_OP_WRITE, to);
			fake_graph_step(&graph, GG_GRAPH_OP_RESOURCE, 40, 0, 0, to);
			fake_graph_step(&graph, GG_GRAPH_OP_RESOURCE, 41, 0, 0, from);
			fake_graph_step(&graph, GG_GRAPH_OP_SET, 1, 0, 0, 7);
			if (with != 0) {
				fake_graph_step(&graph, commands[command].op, commands[command].a,
						commands[command].b, commands[command].c,
						commands[command].imm);
			}
			count = 0;
			fake_graph_run(&graph, 1);
			fake_expect(1, GG_OK);
			assert_true(count < sizeof(all[0]));
			counts[with] = count;
			memcpy(all[with], events, count);
			all[with][count] = 0;
		}
		assert_int_equal(counts[1] - counts[0], strlen(commands[command].events));
		assert_non_null(strstr(all[1], commands[command].events));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_and_reports),
		cmocka_unit_test(many_tasks),
		cmocka_unit_test(waves),
		cmocka_unit_test(requests_and_stops),
		cmocka_unit_test(barriers),
		cmocka_unit_test(graph_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
