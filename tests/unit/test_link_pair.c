/* SPDX-License-Identifier: Apache-2.0 */
/* Host and device over a line that loses, doubles, changes, exchanges and delays bytes: nothing is
 * lost and nothing is done twice.
 * sources: tests/unit/fake_line.c host/lib/transport/link.c firmware/link/frame.c firmware/link/device.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/ganger_abi.h"
#include "tests/unit/fake_line.h"

#define SEEDS        16u
#define SESSIONS     12u
#define REQUESTS     200u /* of a session */
#define FAULTS_LEAST 10000u
#define SCRATCH      64u /* bytes at the end that the model does not follow */

static struct fake_line line;
static struct link host;
static unsigned char model[LINE_MEMORY]; /* what memory has to be */

/** The device's owner changes a byte after each write to it: to write again would undo that. */
static void touch(struct fake_line *what)
{
	const uint8_t *body = what->last_written;
	const uint64_t at = frame_get(body + FRAME_AT_ADDRESS, 8) - LINE_BASE;

	if ((body[FRAME_AT_TYPE] == FRAME_WRITE || body[FRAME_AT_TYPE] == FRAME_CLEAR) &&
	    at < LINE_MEMORY - SCRATCH)
		what->memory[at]++;
}

static void open_line(uint32_t seed)
{
	const struct link_line end = fake_line_host(&line);

	assert_int_equal(link_open(&host, &end, seed), GG_OK);
	assert_int_equal(host.window, LINE_BASE);
	assert_int_equal(host.data_max, FRAME_DATA_MAX);
}

static void one_write(uint32_t at, uint32_t bytes)
{
	uint8_t data[600] = { 0 };

	for (uint32_t i = 0; i < bytes; i++)
		data[i] = (uint8_t)(fake_line_random(&line, 3) == 0 ? 0
								    : fake_line_random(&line, 256));
	assert_int_equal(link_write(&host, LINE_BASE + at, data, bytes), GG_OK);
	memcpy(model + at, data, bytes);
	for (uint32_t i = 0; i < bytes; i += FRAME_DATA_MAX)
		model[at + i]++;
}

/** Zeros go by their number, but for a few. */
static void one_clear(uint32_t at, uint32_t bytes)
{
	static const uint8_t zeros[600];

	assert_int_equal(link_write(&host, LINE_BASE + at, zeros, bytes), GG_OK);
	memset(model + at, 0, bytes);
	model[at]++;
}

static void one_read(uint32_t at, uint32_t bytes)
{
	uint8_t data[600] = { 0 };

	assert_int_equal(link_read(&host, LINE_BASE + at, data, bytes), GG_OK);
	assert_memory_equal(data, model + at, bytes);
}

/** A request inside of one range, of random length, long and short. */
static void one_request(void)
{
	const uint32_t half = LINE_MEMORY / 2;
	const uint32_t range = fake_line_random(&line, 2) * half;
	const uint32_t bytes =
		1 + fake_line_random(&line, fake_line_random(&line, 4) == 0 ? 600 : 40);
	const uint32_t at = range + fake_line_random(&line, half - SCRATCH - bytes);

	switch (fake_line_random(&line, 6)) {
	case 0:
		assert_int_equal(link_ring(&host), GG_OK);
		break;
	case 1:
		assert_int_equal(link_read(&host, LINE_BASE - 4, model + LINE_MEMORY - SCRATCH, 8),
				 GG_ERR_ARGUMENT);
		break;
	case 2:
		one_clear(at, bytes);
		break;
	case 3:
	case 4:
		one_write(at, bytes);
		break;
	default:
		one_read(at, bytes);
		break;
	}
}

/** A host that dies with a request on its way: it may be done, but not once another host is there. */
static void die(void)
{
	uint8_t frame[FRAME_MAX];
	uint8_t *body = frame + FRAME_LEAD;
	const struct link_line end = fake_line_host(&line);

	frame_put(body + FRAME_AT_ADDRESS, LINE_BASE + LINE_MEMORY - SCRATCH, 8);
	frame_put(body + FRAME_AT_WRITTEN, 0x55, 4);
	frame_head(body, FRAME_WRITE, host.session, host.sequence + 1u);
	for (uint32_t i = fake_line_random(&line, 4); i > 0; i--)
		assert_true(end.send(end.what, frame, frame_seal(frame, FRAME_AT_WRITTEN + 4)));
}

