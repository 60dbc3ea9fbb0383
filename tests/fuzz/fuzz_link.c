/* SPDX-License-Identifier: Apache-2.0 */
/* What comes over a serial line, piece by piece: a head byte, and as many bytes as that says.
 * sources: host/lib/transport/link.c firmware/link/frame.c */
#include <string.h>

#include "firmware/abi/ganger_abi.h"
#include "host/lib/transport/link.h"
#include "tests/fuzz/fuzz.h"

/** Head bytes: the kind of a piece, and above it the number of bytes that follow. */
enum head {
	HEAD_KIND = 3,
	HEAD_RAW = 0, /**< Bytes of the line. */
	HEAD_FRAME =
		1, /**< The body of a frame. It gets the session and number of the last request, and its check sum. */
	HEAD_FULL = 2,  /**< The same, made as long as the last request asked. */
	HEAD_BYTES = 2, /* bits to shift by */
};

/** The line. */
struct line {
	const uint8_t *data;
	size_t bytes;
	uint64_t now;
	uint8_t head[FRAME_READ_BYTES]; /**< Of the last request. */
};

static bool line_send(void *what, const uint8_t *data, size_t bytes)
{
	struct frame_decoder decoder = { 0 };
	struct line *line = what;

	for (size_t i = 0; i < bytes && decoder.bytes < sizeof(line->head); i++)
		(void)frame_take(&decoder, data[i]);
	memcpy(line->head, decoder.body, sizeof(line->head));
	return line->bytes % 64 != 63;
}

/** Takes a piece. @return its bytes; `kind` is that of its head byte. */
static size_t next_piece(struct line *line, uint8_t *piece, uint8_t *kind)
{
	const size_t asked = line->data[0] >> HEAD_BYTES;
	const size_t bytes = asked < line->bytes - 1 ? asked : line->bytes - 1;

	*kind = line->data[0] & HEAD_KIND;
	memcpy(piece, line->data + 1, bytes);
	line->data += 1 + bytes;
	line->bytes -= 1 + bytes;
	return bytes;
}

static int line_receive(void *what, uint8_t *data, size_t most, uint32_t wait_ms)
{
	uint8_t frame[FRAME_MAX];
	uint8_t *body = frame + FRAME_LEAD;
	struct line *line = what;
	uint8_t kind;
	size_t bytes;

	line->now += wait_ms + 1;
	if (line->bytes == 0)
		return -1;
	bytes = next_piece(line, body, &kind);
	if (kind == HEAD_RAW || bytes < FRAME_AT_PAYLOAD) {
		memcpy(data, body, bytes);
		return (int)bytes;
	}
	if (kind == HEAD_FULL) {
		const size_t full = FRAME_AT_PAYLOAD + frame_get(line->head + FRAME_AT_BYTES, 2);

		if (full > bytes && full <= FRAME_BODY_MAX) {
			memset(body + bytes, 0x5a, full - bytes);
			bytes = full;
		}
	}
	memcpy(body + FRAME_AT_SESSION, line->head + FRAME_AT_SESSION, 4);
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
	const struct link_line ends = { &line,    line_send, line_receive,
					line_now, 50,        LINK_WAIT_MOST_MS };
	static uint8_t copy[FRAME_DATA_MAX + 20];
	static struct link link;

	if (link_open(&link, &ends, 1) != GG_OK)
		return 0;
	(void)!link_read(&link, link.ram, copy, sizeof(copy));
	(void)!link_write(&link, link.ram, copy, sizeof(copy));
	(void)!link_ring(&link);
	(void)!link_listen(&link);
	return 0;
}
