/* SPDX-License-Identifier: Apache-2.0 */
/* Each way in which a machine is not the board is found, said on the console, in the ERROR block and with the
 * finisher's code.
 * sources: firmware/cp/base/device.c firmware/cp/start/machine_check.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/cp/start/machine_check.h"
#include "firmware/cp/base/device.h"
#include "hal/console.h"
#include "hal/cpu.h"
#include "hal/doorbell.h"
#include "hal/finisher.h"
#include "hal/hal.h"
#include "hal/machine.h"
#include "hal/memory.h"
#include "hal/timer.h"

const struct hal_board hal_board = { .name = "toy", .harts = 3, .harts_max = 8 };

/* The machine. */
static struct {
	bool fits, mailbox, runs;
	struct memory_map memory;
	uintptr_t ram_bytes; /* that there are */
	uint64_t now;
	uintptr_t tree; /* where its memory was looked for */
} machine;

#define TREE 0x1000u

static char text[200];
static uint32_t code, rings;
static jmp_buf end;

bool cpu_fits_image(void)
{
	return machine.fits;
}

bool machine_ask(struct machine_facts *facts)
{
	*facts = (struct machine_facts){ 0 };
	return machine.mailbox;
}

void memory_discover(uintptr_t device_tree)
{
	assert_true(machine.fits); /* it may need what the core lacks */
	machine.tree = device_tree;
}

const struct memory_map *memory_map(void)
{
	assert_int_equal(machine.tree, TREE);
	return &machine.memory;
}

uintptr_t memory_ends_at(uintptr_t bytes)
{
	return bytes < machine.ram_bytes ? bytes : machine.ram_bytes;
}

uint64_t timer_now(void)
{
	machine.now += machine.runs ? 1 : 0;
	return machine.now;
}

void console_put(char character)
{
	const size_t length = strlen(text);

	assert_true(length + 1 < sizeof(text));
	text[length] = character;
}

void console_write(const char *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		console_put(from[i]);
	}
}

void doorbell_ring_host(void)
{
	rings++;
}

_Noreturn void finish(uint32_t number)
{
	code = number;
	longjmp(end, 1);
}

static int set_up(void **state)
{
	(void)state;
	memset(&machine, 0, sizeof(machine));
	memset(text, 0, sizeof(text));
	memset(&device, 0, sizeof(device));
	machine.fits = true;
	machine.mailbox = true;
	machine.runs = true;
	machine.memory.harts_found = 3;
	machine.memory.ram_bytes = 0x80000;
	machine.ram_bytes = 0x80000;
	code = 0;
	rings = 0;
	return 0;
}

static void test_good(void **state)
{
	(void)state;
	assert_int_equal(machine_check(TREE).fault, 0);
	machine.memory.harts_found = 4;
	assert_int_equal(machine_check(TREE).fault, 0);
	machine.memory.device_tree = true;
	machine.memory.harts_found = 2;
	assert_int_equal(machine_check(TREE).fault, 0);
}

static void expect(enum gg_board_fault fault, uintptr_t value)
{
	const struct machine_finding finding = machine_check(TREE);

	assert_int_equal(finding.fault, fault);
	assert_int_equal(finding.value, value);
}

static void test_faults(void **state)
{
	machine.runs = false;
	expect(GG_BOARD_FAULT_TIMER, 0);
	machine.memory.harts_found = 2;
	expect(GG_BOARD_FAULT_HARTS, 2);
	machine.mailbox = false;
	expect(GG_BOARD_FAULT_MACHINE, 0);
	machine.ram_bytes = 0x40000;
	expect(GG_BOARD_FAULT_RAM, 0x40000);
	machine.fits = false;
	expect(GG_BOARD_FAULT_CORE, 0);
	(void)set_up(state);
	machine.memory.device_tree = true;
	machine.memory.harts_found = 1;
	expect(GG_BOARD_FAULT_HARTS, 1);
}

static void refuse(enum gg_board_fault fault, uintptr_t value)
{
	const struct machine_finding finding = { fault, value };

	if (setjmp(end) == 0) {
		machine_refuse(&finding);
	}
}

static void test_refuse(void **state)
{
	static struct gg_cap cap;
	static struct gg_error error;

	(void)state;
	device.cap = &cap;
	device.error = &error;
	refuse(GG_BOARD_FAULT_HARTS, 2);
	assert_int_equal(code, MACHINE_CHECK_FINISH + GG_BOARD_FAULT_HARTS);
	assert_string_equal(text, "ganger: not the board toy: harts 0x0000000000000002\n");
	assert_int_equal(cap.state, GG_DEVICE_STATE_PANIC);
	assert_int_equal(cap.magic, GG_ABI_MAGIC);
	assert_int_equal(error.panics, 1);
	assert_int_equal(error.cause, 0xfffffffe);
	assert_int_equal(error.board_fault, GG_BOARD_FAULT_HARTS);
	assert_int_equal(error.address_lo, 2);
	assert_int_equal(rings, 1);
}

/* Each fault has its words; without blocks nothing is written. */
static void test_texts(void **state)
{
	for (uint32_t fault = GG_BOARD_FAULT_CORE; fault <= GG_BOARD_FAULT_ROOM; fault++) {
		(void)set_up(state);
		refuse((enum gg_board_fault)fault, 0x123456);
		assert_int_equal(code, MACHINE_CHECK_FINISH + fault);
		assert_non_null(strstr(text, " 0x0000000000123456\n"));
		assert_true(strlen(text) >
			    strlen("ganger: not the board toy:  0x0000000000123456\n"));
		assert_int_equal(rings, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_good, set_up),
		cmocka_unit_test_setup(test_faults, set_up),
		cmocka_unit_test_setup(test_refuse, set_up),
		cmocka_unit_test_setup(test_texts, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
