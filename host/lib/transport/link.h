/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The host's half of the link (docs/ABI.md): requests over a line of bytes that may lose, double
 * or change some. One request at a time, repeated until it is answered; a request is done once
 * however often it is repeated. Every wait has a bound: then the device counts as lost, for good.
 * For one thread at a time.
 */
#ifndef HOST_LIB_TRANSPORT_LINK_H
#define HOST_LIB_TRANSPORT_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/link/frame.h"

/** The line, as the link uses it. */
struct link_line {
	void *what; /**< Given to each. */
	/** Send bytes; bounded. @return false: the line has ended. */
	bool (*send)(void *what, const uint8_t *data, size_t bytes);
	/** Take what has come; waits for the first byte at most so long. @return bytes; 0: none has
	 * come; negative: the line has ended. */
	int (*receive)(void *what, uint8_t *data, size_t most, uint32_t wait_ms);
	/** Milliseconds of a clock that never jumps. */
	uint64_t (*now)(void *what);
	uint32_t wait_ms; /**< First wait for an answer: what two frames take, and more. */
};

/** Traffic; all wrap. */
struct link_counts {
	uint32_t requests; /**< Requests, START and HELLO left out. */
	uint32_t repeats;  /**< Frames sent again. */
	uint32_t frames;   /**< Good frames that came. */
	uint32_t bytes;    /**< Bytes that came. */
	uint32_t echoes;   /**< Frames of our own that came back. */
};

/** An end of a link. */
struct link {
	struct link_line line;
	struct frame_decoder in;
	uint8_t out[FRAME_MAX]; /**< The request on its way. */
	uint8_t chunk[512];     /**< Bytes that came … */
	size_t chunk_bytes;     /**< … so many … */
	size_t chunk_next;      /**< … and the next to be looked at. */
	uint32_t hello;         /**< Number of the next HELLO. */
	uint16_t session;
	uint16_t sequence; /**< Of the last request. */
	uint32_t data_max; /**< Most bytes of a frame. */
	bool rang;         /**< The device rang; cleared by the reader. */
	bool lost;         /**< No request can succeed any more. */
	uint64_t ram;      /**< Address of device memory, … */
	uint64_t ram_bytes;
	uint64_t window; /**< … and of the capability block. */
	struct link_counts counts;
	char message[160]; /**< What went wrong, in words; empty at first. */
};

/** Begin a session; whoever had one with the device has none then.
 * @param seed  Any number, not the same for two hosts.
 * @return GG_OK, GG_ERR_NO_DEVICE (no answer, or no link at the other end; the message tells),
 *         GG_ERR_ABI_VERSION (it speaks another version). */
__attribute__((warn_unused_result)) int link_open(struct link *link, const struct link_line *line,
						  uint32_t seed);

/** Copy from device memory. @return GG_OK, GG_ERR_DEVICE_LOST, what the device refused it with. */
__attribute__((warn_unused_result)) int link_read(struct link *link, uint64_t address, void *data,
						  uint64_t bytes);

/** Copy to device memory; done when it returns. @return as link_read(). */
__attribute__((warn_unused_result)) int link_write(struct link *link, uint64_t address,
						   const void *data, uint64_t bytes);

/** The doorbell of the device. @return as link_read(). */
__attribute__((warn_unused_result)) int link_ring(struct link *link);

/** Take what has come without having been asked for: sets `rang`. Does not wait.
 * @return GG_OK, GG_ERR_DEVICE_LOST. */
__attribute__((warn_unused_result)) int link_listen(struct link *link);

#endif /* HOST_LIB_TRANSPORT_LINK_H */