static void session(uint32_t number)
{
	uint32_t done;

	open_line(number * 2654435761u);
	done = line.device.done;
	for (uint32_t i = 0; i < REQUESTS; i++) {
		one_request();
		assert_int_equal(line.device.done - done, host.counts.requests);
		if (fake_line_random(&line, 8) == 0 && link_device_ring(&line.device))
			fake_line_device_sends(&line);
	}
	assert_int_equal(link_listen(&host), GG_OK);
	assert_memory_equal(line.memory, model, LINE_MEMORY - SCRATCH);
}

/* S8: at least 10,000 faults, over many sessions; every request is done exactly once. */
static void faults(void **state)
{
	uint32_t made = 0, rang = 0, repeated = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		fake_line_init(&line, seed);
		line.faults = (struct line_faults){ .byte = 8u * seed, .chunk = 600u * seed };
		line.did = touch;
		memset(model, 0, sizeof(model));
		for (uint32_t i = 0; i < SESSIONS; i++) {
			session(seed * 100 + i);
			die();
			rang += host.rang;
		}
		made += line.faults_made;
		repeated += line.device.repeated;
	}
	print_message("%u faults, %u requests came again\n", made, repeated);
	assert_true(made >= FAULTS_LEAST);
	assert_true(rang > 0);
	assert_true(repeated > 0);
}

/* A HELLO that comes late ends nobody's session, and takes no answer away. */
static void late_hello(void **state)
{
	uint8_t frame[FRAME_MAX];
	const struct link_line end = fake_line_host(&line);
	uint32_t word = 7;

	(void)state;
	fake_line_init(&line, 1);
	open_line(1);
	for (uint32_t i = 0; i < 300; i++) {
		frame_head(frame + FRAME_LEAD, FRAME_HELLO, i, i);
		frame_put(frame + FRAME_LEAD + FRAME_AT_MAGIC, FRAME_MAGIC, 4);
		frame_put(frame + FRAME_LEAD + FRAME_AT_VERSION, FRAME_VERSION, 2);
		assert_true(end.send(end.what, frame, frame_seal(frame, FRAME_HELLO_BYTES)));
		assert_int_equal(link_write(&host, LINE_BASE, &word, 4), GG_OK);
	}
	assert_int_equal(host.counts.repeats, 0);
}

/* A device that goes away is lost after a bounded number of tries, for good, and says so. */
static void device_goes_away(void **state)
{
	uint32_t word;
	uint64_t before;

	(void)state;
	fake_line_init(&line, 2);
	open_line(1);
	line.mute = true;
	before = line.now;
	assert_int_equal(link_read(&host, LINE_BASE, &word, 4), GG_ERR_DEVICE_LOST);
	assert_in_range(line.now - before, 1000, 60000);
	assert_string_not_equal(host.message, "");
	line.mute = false;
	assert_int_equal(link_ring(&host), GG_ERR_DEVICE_LOST);
	open_line(2); /* a new host finds it */
}

/* S3-R22: a device that answers after a minute is lost on a line of a wire, and not where the line says that the device may be slow. */
static void slow_device(void **state)
{
	static const uint32_t most[] = { LINK_WAIT_MOST_MS, 10000 };
	uint32_t word;

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		fake_line_init(&line, 4);
		open_line(1);
		host.line.wait_most_ms = most[i];
		line.mute_until = line.now + 60000;
		assert_int_equal(link_read(&host, LINE_BASE, &word, 4),
				 i == 0 ? GG_ERR_DEVICE_LOST : GG_OK);
	}
}

/* Nobody at the other end: an error within a bound. */
static void nobody(void **state)
{
	const struct link_line end = fake_line_host(&line);

	(void)state;
	fake_line_init(&line, 3);
	line.mute = true;
	assert_int_equal(link_open(&host, &end, 1), GG_ERR_NO_DEVICE);
	assert_in_range(line.now, 1000, 60000);
	assert_non_null(strstr(host.message, "not a byte"));
}

/* What may not be named is refused, changes nothing, and the session goes on. */
static void refused(void **state)
{
	static const struct {
		uint64_t address;
		uint32_t bytes;
	} bad[] = {
		{ 0, 4 },
		{ LINE_BASE - 1, 1 },
		{ LINE_BASE - 4, 8 },
		{ LINE_BASE + LINE_MEMORY, 1 },
		{ LINE_BASE + LINE_MEMORY - 4, 8 },
		{ LINE_BASE + LINE_MEMORY / 2 - 4, 8 }, /* over the end of a range */
		{ UINT64_MAX - 3, 8 },
		{ 0x100000000ull + LINE_BASE, 4 },
	};
	uint8_t data[16] = { 1, 2, 3 };
	unsigned char zeros[LINE_MEMORY] = { 0 };

	(void)state;
	fake_line_init(&line, 4);
	open_line(1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(link_write(&host, bad[i].address, data, bad[i].bytes),
				 GG_ERR_ARGUMENT);
		assert_int_equal(link_read(&host, bad[i].address, data, bad[i].bytes),
				 GG_ERR_ARGUMENT);
	}
	line.device.read_only = true;
	assert_int_equal(link_write(&host, LINE_BASE, data, 4), GG_ERR_PANIC);
	assert_memory_equal(line.memory, zeros, LINE_MEMORY);
	assert_int_equal(link_read(&host, LINE_BASE, data, 4), GG_OK);
	assert_int_equal(host.counts.repeats, 0);
}

