/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/sha256.h"

#include <string.h>

#define BLOCK        64u
#define LENGTH_PLACE 56u

static const uint32_t first[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
				   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t value, uint32_t bits)
{
	return value >> bits | value << (32 - bits);
}

/** The words of a block, and those that are made of them. */
static void schedule(const uint8_t block[BLOCK], uint32_t words[64])
{
	for (uint32_t i = 0; i < 16; i++) {
		const uint8_t *from = &block[(size_t)4 * i];

		words[i] = (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 |
			   (uint32_t)from[2] << 8 | from[3];
	}
	for (uint32_t i = 16; i < 64; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + words[i - 7] +
			   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

/** One block. The eight values keep their places, and their names turn by one in each round. */
static void compress(uint32_t state[8], const uint8_t block[BLOCK])
{
	uint32_t words[64], v[8];

	schedule(block, words);
	memcpy(v, state, sizeof(v));
	for (uint32_t i = 0; i < 64; i++) {
		uint32_t e = v[4], a = v[0];
		uint32_t one = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
			       ((e & v[5]) ^ (~e & v[6])) + constants[i] + words[i];
		uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
			       ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(&v[1], &v[0], 7 * sizeof(v[0]));
		v[4] += one;
		v[0] = one + two;
	}
	for (uint32_t i = 0; i < 8; i++)
		state[i] += v[i];
}

void sha256_begin(struct sha256 *sum)
{
	memcpy(sum->state, first, sizeof(first));
	sum->bytes = 0;
}

void sha256_add(struct sha256 *sum, const void *data, size_t bytes)
{
	const uint8_t *from = data;
	size_t held = sum->bytes % BLOCK;

	sum->bytes += bytes;
	while (held + bytes >= BLOCK) {
		size_t part = BLOCK - held;

		memcpy(sum->block + held, from, part);
		compress(sum->state, sum->block);
		from += part;
		bytes -= part;
		held = 0;
	}
	if (bytes > 0)
		memcpy(sum->block + held, from, bytes);
}

void sha256_end(struct sha256 *sum, uint8_t digest[SHA256_BYTES])
{
	static const uint8_t padding[BLOCK] = { 0x80 };
	const uint64_t bits = sum->bytes * 8;
	const size_t held = sum->bytes % BLOCK;
	uint8_t length[8];

	for (uint32_t i = 0; i < 8; i++)
		length[i] = (uint8_t)(bits >> (56 - 8 * i));
	sha256_add(sum, padding, (held < LENGTH_PLACE ? 0 : BLOCK) + LENGTH_PLACE - held);
	sha256_add(sum, length, sizeof(length));
	for (uint32_t i = 0; i < SHA256_BYTES; i++)
		digest[i] = (uint8_t)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_text(const uint8_t digest[SHA256_BYTES], char text[SHA256_TEXT])
{
	static const char digits[] = "0123456789abcdef";

	for (uint32_t i = 0; i < SHA256_BYTES; i++) {
		text[2 * i] = digits[digest[i] >> 4];
		text[2 * i + 1] = digits[digest[i] & 15];
	}
	text[2 * SHA256_BYTES] = '\0';
}
