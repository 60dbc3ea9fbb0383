/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Why something from outside is refused: a status, and the field and value that it is about.
 */
#ifndef FIRMWARE_ABI_REFUSAL_H
#define FIRMWARE_ABI_REFUSAL_H

#include <stdint.h>

#include "firmware/abi/ganger_abi.h"

/** Why a command or a task failed. */
struct refusal {
	enum gg_status status; /**< GG_OK when it did not. */
	uint32_t field;        /**< enum gg_field, or 0. */
	uint64_t value;        /**< Value of that field. */
};

/** A refusal that says why. */
static inline struct refusal refusal_of(enum gg_status status, uint32_t field, uint64_t value)
{
	return (struct refusal){ .status = status, .field = field, .value = value };
}

/** No refusal: GG_OK. */
static inline struct refusal refusal_none(void)
{
	return refusal_of(GG_OK, 0, 0);
}

#endif /* FIRMWARE_ABI_REFUSAL_H */
