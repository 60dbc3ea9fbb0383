/* SPDX-License-Identifier: Apache-2.0 */
/* Harts that all want to fetch at once get about the same share: none takes twice as long as another. */
#include "smoke.h"

#define TURNS 50u

static volatile uint32_t ready[SMOKE_HARTS], cycles[SMOKE_HARTS];

static void wait_for_all(const volatile uint32_t *words)
{
	for (uint32_t h = 0; h < MAILBOX_HARTS; h++) {
		while (words[h] == 0) {
		}
	}
}

void smoke(uint32_t hart)
{
	uint32_t least = ~0u, most = 0;

	ready[hart] = 1;
	wait_for_all(ready);

	const uint32_t start = MTIME;

	for (uint32_t turn = 0; turn < TURNS; turn++) {
		__asm__ volatile(".rept 64\n\tnop\n\t.endr");
	}
	cycles[hart] = MTIME - start;
	if (hart != 0) {
		return;
	}
	wait_for_all(cycles);
	for (uint32_t h = 0; h < MAILBOX_HARTS; h++) {
		least = cycles[h] < least ? cycles[h] : least;
		most = cycles[h] > most ? cycles[h] : most;
	}
	CHECK(most < 2 * least);
}
