/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/sms/offer.h"

#include <stddef.h>

#include "firmware/cp/base/device.h"

static bool all;                      /* all SMs are offered, and `offered` is not valid */
static uint64_t ctas_left;            /* CTAs that may still be issued in this walk */
static uint32_t total;                /* CTAs issued in all walks */
static uint32_t offered[CP_SM_WORDS]; /* SMs that are offered, by number */
static uint32_t both[CP_SM_WORDS];    /* the SMs of them that a task may use */

void offer_all(void)
{
	all = true;
	ctas_left = OFFER_ANY;
}

uint64_t offer_ctas(void)
{
	return ctas_left;
}

void offer_at_most(uint64_t ctas)
{
	ctas_left = ctas < ctas_left ? ctas : ctas_left;
}

void offer_passed(uint32_t ctas)
{
	total += ctas;
}

void offer_issued(uint32_t ctas)
{
	offer_passed(ctas);
	if (ctas_left != OFFER_ANY) {
		ctas_left = ctas < ctas_left ? ctas_left - ctas : 0;
	}
}

uint32_t offer_total(void)
{
	return total;
}

const uint32_t *offer_to(const struct task *task)
{
	if (all) {
		return task->rules.restricted ? task->allowed : NULL;
	}
	if (!task->rules.restricted) {
		return offered;
	}
	for (uint32_t word = 0; word < device.sm_words; word++) {
		both[word] = offered[word] & task->allowed[word];
	}
	return both;
}

bool offer_claim_sms(const uint32_t *sms)
{
	uint32_t any = 0;

	for (uint32_t word = 0; word < device.sm_words; word++) {
		if (all) {
			offered[word] = device_sms_of_word(word);
		}
		offered[word] &= ~sms[word];
		any |= offered[word];
	}
	all = false;
	return any != 0;
}

bool offer_claim(const struct task *task)
{
	return task->rules.restricted && offer_claim_sms(task->allowed);
}
