/* SPDX-License-Identifier: Apache-2.0 */
/* What comes over a serial line: pieces that begin with their length. A piece of an odd length is the line's bytes; one
 * of an even length is the body of a frame, which gets the session and number of the last request, and its check sum.
 * sources: host/lib/transport/link.c firmware/link/frame.c */
#include <string.h>

#include "firmware/abi/ganger_abi.h"
#include "host/lib/transport/link.h"
#include "tests/fuzz/fuzz.h"

/** The line. */
struct line {
	const uint8_t *data;
	size_t bytes;
	uint64_t now;
	uint8_t head[FRAME_AT_PAYLOAD]; /**< Of the last request. */
};

static bool line_send(void *what, const uint8_t *data, size_t bytes)
{
	struct frame_decoder decoder = { 0 };
	struct line *line = what;

	for (size_t i = 0; i < bytes; i++) {
		if (frame_take(&decoder, data[i]))
			memcpy(line->head, decoder.body, sizeof(line->head));
	}
	return true;
}

static int line_receive(void *what, uint8_t *data, size_t most, uint32_t wait_ms)
{
	uint8_t frame[FRAME_MAX];
	struct line *line = what;
	size_t bytes;

	line->now += wait_ms + 1;
	if (line->bytes == 0)
		return -1;
	bytes = line->data[0] < line->bytes - 1 ? line->data[0] : line->bytes - 1;
	memcpy(frame + FRAME_LEAD, line->data + 1, bytes);
	line->data += 1 + bytes;
	line->bytes -= 1 + bytes;
	if (bytes % 2 == 1 || bytes < FRAME_AT_PAYLOAD) {
		memcpy(data, frame + FRAME_LEAD, bytes);
		return (int)bytes;
	}
	memcpy(frame + FRAME_LEAD + FRAME_AT_SESSION, line->head + FRAME_AT_SESSION, 4);
	bytes = frame_seal(frame, (uint32_t)bytes);
	bytes = bytes < most ? bytes : most;
	memcpy(data, frame, bytes);
	return (int)bytes;
}

static uint64_t line_now(void *what)
{
	return ++((struct line *)what)->now;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct line line = { .data = data, .bytes = bytes };
	const struct link_line ends = { &line, line_send, line_receive, line_now, 50 };
	static struct link link;
	uint8_t copy[600];

	if (link_open(&link, &ends, 1) != GG_OK)
		return 0;
	(void)!link_read(&link, link.ram, copy, sizeof(copy));
	(void)!link_write(&link, link.ram, copy, sizeof(copy));
	(void)!link_ring(&link);
	(void)!link_listen(&link);
	return 0;
}
