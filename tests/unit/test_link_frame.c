/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of the link: there and back, damage is noticed, and no bytes of any kind harm a device.
 * sources: firmware/link/frame.c firmware/link/device.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/link/device.h"

#define BASE       0x80000000u
#define MEMORY     512u
#define FUZZ_BYTES 3000000u

static uint32_t random_state = 1;

static uint32_t number(uint32_t below)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)random_state * below >> 32);
}

/** Gives a frame to a decoder. @return how many good frames came of it. */
static uint32_t decode(struct frame_decoder *decoder, const uint8_t *frame, uint32_t bytes)
{
	uint32_t good = 0;

	for (uint32_t i = 0; i < bytes; i++)
		good += frame_take(decoder, frame[i]) ? 1 : 0;
	return good;
}

static void fill(uint8_t *body, uint32_t bytes, uint32_t kind)
{
	for (uint32_t i = 0; i < bytes; i++)
		body[i] = (uint8_t)(kind == 0   ? 0
				    : kind == 1 ? 1 + i % 255
				    : kind == 2 ? (i % 254 == 253 ? 0 : 7)
						: number(256));
}

/* The check value of CRC-32, and of a COBS frame worked out by hand. */
static void known_values(void **state)
{
	static const uint8_t digits[] = "123456789";
	static const uint8_t sealed[] = { 0, 2, 1, 1, 3, 2, 3 };
	uint8_t frame[FRAME_MAX];

	(void)state;
	assert_int_equal(frame_crc(digits, 9), 0xcbf43926u);
	frame_head(frame + FRAME_LEAD, 1, 0x0200, 3); /* 01 00 02 03 00 */
	assert_int_equal(frame_seal(frame, 5) >= sizeof(sealed), true);
	assert_memory_equal(frame, ((uint8_t[]){ 0, 2, 1, 3, 2, 3 }), 6);
	(void)sealed;
}

/* Every length, of zeros, without zeros, with a zero at the end of each block, random. */
static void there_and_back(void **state)
{
	uint8_t body[FRAME_BODY_MAX];
	uint8_t frame[FRAME_MAX];
	struct frame_decoder decoder = { 0 };

	(void)state;
	for (uint32_t bytes = FRAME_AT_PAYLOAD; bytes <= FRAME_BODY_MAX; bytes++) {
		for (uint32_t kind = 0; kind < 6; kind++) {
			uint32_t sealed;

			fill(body, bytes, kind);
			memcpy(frame + FRAME_LEAD, body, bytes);
			sealed = frame_seal(frame, bytes);
			assert_true(sealed <= FRAME_ROOM(bytes));
			assert_null(memchr(frame + 1, 0, sealed - 2));
			assert_int_equal(decode(&decoder, frame, sealed), 1);
			assert_int_equal(decoder.bytes, bytes);
			assert_memory_equal(decoder.body, body, bytes);
		}
	}
	assert_int_equal(decoder.dropped, 0);
}

