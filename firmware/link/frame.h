/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Frames of the link: what a host and a device say to each other over a line of bytes that may
 * lose, double, change or add some. The words are in docs/ABI.md. Shared by firmware and host.
 *
 *      00 │ COBS { type 1 │ session 2 │ sequence 2 │ payload … │ CRC-32 4 } │ 00
 *
 * Numbers are little endian. COBS takes all zeros out of a body, so a zero always is the end of a
 * frame: after any damage the next frame is understood again.
 */
#ifndef FIRMWARE_LINK_FRAME_H
#define FIRMWARE_LINK_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#define FRAME_VERSION    1u
#define FRAME_MAGIC      0x4b4c4747u /**< "GGLK" */
#define FRAME_DATA_MAX   256u        /**< Most bytes of a READ or WRITE; any end may offer fewer. */
#define FRAME_DATA_LEAST 16u         /**< Fewest that an end may offer; a multiple of 4. */
#define FRAME_CLEAR_MAX  4096u       /**< Most bytes that a host should ask for by one CLEAR. */
#define FRAME_CRC_BYTES  4u

/** Types. Answers have the top bit. */
enum frame_type {
	FRAME_HELLO = 0x01,   /**< Asks for a session. */
	FRAME_START = 0x02,   /**< Takes the session that WELCOME offered. */
	FRAME_READ = 0x03,    /**< Bytes of device memory. */
	FRAME_WRITE = 0x04,   /**< Bytes into device memory. */
	FRAME_RING = 0x05,    /**< The doorbell. */
	FRAME_CLEAR = 0x06,   /**< Zeros into device memory. */
	FRAME_WELCOME = 0x81, /**< Answer to HELLO. */
	FRAME_DONE = 0x82,    /**< START, WRITE, RING or CLEAR was done. */
	FRAME_DATA = 0x83,    /**< The bytes that READ asked for. */
	FRAME_REFUSED = 0x84, /**< Nothing was done; the payload says why. */
	FRAME_RANG =
		0x85, /**< The doorbell of the host. Nobody asked for it, and it is not repeated. */
};

/** Bytes of a body from its beginning. */
enum frame_at {
	FRAME_AT_TYPE = 0,
	FRAME_AT_SESSION =
		1, /**< HELLO and WELCOME: upper half of a number that the host chooses. */
	FRAME_AT_SEQUENCE =
		3, /**< … its lower half. In other frames the number of the request; an answer repeats it. */
	FRAME_AT_PAYLOAD = 5,

	FRAME_AT_MAGIC = 5, /**< HELLO, WELCOME: FRAME_MAGIC, 4 bytes. */
	FRAME_AT_VERSION = 9,
	FRAME_HELLO_BYTES = 11,
	FRAME_AT_OFFER = 11,     /**< WELCOME: the session; 2 bytes. */
	FRAME_AT_DATA_MAX = 13,  /**< Most bytes of data of a frame; 2 bytes. */
	FRAME_AT_CLEAR_MAX = 15, /**< Most bytes of a CLEAR, 0: the device has none; 2 bytes. */
	FRAME_AT_RAM = 17,       /**< Address of device memory; 8 bytes. */
	FRAME_AT_RAM_BYTES = 25,
	FRAME_AT_WINDOW = 33, /**< Address of the capability block. */
	FRAME_WELCOME_BYTES = 41,

	FRAME_AT_ADDRESS = 5,  /**< READ, WRITE, CLEAR: 8 bytes. */
	FRAME_AT_BYTES = 13,   /**< READ, CLEAR: 2 bytes. */
	FRAME_READ_BYTES = 15, /**< READ, CLEAR. */
	FRAME_AT_WRITTEN = 13, /**< WRITE: the data, to the end. */
	FRAME_AT_STATUS = 5,   /**< REFUSED: enum gg_status; 4 bytes. */
	FRAME_REFUSED_BYTES = 9,
};

#define FRAME_BODY_MAX   (FRAME_AT_WRITTEN + FRAME_DATA_MAX) /**< Without the CRC. */
#define FRAME_LEAD       3u /**< Room before a body: the zero, and what COBS adds to that many bytes. */
/** Bytes of the buffer for a frame whose body has `bytes` bytes. */
#define FRAME_ROOM(body) (FRAME_LEAD + (body) + FRAME_CRC_BYTES + 1u)
#define FRAME_MAX        FRAME_ROOM(FRAME_BODY_MAX)

/** A frame that is received. Set to zero before use. */
struct frame_decoder {
	uint8_t body[FRAME_BODY_MAX + FRAME_CRC_BYTES];
	uint32_t bytes;   /**< Bytes of the body so far; after its end without the CRC. */
	uint32_t left;    /**< Bytes until the next code byte. */
	uint32_t dropped; /**< Frames that were damaged; wraps. */
	bool zero;        /**< A zero belongs before the next block. */
	bool bad;         /**< The frame is too long: the rest of it is dropped. */
	bool some;        /**< A byte has come since the last zero. */
	bool whole;       /**< `body` holds a good frame; the next byte begins a new one. */
};

/** Get a number of a body.
 * @param bytes  1 to 8. */
uint64_t frame_get(const uint8_t *at, uint32_t bytes);

/** Put a number into a body. @param bytes  1 to 8. */
void frame_put(uint8_t *at, uint64_t value, uint32_t bytes);

/** CRC-32 (IEEE 802.3). */
uint32_t frame_crc(const uint8_t *data, uint32_t bytes);

/** Write the head of a body. */
void frame_head(uint8_t *body, enum frame_type type, uint32_t session, uint32_t sequence);

/** Turn a body into a frame, in place.
 * @param frame  FRAME_ROOM(bytes), with the body at frame + FRAME_LEAD.
 * @param bytes  Of the body, at most FRAME_BODY_MAX.
 * @return       Bytes of the frame, from the buffer's first on. */
uint32_t frame_seal(uint8_t *frame, uint32_t bytes);

/** Take one byte from the line. @return  true: `body` and `bytes` are those of a good frame. */
bool frame_take(struct frame_decoder *decoder, uint8_t byte);

#endif /* FIRMWARE_LINK_FRAME_H */
