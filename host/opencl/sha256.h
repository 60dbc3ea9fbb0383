/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * SHA-256 (FIPS 180-4).
 */
#ifndef HOST_OPENCL_SHA256_H
#define HOST_OPENCL_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32u
#define SHA256_TEXT  65u /* As hexadecimal digits, with the 0 behind them. */

/** A sum that grows. */
struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	uint8_t block[64]; /* What does not fill a block yet. */
};

void sha256_begin(struct sha256 *sum);
void sha256_add(struct sha256 *sum, const void *data, size_t bytes);
void sha256_end(struct sha256 *sum, uint8_t digest[SHA256_BYTES]);

/** Digits of a digest, 0-9 and a-f. */
void sha256_text(const uint8_t digest[SHA256_BYTES], char text[SHA256_TEXT]);

#endif /* HOST_OPENCL_SHA256_H */
