/* SPDX-License-Identifier: Apache-2.0 */
#include "host/lib/transport/link.h"

#include <stdio.h>
#include <string.h>

#include "firmware/abi/ganger_abi.h"

#define TRIES       20u /* most times that a request is sent */
#define HELLO_TRIES 10u
#define START_TRIES 5u
#define LISTENS     16u /* most chunks read at a time, so that link_listen() ends on a busy line */
#define OPENS       4u  /* most attempts at a session: another host may be asking, too */
#define CLEAR_LEAST 32u /* fewest zeros in a row that are sent as their number */

/** A request, and what answers it. */
struct request {
	enum frame_type type;
	enum frame_type answer;
	uint32_t bytes; /* of the body that is in `out` */
	uint32_t tries;
	uint32_t most_ms; /* of a wait */
	uint32_t head;    /* session and sequence that the answer must have */
};

static uint8_t *body_of(struct link *link)
{
	return link->out + FRAME_LEAD;
}

static int lose(struct link *link, const char *why)
{
	link->lost = true;
	(void)snprintf(link->message, sizeof(link->message), "%s", why);
	return GG_ERR_DEVICE_LOST;
}

/** Receives a chunk of bytes; waits for at most `wait_ms`. @return false: none came. Sets `lost` if
 * the line has ended. */
static bool fill(struct link *link, uint32_t wait_ms)
{
	const int count =
		link->line.receive(link->line.what, link->chunk, sizeof(link->chunk), wait_ms);

	if (count < 0) {
		(void)lose(link, "the line to the device has ended");
		return false;
	}
	link->chunk_next = 0;
	link->chunk_bytes = (size_t)count;
	link->counts.bytes += (uint32_t)count;
	return count > 0;
}

/** Decodes the bytes that came until a good frame ends. @return false: there is none. */
static bool next_frame(struct link *link)
{
	while (link->chunk_next < link->chunk_bytes) {
		if (!frame_take(&link->in, link->chunk[link->chunk_next++]))
			continue;
		link->counts.frames++;
		if (link->in.body[FRAME_AT_TYPE] == FRAME_RANG)
			link->rang = true;
		else if (link->in.body[FRAME_AT_TYPE] < FRAME_WELCOME)
			link->counts.echoes++;
		else
			return true;
	}
	return false;
}

/** Whether the frame that came answers the request, and not an earlier one or one of another host.
 */
static bool is_answer(const struct link *link, const struct request *request)
{
	const uint8_t *body = link->in.body;
	const uint8_t type = body[FRAME_AT_TYPE];

	return (uint32_t)frame_get(body + FRAME_AT_SESSION, 4) == request->head &&
	       (type == request->answer ||
		(type == FRAME_REFUSED && link->in.bytes >= FRAME_REFUSED_BYTES));
}

/** Waits for the answer. @return false: it has not come, or the line has ended. */
static bool await(struct link *link, const struct request *request, uint32_t wait_ms)
{
	const uint64_t deadline = link->line.now(link->line.what) + wait_ms;

	for (;;) {
		uint64_t now;

		while (next_frame(link)) {
			if (is_answer(link, request))
				return true;
		}
		now = link->line.now(link->line.what);
		if (now >= deadline)
			return false;
		if (!fill(link, (uint32_t)(deadline - now)) && link->lost)
			return false;
	}
}

/** Sends the body that is in `out` again and again until it is answered; the answer is then in
 * `in`. */
static int exchange(struct link *link, const struct request *request)
{
	uint32_t wait_ms = link->line.wait_ms;
	uint32_t bytes;

	frame_head(body_of(link), request->type, request->head & 0xffffu, request->head >> 16);
	bytes = frame_seal(link->out, request->bytes);
	for (uint32_t i = 0; i < request->tries; i++) {
		link->counts.repeats += i > 0 ? 1 : 0;
		if (!link->line.send(link->line.what, link->out, bytes))
			return lose(link, "the line to the device has ended");
		if (await(link, request, wait_ms))
			return GG_OK;
		if (link->lost)
			return GG_ERR_DEVICE_LOST;
		wait_ms = wait_ms < request->most_ms / 2 ? 2 * wait_ms : request->most_ms;
	}
	return GG_ERR_TIMEOUT;
}

