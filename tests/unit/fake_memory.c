/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/abi/tmd_words.h"
#include "firmware/cp/start/layout.h"
#include "firmware/cp/start/pool.h"
#include "firmware/sm/sm_boot.h"
#include "hal/doorbell.h"
#include "hal/entry.h"
#include "hal/hal.h"
#include "hal/hart.h"
#include "hal/ipi.h"
#include "hal/irq.h"
#include "hal/timer.h"

#define TMDS  2048u               /* TMDs that are kept at once */
#define ALLOC (4096 + TMDS * 256) /* where fake_alloc() begins */
#define ASKED 100000u             /* looks at the clock in a turn: more are an endless loop */

struct fake_hal fake_hal;
struct fake_seen fake_seen[CP_SMS];

static unsigned char *window;
static unsigned char *heap;
static unsigned char *units;
static void *pool;
static struct sm_boot areas[CP_SMS]; /* the runtimes of the SMs */
static uint32_t next_tmd;
static uint32_t next_alloc;

uint64_t timer_now(void)
{
	assert(fake_hal.asked++ < ASKED);
	fake_hal.now += fake_hal.slow + 1u;
	return fake_hal.now;
}

void timer_set(uint64_t deadline)
{
	fake_hal.timer = deadline;
}

void timer_cancel(void)
{
	fake_hal.timer = UINT64_MAX;
}

static void look(uint32_t sm)
{
	const struct launch_rings *rings = &device.launch[sm];
	struct fake_seen *seen = &fake_seen[sm];

	seen->packets = rings->header.launch_put;
	seen->wave = rings->header.wave;
	seen->open = 0;
	for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
		seen->open |= (device.waves[slot].entry.open != 0 ? 1u : 0u) << slot;
	}
	seen->answers = rings->header.request_get;
	seen->stop = device.sms[sm].stop_slot;
}

void ipi_send(uint32_t hart)
{
	assert(hart >= 1 && hart <= device.sms_count);
	fake_hal.sm_rings[hart - 1]++;
	look(hart - 1);
}

uint32_t timer_hz(void)
{
	return 10000000;
}

__attribute__((weak)) const struct hal_board hal_board = { .name = "fake" };

enum hart_state hart_state(uint32_t hart)
{
	return fake_hal.stopped[hart - 1] ? HART_STOPPED : HART_STARTED;
}

enum hal_status hart_start(uint32_t hart, uintptr_t entry, uintptr_t argument)
{
	(void)entry;
	assert(fake_hal.stopped[hart - 1]);
	assert(((const struct sm_boot *)argument)->sm == hart - 1);
	fake_hal.stopped[hart - 1] = false;
	fake_hal.starts[hart - 1]++;
	return HAL_OK;
}

enum hal_status hart_reset(uint32_t hart)
{
	fake_hal.forced[hart - 1]++;
	fake_hal.stopped[hart - 1] = fake_hal.stopped[hart - 1] || fake_hal.has_reset;
	return fake_hal.has_reset ? HAL_OK : HAL_ERR_UNSUPPORTED;
}

void ipi_clear(void)
{
}

void wait_for_interrupt(void)
{
}

/* The restart of the control processor: tests that expect it set a place to go on. */
_Noreturn void hal_restart(void)
{
	assert(fake_hal.restarts);
	longjmp(fake_hal.restarted, 1);
}

void doorbell_ring_host(void)
{
	fake_hal.host_rings++;
}

static void clear(void)
{
	if (window == NULL) {
		window = aligned_alloc(4096, FAKE_WINDOW);
		heap = aligned_alloc(4096, FAKE_HEAP_SIZE);
		units = aligned_alloc(4096, CP_SMS * FAKE_UNITS_STRIDE);
		pool = calloc(FAKE_TASKS, pool_bytes_of_a_task());
		assert(window != NULL && heap != NULL && units != NULL && pool != NULL);
		memset(window, 0, FAKE_WINDOW);
	}
	memset(window, 0, ((struct gg_cap *)window)->window_bytes); /* what was mapped before */
	memset(heap, 0, FAKE_HEAP_SIZE);
}

static void map(uint32_t sms)
{
	struct gg_cap *cap = (struct gg_cap *)window;
	const struct layout_input input = {
		.abi_base = 0x80080000u,
		.memory_end = 0xf0000000u,
		.sms = sms,
		.sm_area_bytes = 4096,
	};
	struct layout layout;

	cap->timebase_hz = 10000000;
	assert(layout_make(&input, cap, &layout) == GG_OK && cap->window_bytes <= FAKE_WINDOW);
	layout_map(cap, window);
	device.resources = (struct sm_resources){
		.ctas = 8, .warps = 64, .units = 32, .shared_bytes = 65536, .private_bytes = 2097152
	};
	device.unit_shared_shift = 11;
	device.unit_private_shift = 16;
	device.memory = heap;
	device.memory_base = FAKE_HEAP;
	device.memory_bytes = FAKE_HEAP_SIZE;
	device.units = units;
	device.units_base = FAKE_UNITS;
	device.units_stride = FAKE_UNITS_STRIDE;
	device.size_max = UINT64_MAX;
	for (uint32_t sm = 0; sm < sms; sm++) {
		gg_split(&device.sms[sm].area_lo, &device.sms[sm].area_hi, (uintptr_t)&areas[sm]);
	}
}

void fake_memory_init(uint32_t sms)
{
	clear();
	fake_hal = (struct fake_hal){ .timer = UINT64_MAX };
	memset(fake_seen, 0, sizeof(fake_seen));
	next_tmd = 0;
	next_alloc = ALLOC;
	device = (struct device){ 0 };
	map(sms);
	pool_init(pool, (uint64_t)FAKE_TASKS * pool_bytes_of_a_task());
}

struct gg_tmd fake_tmd(uint32_t ctas)
{
	return (struct gg_tmd){
		.header = gg_put(GG_TMD_VERSION, GG_TMD_VERSION_1) | gg_put(GG_TMD_PRIORITY, 5),
		.entry_lo = FAKE_HEAP,
		.code_lo = FAKE_HEAP,
		.code_bytes = 4096,
		.grid_x = ctas,
		.grid_yz = 0x00010001,
		.block_xy = 0x00010001,
		.block_z = 1,
		.private_bytes = 1024,
	};
}

struct gg_tmd fake_short(const struct gg_tmd *tmd)
{
	struct gg_tmd made = *tmd;

	made.header |= tmd_words_are_short(tmd) ? GG_TMD_SHORT : 0;
	return made;
}

uint64_t fake_put_tmd(const struct gg_tmd *tmd)
{
	const uint32_t offset = 4096 + next_tmd++ % TMDS * 256;
	const struct gg_tmd made = fake_short(tmd);

	memcpy(heap + offset, &made, sizeof(made));
	return FAKE_HEAP + offset;
}

uint64_t fake_alloc(uint32_t bytes)
{
	const uint32_t offset = next_alloc;

	next_alloc += (bytes + 255) / 256 * 256;
	assert(next_alloc <= FAKE_HEAP_SIZE);
	return FAKE_HEAP + offset;
}

void *fake_at(uint64_t address)
{
	return heap + (address - FAKE_HEAP);
}
