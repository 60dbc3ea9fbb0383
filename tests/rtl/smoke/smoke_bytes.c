/* SPDX-License-Identifier: Apache-2.0 */
/* A store touches its own bytes only. */
#include "smoke.h"

static volatile union {
	uint32_t word;
	uint16_t halves[2];
	uint8_t bytes[4];
} cell;

void smoke(uint32_t hart)
{
	if (hart != 0) {
		return;
	}
	for (uint32_t i = 0; i < 4; i++) {
		cell.word = 0x44332211;
		cell.bytes[i] = 0xee;
		CHECK(cell.word == ((0x44332211 & ~(0xffu << 8 * i)) | 0xeeu << 8 * i));
	}
	for (uint32_t i = 0; i < 2; i++) {
		cell.word = 0x44332211;
		cell.halves[i] = 0xeeff;
		CHECK(cell.word == ((0x44332211 & ~(0xffffu << 16 * i)) | 0xeeffu << 16 * i));
	}
	cell.word = 0x44332211;
	for (uint32_t i = 0; i < 4; i++) {
		CHECK(cell.bytes[i] == 0x11 * (i + 1));
	}
}
