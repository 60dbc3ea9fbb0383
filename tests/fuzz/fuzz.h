/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A fuzz target gives bytes that nobody checked to one reader of the host. `make fuzz` links it with libFuzzer,
 * which makes up the bytes; `make test-unit` links it with replay.c, which takes those of tests/fuzz/corpus. The
 * sanitizers of both see a byte that is read or written outside, a leak, and undefined behaviour.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Reads the bytes. @return 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/** Bytes that are left of what a target was given, for those that take it piece by piece. */
struct fuzz_input {
	const uint8_t *next;
	size_t left;
};

/** Takes up to so many bytes. @return How many there were. */
static inline size_t fuzz_take(struct fuzz_input *input, void *to, size_t most)
{
	const size_t count = most < input->left ? most : input->left;

	memcpy(to, input->next, count);
	input->next += count;
	input->left -= count;
	return count;
}

/** Takes a byte; 0 after the last one. */
static inline uint8_t fuzz_byte(struct fuzz_input *input)
{
	uint8_t byte = 0;

	(void)fuzz_take(input, &byte, 1);
	return byte;
}

#endif /* TESTS_FUZZ_FUZZ_H */