/** Makes a request of the session and sends it. */
static int request(struct link *link, enum frame_type type, enum frame_type answer, uint32_t bytes)
{
	struct request asked = { type, answer, bytes, TRIES, link->line.wait_most_ms, 0 };
	int status;

	if (link->lost)
		return GG_ERR_DEVICE_LOST;
	link->sequence++;
	link->counts.requests++;
	asked.head = link->session | (uint32_t)link->sequence << 16;
	status = exchange(link, &asked);
	if (status == GG_ERR_TIMEOUT)
		return lose(link,
			    "the device at the other end of the line does not answer any more");
	if (status != GG_OK || link->in.body[FRAME_AT_TYPE] != FRAME_REFUSED)
		return status;
	status = (int)(int32_t)frame_get(link->in.body + FRAME_AT_STATUS, 4);
	return status < 0 ? status : GG_ERR_ARGUMENT;
}

/** Says why no HELLO was answered. */
static int nobody(struct link *link)
{
	if (link->lost)
		return GG_ERR_NO_DEVICE;
	link->lost = true;
	if (link->counts.bytes == 0)
		(void)snprintf(link->message, sizeof(link->message),
			       "nothing answers: not a byte came");
	else if (link->counts.echoes > 0)
		(void)snprintf(link->message, sizeof(link->message),
			       "the other end only echoes what it gets: there is no device");
	else if (link->counts.frames > 0)
		(void)snprintf(link->message, sizeof(link->message),
			       "a device answers, but it begins no session");
	else
		(void)snprintf(link->message, sizeof(link->message),
			       "something else than a device, or another speed: %u bytes came, and "
			       "no frame among them",
			       link->counts.bytes);
	return GG_ERR_NO_DEVICE;
}

static int take_welcome(struct link *link)
{
	const uint8_t *body = link->in.body;
	const uint32_t version = (uint32_t)frame_get(body + FRAME_AT_VERSION, 2);

	if (link->in.bytes < FRAME_AT_OFFER || frame_get(body + FRAME_AT_MAGIC, 4) != FRAME_MAGIC)
		return nobody(link);
	link->data_max = (uint32_t)frame_get(body + FRAME_AT_DATA_MAX, 2) & ~3u;
	if (version != FRAME_VERSION || link->in.bytes < FRAME_WELCOME_BYTES ||
	    link->data_max < FRAME_DATA_LEAST) {
		link->lost = true;
		(void)snprintf(link->message, sizeof(link->message),
			       "the device speaks version %u of the link, this host %u: update %s",
			       version, FRAME_VERSION,
			       version > FRAME_VERSION ? "the host library"
						       : "the device's firmware");
		return GG_ERR_ABI_VERSION;
	}
	link->data_max = link->data_max < FRAME_DATA_MAX ? link->data_max : FRAME_DATA_MAX;
	link->clear_max = (uint32_t)frame_get(body + FRAME_AT_CLEAR_MAX, 2) & ~3u;
	link->session = (uint16_t)frame_get(body + FRAME_AT_OFFER, 2);
	link->ram = frame_get(body + FRAME_AT_RAM, 8);
	link->ram_bytes = frame_get(body + FRAME_AT_RAM_BYTES, 8);
	link->window = frame_get(body + FRAME_AT_WINDOW, 8);
	return GG_OK;
}

/** One attempt at a session. @return GG_ERR_TIMEOUT: there was no answer, or a newer session took
 * its place. */
