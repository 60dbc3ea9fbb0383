/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/link/device.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/ganger_abi.h"
#include "hal/fence.h"
#include "hal/mmio.h"

/* Memory as this processor has it, or NULL when the host may not name it. */
static unsigned char *find(const struct link_facts *facts, uint64_t address, uint32_t bytes)
{
	for (uint32_t i = 0; i < LINK_RANGES; i++) {
		const struct link_range *range = &facts->ranges[i];

		if (address >= range->base && bytes <= range->bytes &&
		    address - range->base <= range->bytes - bytes) {
			return range->at + (uintptr_t)(address - range->base);
		}
	}
	return NULL;
}

/* Bytes that can be copied in one access: registers are read and written whole. */
static bool is_word(const unsigned char *at, uint32_t left)
{
	return left >= 4 && ((uintptr_t)at & 3) == 0;
}

static void copy_out(uint8_t *to, unsigned char *from, uint32_t bytes)
{
	while (bytes > 0) {
		const bool word = is_word(from, bytes);
		const uint32_t step = word ? 4 : 1;

		frame_put(to, word ? mmio_read32((uint32_t *)(void *)from) : mmio_read8(from),
			  step);
		to += step;
		from += step;
		bytes -= step;
	}
}

/* Without `from`, zeros. */
static void copy_in(unsigned char *to, const uint8_t *from, uint32_t bytes)
{
	while (bytes > 0) {
		const bool word = is_word(to, bytes);
		const uint32_t step = word ? 4 : 1;
		const uint32_t value = from ? (uint32_t)frame_get(from, step) : 0;

		if (word) {
			mmio_write32((uint32_t *)(void *)to, value);
		} else {
			mmio_write8(to, (uint8_t)value);
		}
		to += step;
		from += from ? step : 0;
		bytes -= step;
	}
}

/* Close the answer to the frame that was taken. */
static bool seal(struct link_device *link, uint8_t *frame, enum frame_type type, uint32_t bytes)
{
	const uint8_t *body = link->in.body;

	frame_head(frame + FRAME_LEAD, type, (uint32_t)frame_get(body + FRAME_AT_SESSION, 2),
		   (uint32_t)frame_get(body + FRAME_AT_SEQUENCE, 2));
	link->send = frame;
	link->send_bytes = frame_seal(frame, bytes);
	return true;
}

static void answer(struct link_device *link, enum frame_type type, uint32_t bytes)
{
	(void)seal(link, link->answer, type, bytes);
	link->answer_bytes = link->send_bytes;
}

static void refuse(struct link_device *link, enum gg_status status)
{
	frame_put(link->answer + FRAME_LEAD + FRAME_AT_STATUS, (uint32_t)status, 4);
	answer(link, FRAME_REFUSED, FRAME_REFUSED_BYTES);
}

static void do_read(struct link_device *link)
{
	const uint8_t *body = link->in.body;
	const uint32_t bytes = (uint32_t)frame_get(body + FRAME_AT_BYTES, 2);
	unsigned char *from = find(link->facts, frame_get(body + FRAME_AT_ADDRESS, 8), bytes);

	if (link->in.bytes != FRAME_READ_BYTES || bytes > FRAME_DATA_MAX || from == NULL) {
		refuse(link, GG_ERR_ARGUMENT);
		return;
	}
	fence_full(); /* read nothing that is older than what the host has read before */
	copy_out(link->answer + FRAME_LEAD + FRAME_AT_PAYLOAD, from, bytes);
	answer(link, FRAME_DATA, FRAME_AT_PAYLOAD + bytes);
}

/* WRITE has its data, CLEAR its number of bytes behind the address. */
static void do_write(struct link_device *link)
{
	const uint8_t *body = link->in.body;
	const bool clear = body[FRAME_AT_TYPE] == FRAME_CLEAR;
	const uint32_t got =
		link->in.bytes -
		FRAME_AT_WRITTEN; /* the difference wraps for a frame that is too short */
	const uint32_t bytes = clear ? (uint32_t)frame_get(body + FRAME_AT_BYTES, 2) : got;
	unsigned char *to = find(link->facts, frame_get(body + FRAME_AT_ADDRESS, 8), bytes);

	if (link->read_only || got > FRAME_DATA_MAX ||
	    (clear && link->in.bytes != FRAME_READ_BYTES) || to == NULL) {
		refuse(link, link->read_only ? GG_ERR_PANIC : GG_ERR_ARGUMENT);
		return;
	}
	fence_full(); /* a word that publishes something must come after what it publishes */
	copy_in(to, clear ? NULL : body + FRAME_AT_WRITTEN, bytes);
	answer(link, FRAME_DONE, FRAME_AT_PAYLOAD);
}

