/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The device's half of the link: takes bytes, does what a good frame asks for, keeps the answer.
 *
 * One request is on its way at a time. A request that comes again gets the kept answer and is not
 * done again; one that is neither the last nor the next is dropped: it is old. A session ends only
 * when a host has taken up the one that it was offered, so a late HELLO disturbs nobody.
 *
 *      HELLO ──▶ offer ──▶ START ──▶ session: next sequence ▸ done, last ▸ answered again, else ▸ dropped
 */
#ifndef FIRMWARE_LINK_DEVICE_H
#define FIRMWARE_LINK_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/link/frame.h"

/** Memory that a host may read and write. */
struct link_range {
	uint64_t base;     /**< Device address. */
	uint64_t bytes;    /**< Bytes from there. */
	unsigned char *at; /**< Where this processor has it; aligned as `base` is to 4. */
};

#define LINK_RANGES 2u

/** What the device is; constant while it is linked. */
struct link_facts {
	uint64_t ram;                          /**< Address of device memory. */
	uint64_t ram_bytes;                    /**< Bytes of it. */
	uint64_t window;                       /**< Address of the capability block. */
	struct link_range ranges[LINK_RANGES]; /**< What may be named; nothing else is touched. */
};

/** The state of a device's end. */
struct link_device {
	const struct link_facts *facts; /**< What the device is; set by link_device_init(). */
	struct frame_decoder in;        /**< The frame that is being received. */
	uint8_t answer[FRAME_MAX];      /**< The last answer, as it is sent. */
	uint32_t answer_bytes;          /**< Its bytes. */
	uint8_t other[FRAME_ROOM(
		FRAME_WELCOME_BYTES)]; /**< An answer that is not kept: WELCOME, RANG. */
	const uint8_t *send;           /**< What is to be sent: `answer` or `other` … */
	uint32_t send_bytes;           /**< … and its bytes. */
	uint32_t hello;                /**< Number of the HELLO that has the offer. */
	uint16_t session;              /**< Session in use, or 0. */
	uint16_t offer;                /**< Session that was offered, or 0. */
	uint16_t counter;              /**< The last offer. */
	uint16_t last;                 /**< Sequence of the last request done. */
	bool read_only;                /**< Writes are refused, because the device stands still. */
	uint32_t done;                 /**< Requests done or refused, START left out; wraps. */
	uint32_t repeated;             /**< Requests that came again; wraps. */
	uint32_t old;                  /**< Good frames that were dropped; wraps. */
};

/** Begin; `link` may have any content.
 * @param seed  A number that differs from one start of the device to the next, if the board has one. */
void link_device_init(struct link_device *link, const struct link_facts *facts, uint32_t seed);

/** Take one byte from the line.
 * @return  true: `send` is to be sent, and must have left before the next byte is given. */
bool link_device_take(struct link_device *link, uint8_t byte);

/** Ring the host. @return  true: `send` is to be sent; false: there is no host. */
bool link_device_ring(struct link_device *link);

#endif /* FIRMWARE_LINK_DEVICE_H */
