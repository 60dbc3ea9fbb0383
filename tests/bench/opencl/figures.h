/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * What both programs measure with: clocks, medians, and lines "NAME NUMBER" on standard output, in microseconds.
 */
#ifndef TESTS_BENCH_OPENCL_FIGURES_H
#define TESTS_BENCH_OPENCL_FIGURES_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 1000

static inline double clock_us(clockid_t which)
{
	struct timespec now;

	(void)clock_gettime(which, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static inline int less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline void print_median(const char *name, double *times, size_t count)
{
	qsort(times, count, sizeof(times[0]), less);
	printf("%s %.2f\n", name, times[count / 2]);
}

/** Ends the program when a call has failed. */
#define NEED(call)                                                                              \
	do {                                                                                    \
		int status_ = (int)(call);                                                      \
		if (status_ != 0) {                                                             \
			fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, status_); \
			exit(1);                                                                \
		}                                                                               \
	} while (0)

/** Launches in a chain, each after the one before it, and the wait for the last one: `launch(what)` and
 * `wait(what)`. Prints the wall clock, what the call took, and the processor time of this process, for each. */
static inline void measure_chain(long count, void (*launch)(void *what), void (*wait)(void *what),
				 void *what)
{
	double wall = clock_us(CLOCK_MONOTONIC), host = clock_us(CLOCK_PROCESS_CPUTIME_ID),
	       enqueued;

	for (long i = 0; i < count; i++)
		launch(what);
	enqueued = clock_us(CLOCK_MONOTONIC);
	wait(what);
	printf("chain %.2f\n", (clock_us(CLOCK_MONOTONIC) - wall) / (double)count);
	printf("enqueue %.2f\n", (enqueued - wall) / (double)count);
	printf("host %.2f\n", (clock_us(CLOCK_PROCESS_CPUTIME_ID) - host) / (double)count);
}

/** One launch and the wait for it, again and again. */
static inline void measure_rounds(void (*launch)(void *what), void (*wait)(void *what), void *what)
{
	static double times[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		double begin = clock_us(CLOCK_MONOTONIC);

		launch(what);
		wait(what);
		times[i] = clock_us(CLOCK_MONOTONIC) - begin;
	}
	print_median("latency", times, ROUNDS);
}

/** A whole file, with a 0 at the end. */
static inline char *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	char *data = calloc(1, 1 << 20);

	if (!file || !data) {
		perror(path);
		exit(1);
	}
	*bytes = fread(data, 1, (1 << 20) - 1, file);
	(void)fclose(file);
	return data;
}

#endif /* TESTS_BENCH_OPENCL_FIGURES_H */
