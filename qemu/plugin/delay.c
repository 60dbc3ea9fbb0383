/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A QEMU plugin that holds harts up at random, where they meet each other and the host: before and after each fence,
 * atomic operation, and access to a CSR, before wfi and mret, and before stores of the firmware.
 * -plugin libdelay.so,seed=N,below=ADDRESS. Harts run in threads of their own (without -icount), so others go on
 * meanwhile: what is right only because two events are always far apart goes wrong.
 *
 * seed   of the random numbers, each hart's own; which hart is held up where also depends on the machine's threads
 * below  stores to addresses of code below it are the firmware's; those of kernels are left alone
 *
 * At its end QEMU prints how often harts were held up.
 */
#include "qemu/plugin/plugin_api.h"
#include "qemu/plugin/riscv.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HARTS        1024u
#define STORES_SHIFT 5u     /* one store of 2^5 is held up, */
#define POINTS_SHIFT 1u     /* and half of the other points */
#define LONG_SHIFT   7u     /* one delay of 2^7 is long: */
#define LONG_NS      200000 /* ns, at most; it sleeps */
#define SPINS        512u   /* rounds of a loop, at most, of most others */

int qemu_plugin_version = PLUGIN_API_VERSION;

static uint64_t code_end;
/* Words of harts that run at the same time have cache lines of their own. */
static struct {
	uint64_t random;
	uint64_t delays;
	uint64_t unused[6];
} harts[HARTS];

/* Xorshift. */
static uint64_t next(unsigned int hart)
{
	uint64_t x = harts[hart].random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	harts[hart].random = x;
	return x;
}

static void hold_up(unsigned int hart, uint64_t random)
{
	harts[hart].delays++;
	if (random >> 32 & ((1u << LONG_SHIFT) - 1)) {
		for (volatile uint32_t spin = (uint32_t)(random >> 40) % SPINS; spin > 0; spin--) {
		}
		if ((random >> 60) == 0) {
			sched_yield();
		}
		return;
	}
	nanosleep(&(struct timespec){ .tv_nsec = (long)((random >> 40) % LONG_NS) }, NULL);
}

/* `shift`: one time of 2^shift. */
static void on_point(unsigned int hart, void *shift)
{
	const uint64_t random = next(hart);

	if ((random & ((1u << (uintptr_t)shift) - 1)) == 0) {
		hold_up(hart, random);
	}
}

static void on_translate(plugin_id id, struct plugin_block *block)
{
	bool is_behind = false;

	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
		struct plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		const uint32_t code = riscv_code(insn);
		const bool meets = riscv_meets_others(code);
		uintptr_t shift = 0;

		if (meets || is_behind) {
			shift = POINTS_SHIFT;
		} else if (riscv_stores(code) && qemu_plugin_insn_vaddr(insn) < code_end) {
			shift = STORES_SHIFT;
		}
		is_behind = meets;
		if (shift != 0) {
			qemu_plugin_register_vcpu_insn_exec_cb(
				insn, on_point, PLUGIN_REGISTERS_NONE, (void *)shift);
		}
	}
}

static void tell(plugin_id id, void *argument)
{
	uint64_t sum = 0;
	char text[80];

	(void)id;
	(void)argument;
	for (unsigned int hart = 0; hart < HARTS; hart++) {
		sum += harts[hart].delays;
	}
	snprintf(text, sizeof(text), "delay: %llu\n", (unsigned long long)sum);
	fputs(text, stderr);
}

int qemu_plugin_install(plugin_id id, const struct plugin_machine *machine, int count,
			char **arguments)
{
	uint64_t seed = 0;

	for (int i = 0; i < count; i++) {
		if (strncmp(arguments[i], "seed=", 5) == 0) {
			seed = strtoull(arguments[i] + 5, NULL, 0);
		} else if (strncmp(arguments[i], "below=", 6) == 0) {
			code_end = strtoull(arguments[i] + 6, NULL, 0);
		}
	}
	if (!machine->is_system || machine->harts_max > (int)HARTS || seed == 0 || code_end == 0) {
		fputs("delay: the plugin takes seed=N,below=ADDRESS, for machines of up to 1,024 "
		      "harts\n",
		      stderr);
		return 1;
	}
	for (unsigned int hart = 0; hart < HARTS; hart++) {
		harts[hart].random = seed * 0x9e3779b97f4a7c15u + hart + 1;
		for (int i = 0; i < 8; i++) {
			(void)next(hart);
		}
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, tell, NULL);
	return 0;
}
