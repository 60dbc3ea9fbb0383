/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A device in arrays, for tests of the control processor: its memory (fake_memory.h), and SMs that the test controls.
 * What is above them, the host and the turn of the control processor, is the whole scheduler's
 * (fake_whole.c), or small fakes stand in for the rooms that a program does not link (rooms/).
 */
#ifndef TESTS_UNIT_FAKE_DEVICE_H
#define TESTS_UNIT_FAKE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"
#include "tests/unit/fake_memory.h"

/* A CTA that the SMs have been given. */
struct fake_cta {
	uint32_t sm;
	uint32_t slot;
	uint32_t task;  /* packet.task */
	uint32_t start; /* its bit of packet.starts */
	uint32_t units; /* that it takes */
	uint32_t cga;   /* packet.cga */
	uint64_t cta;   /* linear number */
	uint32_t first; /* queue task: number of its first item, low word */
	uint32_t items; /* queue task: items */
	uint64_t kept;  /* while it is parked: where its SM keeps it */
};

/* All rooms as after boot, with this many SMs. */
void fake_device_init(uint32_t sms);

/* The rooms that are linked, as after boot. */
void fake_rooms_init(void);

/* A turn of the control processor. True if more is to be done. */
bool fake_turn(void);

/* Write a command into a channel's ring and ring. */
void fake_post(uint32_t channel, struct gg_command command);

/* Post SUBMIT of a TMD; generation 0. */
void fake_submit(uint32_t channel, uint32_t tag, const struct gg_tmd *tmd);

/* Turns of the control processor's loop until nothing is left to do; fails after `limit`. */
void fake_settle(uint32_t limit);

/* Take the packets that are in an SM's ring. Returns the number of CTAs now in its hands. */
uint32_t fake_take_packets(uint32_t sm);

/* CTAs that SMs keep for tasks whose CTAs were parked, those of tasks that have ended since among them. */
uint32_t fake_parked(void);

/* Who takes the packets of PULL grids; NULL: there are none. */
extern void (*fake_take_streams)(uint32_t sm, const struct gg_packet *packet);

/* CTAs in the hands of the SMs: fake_ctas[0 … fake_cta_count). */
extern struct fake_cta fake_ctas[];
extern uint32_t fake_cta_count;

/* A CTA ends: its SM reports it, or counts it when it belongs to a wave, which fake_take_packets() has seen. The last of fake_ctas takes its place. */
void fake_end(uint32_t index, enum gg_status status);

/* Starts of the closed wave that an SM is a part of, as it has looked just now; 0: it is in none. */
uint32_t fake_wave(uint32_t sm, uint32_t slot);

/* An SM leaves the wave that it is a part of, or is in none. */
void fake_wave_leave(uint32_t sm, uint32_t slot);

/* An SM counts itself in its wave, with this many CTAs, which have ended well. */
void fake_wave_count(uint32_t sm, uint32_t slot, uint32_t ctas);

/* SMs that are parts of waves that were opened leave them, and report what has ended. */
void fake_look(void);

/* The hart of an SM stops, with all CTAs that the SM has, and sleeps in the start code: as after a bug of its own, or when
 * it was asked to stop. */
void fake_sm_stop(uint32_t sm);

/* The hart of an SM, which the CP has started again, says that it runs. It knows nothing of before. */
void fake_sm_start(uint32_t sm);

/* An SM rings its bell: something of it has changed. */
void fake_bell(uint32_t sm);

/* Take the next completion; false when there is none. */
bool fake_completion(struct gg_completion *completion);

#endif /* TESTS_UNIT_FAKE_DEVICE_H */
