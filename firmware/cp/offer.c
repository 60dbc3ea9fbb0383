/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/offer.h"

#include <stddef.h>

#include "firmware/cp/device.h"

static bool all;                      /* all SMs are offered: `offered` is not valid */
static uint32_t offered[CP_SM_WORDS]; /* by number */
static uint32_t both[CP_SM_WORDS];    /* offered, and a task may use them */

void offer_all(void)
{
	all = true;
}

const uint32_t *offer_to(const struct task *task)
{
	if (all) {
		return task->restricted ? task->allowed : NULL;
	}
	if (!task->restricted) {
		return offered;
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		both[word] = offered[word] & task->allowed[word];
	}
	return both;
}

bool offer_claim(const struct task *task)
{
	uint32_t any = 0;

	if (!task->restricted) {
		return false;
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		if (all) {
			offered[word] = device_sms_of_word(word);
		}
		offered[word] &= ~task->allowed[word];
		any |= offered[word];
	}
	all = false;
	return any != 0;
}
