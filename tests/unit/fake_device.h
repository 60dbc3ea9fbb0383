/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A device in arrays, for tests of the control processor's units: register blocks laid out as at
 * boot, a heap, and SMs that do as they are told. The HAL's calls are counted, not made.
 */
#ifndef TESTS_UNIT_FAKE_DEVICE_H
#define TESTS_UNIT_FAKE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/task/task.h"

#define FAKE_HEAP      0x90000000u /* device address of the heap */
#define FAKE_HEAP_SIZE 0x100000u
#define FAKE_TASKS     4096u
#ifndef FAKE_WINDOW
#define FAKE_WINDOW 0x1000000u /* bytes for the register blocks */
#endif
#define FAKE_UNITS        0xa0000000u /* device address of the units of SM 0 */
#define FAKE_UNITS_STRIDE 4096u       /* from one SM's to the next */

/* What the HAL was asked to do. */
struct fake_hal {
	uint64_t now;              /* timer_now(); goes up by one at every call */
	uint32_t asked;            /* timer_now() since the last turn began: bounded */
	uint32_t host_rings;       /* doorbell_ring_host() */
	uint32_t sm_rings[CP_SMS]; /* ipi_send() to each SM */
};
extern struct fake_hal fake_hal;

/* A CTA that the SMs have been given. */
struct fake_cta {
	uint32_t sm;
	uint32_t slot;
	uint32_t task;  /* packet.task */
	uint32_t start; /* its bit of packet.starts */
	uint32_t units; /* that it takes */
	uint64_t cta;   /* linear number */
	uint32_t first; /* queue task: number of its first item, low word */
	uint32_t items; /* queue task: items */
};

/* All units as after boot, with this many SMs of 8 CTA slots, 64 warps, 32 units of 2 KiB shared
 * and 64 KiB private memory. */
void fake_device_init(uint32_t sms);

/* A TMD that is accepted: a grid of ctas × 1 × 1 CTAs of one thread, priority 5. */
struct gg_tmd fake_tmd(uint32_t ctas);

/* Put a TMD into the heap; its device address. */
uint64_t fake_put_tmd(const struct gg_tmd *tmd);

/* Bytes of the heap that nothing else uses, aligned to 256, all zero; their device address. */
uint64_t fake_alloc(uint32_t bytes);

/* Where the test sees a device address of the heap. */
void *fake_at(uint64_t address);

/* Write a command into a channel's ring and ring. */
void fake_post(uint32_t channel, struct gg_command command);

/* Post SUBMIT of a TMD; generation 0. */
void fake_submit(uint32_t channel, uint32_t tag, const struct gg_tmd *tmd);

/* Turns of the control processor's loop until nothing is left to do; fails after `limit`. */
void fake_settle(uint32_t limit);

/* The SM acknowledges its assignment, if it has one that it has not. True if it had. */
bool fake_acknowledge(uint32_t sm);

/* All SMs acknowledge, and the CP goes on, until nobody owes anything. */
void fake_acknowledge_all(void);

/* Take the packets that are in an SM's ring. Returns the number of CTAs now in its hands. */
uint32_t fake_take_packets(uint32_t sm);

/* Who takes the packets of PULL grids; NULL: there are none. */
extern void (*fake_take_streams)(uint32_t sm, const struct gg_packet *packet);

/* CTAs in the hands of the SMs: fake_ctas[0 … fake_cta_count). */
extern struct fake_cta fake_ctas[];
extern uint32_t fake_cta_count;

/* A CTA ends: its SM reports it. The last of fake_ctas takes its place. */
void fake_end(uint32_t index, enum gg_status status);

/* An SM rings its bell: something of it has changed. */
void fake_bell(uint32_t sm);

/* Take the next completion; false when there is none. */
bool fake_completion(struct gg_completion *completion);

#endif /* TESTS_UNIT_FAKE_DEVICE_H */
