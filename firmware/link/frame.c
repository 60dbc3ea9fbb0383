/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/link/frame.h"

#define CRC_POLYNOMIAL 0xedb88320u
#define COBS_FULL      255u /* code of a block that is not followed by a zero */

_Static_assert(FRAME_BODY_MAX + FRAME_CRC_BYTES <= 2 * (COBS_FULL - 1), "FRAME_LEAD is enough");

uint64_t frame_get(const uint8_t *at, uint32_t bytes)
{
	uint64_t value = 0;

	while (bytes > 0) {
		bytes--;
		value = value << 8 | at[bytes];
	}
	return value;
}

void frame_put(uint8_t *at, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		at[i] = (uint8_t)value;
		value >>= 8;
	}
}

/* Bit by bit: a table would need more memory than the time that it saves is worth on a line of bytes. */
uint32_t frame_crc(const uint8_t *data, uint32_t bytes)
{
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < bytes; i++) {
		crc ^= data[i];
		for (uint32_t bit = 0; bit < 8; bit++) {
			crc = crc >> 1 ^ ((crc & 1) != 0 ? CRC_POLYNOMIAL : 0);
		}
	}
	return ~crc;
}

void frame_head(uint8_t *body, enum frame_type type, uint32_t session, uint32_t sequence)
{
	body[FRAME_AT_TYPE] = (uint8_t)type;
	frame_put(body + FRAME_AT_SESSION, session, 2);
	frame_put(body + FRAME_AT_SEQUENCE, sequence, 2);
}

/* What is written never overtakes what is still to be read: FRAME_LEAD is the zero at the beginning, and one code
 * byte for each 254 bytes. */
uint32_t frame_seal(uint8_t *frame, uint32_t bytes)
{
	uint8_t *body = frame + FRAME_LEAD;
	uint32_t code = 1; /* place of the block's code byte, and end of the block */
	uint32_t at = 2;

	frame_put(body + bytes, frame_crc(body, bytes), FRAME_CRC_BYTES);
	frame[0] = 0;
	for (uint32_t i = 0; i < bytes + FRAME_CRC_BYTES; i++) {
		const uint8_t byte = body[i];

		if (at - code == COBS_FULL) {
			frame[code] = COBS_FULL;
			code = at;
			at++;
		}
		if (byte != 0) {
			frame[at] = byte;
		} else {
			frame[code] = (uint8_t)(at - code);
			code = at;
		}
		at++;
	}
	frame[code] = (uint8_t)(at - code);
	frame[at] = 0;
	return at + 1;
}

static void append(struct frame_decoder *decoder, uint8_t byte)
{
	if (decoder->bytes == sizeof(decoder->body)) {
		decoder->bad = true;
		return;
	}
	decoder->body[decoder->bytes] = byte;
	decoder->bytes++;
}

/* There is nothing between two zeros in a row; that is no damage. */
static bool end(struct frame_decoder *decoder)
{
	const uint32_t bytes = decoder->bytes - FRAME_CRC_BYTES;
	const bool some = decoder->some;
	const bool good = some && !decoder->bad && decoder->left == 0 &&
			  decoder->bytes >= FRAME_AT_PAYLOAD + FRAME_CRC_BYTES &&
			  frame_get(decoder->body + bytes, FRAME_CRC_BYTES) ==
				  frame_crc(decoder->body, bytes);

	decoder->left = 0;
	decoder->zero = false;
	decoder->bad = false;
	decoder->some = false;
	decoder->whole = good;
	decoder->bytes = good ? bytes : 0;
	decoder->dropped += some && !good ? 1 : 0;
	return good;
}

bool frame_take(struct frame_decoder *decoder, uint8_t byte)
{
	if (decoder->whole) {
		decoder->whole = false;
		decoder->bytes = 0;
	}
	if (byte == 0) {
		return end(decoder);
	}
	decoder->some = true;
	if (decoder->left > 0) {
		append(decoder, byte);
		decoder->left--;
		return false;
	}
	if (decoder->zero) {
		append(decoder, 0);
	}
	decoder->left = byte - 1u;
	decoder->zero = byte != COBS_FULL;
	return false;
}
