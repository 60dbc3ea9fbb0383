/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/pull_fibers.h"

#include <stdlib.h>
#include <ucontext.h>

#include "hal/atomic.h"

#define STACK_BYTES 65536u
#define NOBODY      FIBERS_MOST
#define SPEED_MOST  256u

enum fiber_state {
	FIBER_RUNS,
	FIBER_PARKED,
	FIBER_OVER,
	FIBER_DEAD,
};

struct fiber {
	ucontext_t context; /* of its start */
	void *place[5];     /* where it goes on */
	bool started;
	enum fiber_state state;
	uint32_t speed;
	uint64_t steps_left;
	char stack[STACK_BYTES] __attribute__((aligned(16)));
};

static struct fiber fibers[FIBERS_MOST];
static uint32_t fibers_count, current = NOBODY;
static void (*fiber_body)(uint32_t);
static void *scheduler[5];
static uint64_t random_state;

void random_seed(uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15u + 1u;
}

/* splitmix64 */
uint64_t random_word(void)
{
	uint64_t word = random_state += 0x9e3779b97f4a7c15u;

	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
	word = (word ^ word >> 27) * 0x94d049bb133111ebu;
	return word ^ word >> 31;
}

uint64_t random_below(uint64_t below)
{
	return random_word() % below;
}

/* Only a fiber's start is a change of context: that sets the mask of signals, too, by a system call, which would be two thirds
 * of a run's time. Before a jump the address sanitizer would look at the thread's own stack, and complain that the fiber
 * is on another one; so these two functions are compiled without it. */
__attribute__((noinline, no_sanitize("address"))) static void enter(struct fiber *fiber)
{
	ucontext_t unused;

	if (__builtin_setjmp(scheduler) != 0) {
		return;
	}
	if (fiber->started) {
		__builtin_longjmp(fiber->place, 1);
	}
	fiber->started = true;
	swapcontext(&unused, &fiber->context);
}

__attribute__((noinline, no_sanitize("address"))) static void leave(struct fiber *fiber)
{
	if (__builtin_setjmp(fiber->place) == 0) {
		__builtin_longjmp(scheduler, 1);
	}
}

static void start(void)
{
	fiber_body(current);
	fibers[current].state = FIBER_OVER;
	leave(&fibers[current]);
}

/* A function of its own: getcontext() is one that may return twice, for all the compiler knows. */
static void make_context(struct fiber *fiber)
{
	if (getcontext(&fiber->context) != 0) {
		abort();
	}
	fiber->context.uc_stack.ss_sp = fiber->stack;
	fiber->context.uc_stack.ss_size = STACK_BYTES;
	fiber->context.uc_link = NULL;
	makecontext(&fiber->context, start, 0);
}

void fibers_make(uint32_t count, void (*body)(uint32_t fiber))
{
	fibers_count = count;
	fiber_body = body;
	for (uint32_t at = 0; at < count; at++) {
		struct fiber *fiber = &fibers[at];

		fiber->state = FIBER_RUNS;
		fiber->started = false;
		fiber->speed = SPEED_MOST;
		fiber->steps_left = UINT64_MAX;
		make_context(fiber);
	}
}

void fibers_speed(uint32_t fiber, uint32_t speed)
{
	fibers[fiber].speed = speed;
}

void fibers_die_after(uint32_t fiber, uint64_t steps)
{
	fibers[fiber].steps_left = steps;
}

bool fibers_dead(uint32_t fiber)
{
	return fibers[fiber].state == FIBER_DEAD;
}

/* One that runs, the faster the more often; NOBODY when there is none. */
static uint32_t choose(void)
{
	uint32_t ready[FIBERS_MOST], count = 0, found;

	for (uint32_t at = 0; at < fibers_count; at++) {
		if (fibers[at].state == FIBER_RUNS) {
			ready[count++] = at;
		}
	}
	if (count == 0) {
		return NOBODY;
	}
	do {
		found = ready[random_below(count)];
	} while (count > 1 && random_below(SPEED_MOST) >= fibers[found].speed);
	return found;
}

bool fibers_run(uint64_t most_steps)
{
	for (uint64_t steps = 0; steps < most_steps; steps++) {
		current = choose();
		if (current == NOBODY) {
			for (uint32_t at = 0; at < fibers_count; at++) {
				if (fibers[at].state == FIBER_PARKED) {
					return false;
				}
			}
			return true;
		}
		enter(&fibers[current]);
		if (fibers[current].state != FIBER_OVER && fibers[current].steps_left-- == 0) {
			fibers[current].state = FIBER_DEAD;
			fibers_wake();
		}
		current = NOBODY;
	}
	return false;
}

void fibers_step(void)
{
	leave(&fibers[current]);
}

void fibers_park(void)
{
	fibers[current].state = FIBER_PARKED;
	fibers_step();
}

void fibers_wake(void)
{
	for (uint32_t at = 0; at < fibers_count; at++) {
		if (fibers[at].state == FIBER_PARKED) {
			fibers[at].state = FIBER_RUNS;
		}
	}
}

/* hal/atomic.h calls this before each access. */
void atomic_step(void)
{
	if (current != NOBODY) {
		fibers_step();
	}
}