static int try_open(struct link *link)
{
	struct request hello = { FRAME_HELLO, FRAME_WELCOME,     FRAME_HELLO_BYTES,
				 HELLO_TRIES, LINK_WAIT_MOST_MS, link->hello++ };
	struct request start = { FRAME_START, FRAME_DONE,        FRAME_AT_PAYLOAD,
				 START_TRIES, LINK_WAIT_MOST_MS, 0 };
	int status;

	frame_put(body_of(link) + FRAME_AT_MAGIC, FRAME_MAGIC, 4);
	frame_put(body_of(link) + FRAME_AT_VERSION, FRAME_VERSION, 2);
	status = exchange(link, &hello);
	if (status != GG_OK)
		return nobody(link);
	status = take_welcome(link);
	if (status != GG_OK)
		return status;
	link->sequence = (uint16_t)link->hello;
	start.head = link->session | (uint32_t)link->sequence << 16;
	return exchange(link, &start);
}

int link_open(struct link *link, const struct link_line *line, uint32_t seed)
{
	int status = GG_ERR_TIMEOUT;

	memset(link, 0, sizeof(*link));
	link->line = *line;
	link->hello = seed;
	for (uint32_t i = 0; i < OPENS && status == GG_ERR_TIMEOUT; i++)
		status = try_open(link);
	return status == GG_ERR_TIMEOUT || status == GG_ERR_DEVICE_LOST ? nobody(link) : status;
}

int link_read(struct link *link, uint64_t address, void *data, uint64_t bytes)
{
	uint8_t *to = data;

	while (bytes > 0) {
		uint32_t step = bytes < link->data_max ? (uint32_t)bytes : link->data_max;
		int status;

		frame_put(body_of(link) + FRAME_AT_ADDRESS, address, 8);
		frame_put(body_of(link) + FRAME_AT_BYTES, step, 2);
		status = request(link, FRAME_READ, FRAME_DATA, FRAME_READ_BYTES);
		if (status != GG_OK)
			return status;
		if (link->in.bytes != FRAME_AT_PAYLOAD + step)
			return lose(link, "the device answers with another number of bytes");
		memcpy(to, link->in.body + FRAME_AT_PAYLOAD, step);
		to += step;
		address += step;
		bytes -= step;
	}
	return link->lost ? GG_ERR_DEVICE_LOST : GG_OK;
}

/** How many zeros there are at the beginning, at most as many as one CLEAR takes. */
static uint32_t zeros(const struct link *link, const uint8_t *data, uint64_t bytes)
{
	uint32_t count = 0;

	while (count < bytes && count < link->clear_max && data[count] == 0)
		count++;
	return count;
}

int link_write(struct link *link, uint64_t address, const void *data, uint64_t bytes)
{
	const uint8_t *from = data;

	while (bytes > 0) {
		const uint32_t clear = zeros(link, from, bytes);
		uint32_t step = bytes < link->data_max ? (uint32_t)bytes : link->data_max;
		int status;

		frame_put(body_of(link) + FRAME_AT_ADDRESS, address, 8);
		if (clear >= CLEAR_LEAST) {
			step = clear;
			frame_put(body_of(link) + FRAME_AT_BYTES, step, 2);
			status = request(link, FRAME_CLEAR, FRAME_DONE, FRAME_READ_BYTES);
		} else {
			memcpy(body_of(link) + FRAME_AT_WRITTEN, from, step);
			status = request(link, FRAME_WRITE, FRAME_DONE, FRAME_AT_WRITTEN + step);
		}
		if (status != GG_OK)
			return status;
		from += step;
		address += step;
		bytes -= step;
	}
	return link->lost ? GG_ERR_DEVICE_LOST : GG_OK;
}

int link_ring(struct link *link)
{
	return request(link, FRAME_RING, FRAME_DONE, FRAME_AT_PAYLOAD);
}

int link_listen(struct link *link)
{
	for (uint32_t i = 0; i < LISTENS; i++) {
		while (next_frame(link)) {
		}
		if (link->lost || !fill(link, 0))
			break;
	}
	return link->lost ? GG_ERR_DEVICE_LOST : GG_OK;
}