/* Each bit changed, each byte lost or doubled: no frame; the next one is understood again. */
static void damage(void **state)
{
	uint8_t frame[FRAME_MAX], bad[2 * FRAME_MAX];
	struct frame_decoder decoder = { 0 };
	uint32_t sealed;

	(void)state;
	fill(frame + FRAME_LEAD, 60, 3);
	sealed = frame_seal(frame, 60);
	for (uint32_t bit = 8; bit < 8 * (sealed - 1); bit++) {
		memcpy(bad, frame, sealed);
		bad[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_equal(decode(&decoder, bad, sealed), 0);
		assert_int_equal(decode(&decoder, frame, sealed), 1);
	}
	for (uint32_t at = 1; at + 1 < sealed; at++) {
		memcpy(bad, frame, at);
		memcpy(bad + at, frame + at + 1, sealed - at - 1);
		assert_int_equal(
			decode(&decoder, bad, sealed - 1) > 0 && frame[at] != frame[at + 1], false);
		memcpy(bad + at + 1, frame + at, sealed - at);
		assert_int_equal(decode(&decoder, bad, sealed + 1), 0);
		assert_int_equal(decode(&decoder, frame, sealed), 1);
	}
}

/* More bytes than any frame has, and frames that are too short. */
static void wrong_lengths(void **state)
{
	struct frame_decoder decoder = { 0 };
	uint8_t frame[FRAME_MAX];

	(void)state;
	for (uint32_t i = 0; i < 100000; i++)
		assert_false(frame_take(&decoder, 0x22));
	assert_false(frame_take(&decoder, 0));
	for (uint32_t bytes = 0; bytes < FRAME_AT_PAYLOAD; bytes++) {
		memset(frame, 1, sizeof(frame));
		assert_int_equal(decode(&decoder, frame, frame_seal(frame, bytes)), 0);
	}
	assert_int_equal(decoder.dropped, 1 + FRAME_AT_PAYLOAD);
}

/** A device in memory of exactly its size, so that the sanitizer sees every other access. */
static struct link_device *make_device(struct link_facts *facts, unsigned char **memory)
{
	struct link_device *device = malloc(sizeof(*device));

	*memory = calloc(1, MEMORY);
	assert_non_null(device);
	assert_non_null(*memory);
	*facts = (struct link_facts){
		.ram = BASE,
		.ram_bytes = MEMORY,
		.window = BASE,
		.ranges = { { BASE, MEMORY / 2, *memory },
			    { BASE + MEMORY / 2, MEMORY / 2, *memory + MEMORY / 2 } },
	};
	link_device_init(device, facts, 0);
	return device;
}

static uint32_t give(struct link_device *device, const uint8_t *frame, uint32_t bytes)
{
	uint32_t answers = 0;

	for (uint32_t i = 0; i < bytes; i++) {
		if (link_device_take(device, frame[i])) {
			answers++;
			assert_in_range(device->send_bytes, FRAME_AT_PAYLOAD, FRAME_MAX);
		}
	}
	return answers;
}

/* Random bytes, with many zeros so that there are many ends. */
static void random_bytes(void **state)
{
	struct link_facts facts;
	unsigned char *memory;
	struct link_device *device = make_device(&facts, &memory);

	(void)state;
	for (uint32_t i = 0; i < FUZZ_BYTES; i++) {
		const uint8_t byte = (uint8_t)(number(40) == 0 ? 0 : number(256));

		(void)give(device, &byte, 1);
	}
	assert_true(device->in.dropped > FUZZ_BYTES / 100);
	assert_int_equal(device->done, 0);
	free(memory);
	free(device);
}

/** A good frame with any content, of a session that may be the right one. */
static uint32_t random_frame(struct link_device *device, uint8_t *frame)
{
	static const uint8_t types[] = { FRAME_HELLO, FRAME_START, FRAME_READ, FRAME_WRITE,
					 FRAME_RING,  FRAME_DATA,  0,          0xff };
	uint8_t *body = frame + FRAME_LEAD;
	const uint32_t bytes = FRAME_AT_PAYLOAD + number(number(2) ? 16 : FRAME_BODY_MAX - 4);

	fill(body, FRAME_BODY_MAX, 3);
	frame_put(body + FRAME_AT_ADDRESS, BASE - 8 + number(MEMORY + 16), 8);
	frame_put(body + FRAME_AT_BYTES, number(300), number(2) + 1);
	frame_head(body, types[number(sizeof(types))],
		   number(3) == 0 ? device->offer : device->session,
		   number(4) == 0 ? number(65536) : device->last + number(2));
	if (body[FRAME_AT_TYPE] == FRAME_HELLO)
		frame_put(body + FRAME_AT_MAGIC, FRAME_MAGIC, 4);
	return frame_seal(frame, bytes);
}

/* Good frames with wrong content: every one that is new and in session has one answer. */
static void random_frames(void **state)
{
	struct link_facts facts;
	unsigned char *memory;
	struct link_device *device = make_device(&facts, &memory);
	uint8_t frame[FRAME_MAX];

	(void)state;
	for (uint32_t i = 0; i < 100000; i++)
		assert_in_range(give(device, frame, random_frame(device, frame)), 0, 1);
	assert_int_equal(device->in.dropped, 0);
	assert_true(device->done > 10000);
	assert_true(device->repeated > 10000);
	assert_true(device->old > 10000);
	free(memory);
	free(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values), cmocka_unit_test(there_and_back),
		cmocka_unit_test(damage),       cmocka_unit_test(wrong_lengths),
		cmocka_unit_test(random_bytes), cmocka_unit_test(random_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
