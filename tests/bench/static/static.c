/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work of loops.h in loops, split over the harts once and for all: each has its share of rows
 * or elements. Hart 0 starts the others and waits for the last one; who waits, sleeps. No
 * firmware, no protection, no interrupt handler.
 */
#include "tests/bench/static/static.h"

#include "tests/bench/kernels/loops.h"

#define CLINT_MSIP    0x02000000u
#define FINISHER      0x00100000u
#define FINISHER_PASS 0x5555u

extern struct static_job static_job; /* static.ld */

void static_main(uint32_t hart);

static void word_write(uintptr_t address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}

static void hart_wake(uint32_t hart)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	word_write(CLINT_MSIP + 4 * (uintptr_t)hart, 1);
}

static void hart_sleep(uint32_t hart)
{
	uintptr_t pending;

	do {
		__asm__ volatile("wfi\n\tcsrr %0, mip" : "=r"(pending) : : "memory");
	} while ((pending & 8u) == 0);
	word_write(CLINT_MSIP + 4 * (uintptr_t)hart, 0);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Ticks since the start: so few that the lower half is enough. */
static uint64_t time_now(void)
{
	uintptr_t ticks;

	__asm__ volatile("csrr %0, time" : "=r"(ticks));
	return ticks;
}

static void share_sgemm(const struct static_job *job, uint32_t begin, uint32_t end)
{
	const float *a = (const float *)(uintptr_t)job->in[0];
	const float *b = (const float *)(uintptr_t)job->in[1];
	float *c = (float *)(uintptr_t)job->out;
	const size_t n = job->size;

	for (size_t row = begin; row < end; row++) {
		loops_sgemm_row(a, b, c, n, row, 0, n);
	}
}

static void share_convolve(const struct static_job *job, uint32_t begin, uint32_t end)
{
	const float *in = (const float *)(uintptr_t)job->in[0];
	const float *taps = (const float *)(uintptr_t)job->in[1];
	float *out = (float *)(uintptr_t)job->out;
	const size_t width = job->size;

	for (size_t y = begin; y < end; y++) {
		loops_convolve_row(in, taps, out, width, y, 0, width);
	}
}

static void share_sum(const struct static_job *job, uint32_t begin, uint32_t end)
{
	const unsigned int *data = (const unsigned int *)(uintptr_t)job->in[0];
	unsigned int *sum = (unsigned int *)(uintptr_t)job->out;

	__atomic_fetch_add(sum, loops_sum(data, begin, end), __ATOMIC_RELAXED);
}

/* Row or element where a hart's share begins. */
static uint32_t share_begin(const struct static_job *job, uint32_t number)
{
	return (uint32_t)((uint64_t)job->size * number / job->harts);
}

static void share_run(const struct static_job *job, uint32_t number)
{
	const uint32_t begin = share_begin(job, number), end = share_begin(job, number + 1);

	if (job->loop == STATIC_SGEMM) {
		share_sgemm(job, begin, end);
	} else if (job->loop == STATIC_CONVOLVE) {
		share_convolve(job, begin, end);
	} else {
		share_sum(job, begin, end);
	}
}

_Noreturn static void hart_work(uint32_t hart)
{
	struct static_job *job = &static_job;

	for (;;) {
		hart_sleep(hart);
		share_run(job, hart - 1);
		if (__atomic_add_fetch(&job->arrived, 1, __ATOMIC_SEQ_CST) == job->harts) {
			hart_wake(0);
		}
	}
}

static void round_run(struct static_job *job, uint32_t number)
{
	if (job->loop == STATIC_SUM) {
		*(uint32_t *)(uintptr_t)job->out = 0;
	}
	job->arrived = 0;
	job->begin[number] = time_now();
	for (uint32_t hart = 1; hart <= job->harts; hart++) {
		hart_wake(hart);
	}
	hart_sleep(0);
	job->end[number] = time_now();
	job->done = number + 1;
}

void static_main(uint32_t hart)
{
	if (hart != 0) {
		hart_work(hart);
	}
	for (uint32_t number = 0; number < static_job.rounds; number++) {
		round_run(&static_job, number);
	}
	word_write(FINISHER, FINISHER_PASS);
}
