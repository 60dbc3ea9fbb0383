/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A bad line between a host's end of a link and a device's, with a clock of its own: bytes are
 * lost, doubled, changed, exchanged; what is sent at once is lost, late, or comes again later.
 */
#ifndef TESTS_UNIT_FAKE_LINE_H
#define TESTS_UNIT_FAKE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/link/device.h"
#include "host/lib/transport/link.h"

#define LINE_ROOM   16384u
#define LINE_MEMORY 4096u
#define LINE_BASE   0x80100000u

/** Bytes on their way in one direction, in the order in which they arrive: a ring. */
struct pipe_bytes {
	uint8_t byte[LINE_ROOM];
	uint64_t due[LINE_ROOM]; /**< When each arrives. */
	uint32_t first, count;
};

/** Faults, each a chance in 65,536. */
struct line_faults {
	uint32_t byte;  /**< Of each byte: lost, doubled, changed or exchanged with the next. */
	uint32_t chunk; /**< Of what is sent at once: lost, late, cut off, or coming again later. */
};

/** Line, clock and device. */
struct fake_line {
	uint64_t now; /**< Milliseconds. */
	uint32_t random;
	uint32_t faults_made;
	struct line_faults faults;
	struct pipe_bytes down; /**< To the device. */
	struct pipe_bytes up;   /**< To the host. */
	struct link_facts facts;
	struct link_device device;
	_Alignas(8) unsigned char memory[LINE_MEMORY]; /**< At LINE_BASE of the device. */
	void (*did)(
		struct fake_line *line); /**< After each request that the device did, or NULL. */
	bool mute;                       /**< The device does not answer. */
	uint64_t mute_until;             /**< Nor before this time. */
	uint8_t last_written[FRAME_BODY_MAX]; /**< Body of the last request that it did. */
};

/** A line without faults to a device that has just started. */
void fake_line_init(struct fake_line *line, uint32_t seed);

/** The host's view of it. */
struct link_line fake_line_host(struct fake_line *line);

/** A random number below `below`. */
uint32_t fake_line_random(struct fake_line *line, uint32_t below);

/** Have the device send what it wants to send. */
void fake_line_device_sends(struct fake_line *line);

#endif /* TESTS_UNIT_FAKE_LINE_H */
