/* SPDX-License-Identifier: Apache-2.0 */
/* An address where nothing is, on a core without a bus error input: reads 0, and nothing hangs. */
#include "smoke.h"

#define NOWHERE 0xe0000000u

void smoke(uint32_t hart)
{
	if (hart != 0) {
		return;
	}
	CHECK(REGISTER(NOWHERE) == 0);
	REGISTER(NOWHERE) = 1;
	CHECK(REGISTER(NOWHERE) == 0);
	CHECK(traps[0].count == 0);
}
