/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The host's half of the link (docs/ABI.md): requests over a line of bytes that may lose, double or
 * change some of them. There is one request at a time, which is repeated until it is answered; the
 * device does a request once, however often it is repeated. Every wait has a bound; after it the
 * device counts as lost for good. For one thread at a time.
 */
#ifndef HOST_LIB_TRANSPORT_LINK_H
#define HOST_LIB_TRANSPORT_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "firmware/link/frame.h"

/** Waits for an answer double up to this, in milliseconds, unless the line says more; always at the begin of a session. */
#define LINK_WAIT_MOST_MS 1000u

/** The line, as the link uses it. */
struct link_line {
	void *what; /**< First argument of the functions. */
	/** Sends bytes within a bounded time. @return false: the line has ended. */
	bool (*send)(void *what, const uint8_t *data, size_t bytes);
	/** Takes the bytes that have come; waits at most `wait_ms` for the first. @return their
	 * number; 0: none came; negative: the line has ended. */
	int (*receive)(void *what, uint8_t *data, size_t most, uint32_t wait_ms);
	/** Milliseconds of a clock that never jumps. */
	uint64_t (*now)(void *what);
	uint32_t wait_ms; /**< First wait for an answer: more than the time of two frames. */
	/** Waits for the answer of a request of a session double up to this: LINK_WAIT_MOST_MS, or more where the other end may be
	 * a slow emulator, and where the line ends when it does. */
	uint32_t wait_most_ms;
};

/** Counts of traffic; all of them wrap. */
struct link_counts {
	uint32_t requests; /**< Requests but START and HELLO. */
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
	uint8_t chunk[512];     /**< Bytes that came. */
	size_t chunk_bytes;     /**< Number of these bytes. */
	size_t chunk_next;      /**< Index of the next one to decode. */
	uint32_t hello;         /**< Number of the next HELLO. */
	uint16_t session;
	uint16_t sequence;  /**< Number of the last request. */
	uint32_t data_max;  /**< Most bytes of a frame. */
	uint32_t clear_max; /**< Most bytes of a CLEAR; 0: the device has none. */
	bool rang;          /**< The device has rung; the reader clears it. */
	bool lost;          /**< No request can succeed any more. */
	uint64_t ram;       /**< Address of device memory. */
	uint64_t ram_bytes;
	uint64_t window; /**< Address of the capability block. */
	struct link_counts counts;
	char message[160]; /**< What went wrong, in words; empty at first. */
};

/** Begin a session; a session that another host has with the device ends.
 * @param seed Any number that differs between hosts.
 * @return GG_OK, GG_ERR_NO_DEVICE (no answer, or no link at the other end; `message` tells),
 * GG_ERR_ABI_VERSION (the device speaks another version). */
__attribute__((warn_unused_result)) int link_open(struct link *link, const struct link_line *line,
						  uint32_t seed);

/** Copy from device memory. @return GG_OK, GG_ERR_DEVICE_LOST, or the status with which the device
 * refused it. */
__attribute__((warn_unused_result)) int link_read(struct link *link, uint64_t address, void *data,
						  uint64_t bytes);

/** Copy to device memory; the device has the bytes when this returns. @return as link_read(). */
__attribute__((warn_unused_result)) int link_write(struct link *link, uint64_t address,
						   const void *data, uint64_t bytes);

/** Ring the device's doorbell. @return as link_read(). */
__attribute__((warn_unused_result)) int link_ring(struct link *link);

/** Take what the device has sent without a request: sets `rang`. Does not wait.
 * @return GG_OK, GG_ERR_DEVICE_LOST. */
__attribute__((warn_unused_result)) int link_listen(struct link *link);

#endif /* HOST_LIB_TRANSPORT_LINK_H */