/** A request that link.c never makes. @return its answer's type. */
static uint8_t odd_clear(uint32_t bytes, uint32_t body_bytes)
{
	uint8_t frame[FRAME_MAX] = { 0 };
	uint8_t *body = frame + FRAME_LEAD;
	const struct link_line end = fake_line_host(&line);

	frame_put(body + FRAME_AT_ADDRESS, LINE_BASE, 8);
	frame_put(body + FRAME_AT_BYTES, bytes, 2);
	frame_head(body, FRAME_CLEAR, host.session, ++host.sequence);
	assert_true(end.send(end.what, frame, frame_seal(frame, body_bytes)));
	for (uint32_t way = 0; way < 2; way++, line.now += 2)
		assert_int_equal(link_listen(&host), GG_OK);
	assert_int_equal(link_listen(&host), GG_OK);
	return host.in.body[FRAME_AT_TYPE];
}

/* S3-R22: zeros are written by their number, exactly where they belong; a device without that request gets them as data; what may not be
 * named is refused, and so is what is no request. */
static void clears(void **state)
{
	uint8_t data[600] = { 0 }, is[LINE_MEMORY], model_is[LINE_MEMORY];

	(void)state;
	fake_line_init(&line, 6);
	open_line(1);
	memset(line.memory, 0xff, LINE_MEMORY);
	memset(model_is, 0xff, LINE_MEMORY);
	for (uint32_t clear_max = FRAME_CLEAR_MAX, at = 3; at < 2000; at += 700, clear_max = 0) {
		const uint32_t before = host.counts.requests;

		assert_true(host.clear_max >= clear_max);
		host.clear_max = clear_max;
		assert_int_equal(link_write(&host, LINE_BASE + at, data, sizeof(data)), GG_OK);
		assert_int_equal(host.counts.requests - before, clear_max > 0 ? 1 : 3);
		memset(model_is + at, 0, sizeof(data));
		memcpy(is, line.memory, LINE_MEMORY);
		assert_memory_equal(is, model_is, LINE_MEMORY);
	}
	host.clear_max = FRAME_CLEAR_MAX;
	assert_int_equal(link_write(&host, LINE_BASE + LINE_MEMORY / 2 - 40, data, 80),
			 GG_ERR_ARGUMENT);
	assert_int_equal(link_write(&host, LINE_BASE - 40, data, 80), GG_ERR_ARGUMENT);
	assert_int_equal(odd_clear(8, FRAME_READ_BYTES + 1), FRAME_REFUSED);
	assert_int_equal(odd_clear(8, FRAME_READ_BYTES - 1), FRAME_REFUSED);
	line.device.read_only = true;
	assert_int_equal(link_write(&host, LINE_BASE, data, sizeof(data)), GG_ERR_PANIC);
	assert_memory_equal(line.memory, model_is, LINE_MEMORY);
}

/* Another version of the link is told apart from no link. */
static void other_version(void **state)
{
	uint8_t frame[FRAME_MAX];
	const struct link_line end = fake_line_host(&line);

	(void)state;
	fake_line_init(&line, 5);
	line.mute = true;
	frame_head(frame + FRAME_LEAD, FRAME_WELCOME, 0x0102, 0x0304);
	frame_put(frame + FRAME_LEAD + FRAME_AT_MAGIC, FRAME_MAGIC, 4);
	frame_put(frame + FRAME_LEAD + FRAME_AT_VERSION, 9, 2);
	line.device.send = frame;
	line.device.send_bytes = frame_seal(frame, FRAME_AT_OFFER);
	fake_line_device_sends(&line);
	assert_int_equal(link_open(&host, &end, 0x03040102), GG_ERR_ABI_VERSION);
	assert_non_null(strstr(host.message, "version 9"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults),      cmocka_unit_test(late_hello),
		cmocka_unit_test(nobody),      cmocka_unit_test(device_goes_away),
		cmocka_unit_test(slow_device), cmocka_unit_test(refused),
		cmocka_unit_test(clears),      cmocka_unit_test(other_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
