/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The memory and the map of a device in arrays, for tests of the control processor's rooms: register blocks laid out
 * as at boot, and a heap with TMDs. The HAL's calls are counted, not made.
 */
#ifndef TESTS_UNIT_FAKE_MEMORY_H
#define TESTS_UNIT_FAKE_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"

#define FAKE_HEAP      0x90000000u /* device address of the heap */
#define FAKE_HEAP_SIZE 0x100000u
#define FAKE_TASKS     4096u
#ifndef FAKE_WINDOW
#define FAKE_WINDOW 0x2000000u /* bytes for the register blocks */
#endif
#define FAKE_UNITS        0xa0000000u /* device address of the units of SM 0 */
#define FAKE_UNITS_STRIDE 4096u       /* from one SM's to the next */

/* What the HAL was asked to do. */
struct fake_hal {
	uint64_t now;              /* timer_now(); goes up by one at every call, */
	uint32_t slow;             /* and by this */
	uint64_t timer;            /* timer_set(); UINT64_MAX: none, or timer_cancel() */
	uint32_t asked;            /* timer_now() since the last turn began: bounded */
	uint32_t host_rings;       /* doorbell_ring_host() */
	uint32_t sm_rings[CP_SMS]; /* ipi_send() to each SM */
	uint32_t starts[CP_SMS];   /* hart_start() of each SM's hart */
	uint32_t forced[CP_SMS];   /* hart_reset() of each SM's hart */
	bool stopped[CP_SMS];      /* each SM's hart sleeps in the start code */
	bool has_reset;            /* hart_reset() stops a hart; otherwise it is unsupported */
	bool restarts;     /* hal_restart() goes on at `restarted`; otherwise it is a failure */
	jmp_buf restarted; /* set by setjmp() */
};
extern struct fake_hal fake_hal;

/* What an SM has seen of its words: it looks when it is interrupted, and sleeps otherwise. */
struct fake_seen {
	uint32_t packets; /* launch_put */
	uint32_t wave;    /* its word of a wave */
	uint32_t open;    /* waves that are open, a bit for each slot */
	uint32_t answers; /* request_get */
	uint32_t stop;    /* stop_slot */
};
extern struct fake_seen fake_seen[CP_SMS];

/* Memory all zero, the register blocks mapped, the pool of tasks empty. Of `sms` SMs, none of which has answered, of
 * 8 CTA slots, 64 warps, 32 units of 2 KiB shared and 64 KiB private memory. */
void fake_memory_init(uint32_t sms);

/* All SMs have answered: idle, grouped and ranked as at boot. The rest of CONFIG is left. */
void fake_sms_init(void);

/* A TMD that is accepted: a grid of ctas × 1 × 1 CTAs of one thread, priority 5. */
struct gg_tmd fake_tmd(uint32_t ctas);

/* A TMD as hosts make it: short, if it has no rare words. */
struct gg_tmd fake_short(const struct gg_tmd *tmd);

/* Put a TMD into the heap, as hosts make it; its device address. */
uint64_t fake_put_tmd(const struct gg_tmd *tmd);

/* Bytes of the heap that nothing else uses, aligned to 256, all zero; their device address. */
uint64_t fake_alloc(uint32_t bytes);

/* Where the test sees a device address of the heap. */
void *fake_at(uint64_t address);

#endif /* TESTS_UNIT_FAKE_MEMORY_H */