static void do_request(struct link_device *link)
{
	switch (link->in.body[FRAME_AT_TYPE]) {
	case FRAME_READ:
		do_read(link);
		break;
	case FRAME_WRITE:
	case FRAME_CLEAR:
		do_write(link);
		break;
	case FRAME_RING: /* nothing to do: the control processor looks at its mailbox in any case */
		answer(link, FRAME_DONE, FRAME_AT_PAYLOAD);
		break;
	default:
		refuse(link, GG_ERR_UNSUPPORTED);
		break;
	}
	link->done++;
}

/* The same HELLO again gets the same offer: its host may have accepted the first answer. */
static bool welcome(struct link_device *link)
{
	const uint32_t hello = (uint32_t)frame_get(link->in.body + FRAME_AT_SESSION, 4);
	uint8_t *body = link->other + FRAME_LEAD;

	if (link->in.bytes < FRAME_HELLO_BYTES ||
	    frame_get(link->in.body + FRAME_AT_MAGIC, 4) != FRAME_MAGIC) {
		return false;
	}
	if (link->offer == 0 || hello != link->hello) {
		do {
			link->counter++;
		} while (link->counter == 0 || link->counter == link->session);
		link->offer = link->counter;
		link->hello = hello;
	}
	frame_put(body + FRAME_AT_MAGIC, FRAME_MAGIC, 4);
	frame_put(body + FRAME_AT_VERSION, FRAME_VERSION, 2);
	frame_put(body + FRAME_AT_OFFER, link->offer, 2);
	frame_put(body + FRAME_AT_DATA_MAX, FRAME_DATA_MAX | FRAME_CLEAR_MAX << 16, 4);
	frame_put(body + FRAME_AT_RAM, link->facts->ram, 8);
	frame_put(body + FRAME_AT_RAM_BYTES, link->facts->ram_bytes, 8);
	frame_put(body + FRAME_AT_WINDOW, link->facts->window, 8);
	return seal(link, link->other, FRAME_WELCOME, FRAME_WELCOME_BYTES);
}

/* A good frame. */
static bool serve(struct link_device *link)
{
	const uint8_t *body = link->in.body;
	const uint16_t session = (uint16_t)frame_get(body + FRAME_AT_SESSION, 2);
	const uint16_t sequence = (uint16_t)frame_get(body + FRAME_AT_SEQUENCE, 2);

	if (body[FRAME_AT_TYPE] == FRAME_HELLO) {
		return welcome(link);
	}
	if (body[FRAME_AT_TYPE] == FRAME_START && session == link->offer && session != 0) {
		link->session = session;
		link->offer = 0;
		link->last = sequence;
		answer(link, FRAME_DONE, FRAME_AT_PAYLOAD);
		return true;
	}
	if (session == 0 || session != link->session) {
		return false;
	}
	if (sequence == link->last) {
		link->repeated++;
		link->send = link->answer;
		link->send_bytes = link->answer_bytes;
		return true;
	}
	if (sequence != (uint16_t)(link->last + 1)) {
		return false;
	}
	link->last = sequence;
	do_request(link);
	return true;
}

void link_device_init(struct link_device *link, const struct link_facts *facts, uint32_t seed)
{
	memset(link, 0, sizeof(*link));
	link->facts = facts;
	link->counter = (uint16_t)seed;
}

bool link_device_take(struct link_device *link, uint8_t byte)
{
	if (!frame_take(&link->in, byte)) {
		return false;
	}
	if (serve(link)) {
		return true;
	}
	link->old++;
	return false;
}

bool link_device_ring(struct link_device *link)
{
	if (link->session == 0) {
		return false;
	}
	frame_head(link->other + FRAME_LEAD, FRAME_RANG, link->session, link->last);
	link->send = link->other;
	link->send_bytes = frame_seal(link->other, FRAME_AT_PAYLOAD);
	return true;
}
