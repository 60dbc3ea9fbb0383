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

/** Reads the bytes. @return 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#endif /* TESTS_FUZZ_FUZZ_H */
