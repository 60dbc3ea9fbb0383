/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/start/machine_check.h"

#include <stddef.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "hal/console.h"
#include "hal/cpu.h"
#include "hal/doorbell.h"
#include "hal/fence.h"
#include "hal/finisher.h"
#include "hal/hal.h"
#include "hal/machine.h"
#include "hal/memory.h"
#include "hal/mmio.h"
#include "hal/timer.h"

#define CAUSE_BOARD 0xfffffffeu /* `cause` of the ERROR block: machine check */
#define TIME_LOOKS  100000u     /* equal reads of the timer after which it counts as stopped */
#define HARTS_LEAST 2u          /* the control processor and one SM */

static struct machine_finding good(void)
{
	return (struct machine_finding){ 0 };
}

/* The device that describes the machine must be there, on boards that have one (hal/machine.h). */
static struct machine_finding check_machine(void)
{
	struct machine_facts facts;

	return machine_ask(&facts) ? good() : (struct machine_finding){ GG_BOARD_FAULT_MACHINE, 0 };
}

/* With a device tree the machine chooses the number of harts, and one SM is enough. Without one all harts of the
 * board have to be there. */
static struct machine_finding check_harts(void)
{
	const struct memory_map *memory = memory_map();
	const uint32_t least = memory->device_tree ? HARTS_LEAST : hal_board.harts;

	return memory->harts_found >= least
		       ? good()
		       : (struct machine_finding){ GG_BOARD_FAULT_HARTS, memory->harts_found };
}

static struct machine_finding check_ram(void)
{
	const struct memory_map *memory = memory_map();
	const uintptr_t bytes = memory_ends_at(memory->ram_bytes);

	return bytes == memory->ram_bytes ? good()
					  : (struct machine_finding){ GG_BOARD_FAULT_RAM, bytes };
}

static struct machine_finding check_timer(void)
{
	const uint64_t before = timer_now();

	for (uint32_t look = 0; look < TIME_LOOKS; look++) {
		if (timer_now() != before) {
			return good();
		}
	}
	return (struct machine_finding){ GG_BOARD_FAULT_TIMER, (uintptr_t)before };
}

static struct machine_finding (*const checks[])(void) = { check_ram, check_machine, check_harts,
							  check_timer };

struct machine_finding machine_check(uintptr_t device_tree)
{
	if (!cpu_fits_image()) {
		return (struct machine_finding){ GG_BOARD_FAULT_CORE, 0 };
	}
	memory_discover(device_tree);
	for (uint32_t index = 0; index < sizeof(checks) / sizeof(checks[0]); index++) {
		const struct machine_finding finding = checks[index]();

		if (finding.fault != 0) {
			return finding;
		}
	}
	return good();
}

static void say(const char *text)
{
	console_write(text, strlen(text));
}

static void say_hex(uintptr_t value)
{
	say(" 0x");
	for (uint32_t shift = sizeof(value) * 8; shift != 0; shift -= 4) {
		console_put("0123456789abcdef"[value >> (shift - 4) & 15]);
	}
}

static const char *const texts[] = {
	[GG_BOARD_FAULT_MACHINE] = "no mailbox block",
	[GG_BOARD_FAULT_HARTS] = "harts",
	[GG_BOARD_FAULT_RAM] = "bytes of RAM",
	[GG_BOARD_FAULT_TIMER] = "time stands still",
	[GG_BOARD_FAULT_ROOM] = "bytes of RAM, no room",
};

/* No index for a core that may lack the instruction which computes its address. */
static const char *text_of(enum gg_board_fault fault)
{
	return fault == GG_BOARD_FAULT_CORE ? "core without M, Zba, Zbb or Zbs" : texts[fault];
}

_Noreturn void machine_refuse(const struct machine_finding *finding)
{
	say("ganger: not the board ");
	say(hal_board.name);
	say(": ");
	say(text_of(finding->fault));
	say_hex(finding->value);
	say("\n");
	if (device.error != NULL) {
		device.error->panics = 1;
		device.error->cause = CAUSE_BOARD;
		device.error->board_fault = finding->fault;
		gg_split(&device.error->address_lo, &device.error->address_hi, finding->value);
	}
	if (device.cap != NULL) {
		device.cap->state = GG_DEVICE_STATE_PANIC;
		fence_full();
		mmio_write32(&device.cap->magic, GG_ABI_MAGIC);
		doorbell_ring_host();
	}
	finish(MACHINE_CHECK_FINISH + finding->fault);
}
