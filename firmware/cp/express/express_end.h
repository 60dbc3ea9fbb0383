/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The half of the short way that begins with the bells of the SMs: from the report of a CTA, or the end of a wave, to the completion of
 * its task. What an SM says besides is left to the stages, with all that the SM says behind it.
 */
#ifndef FIRMWARE_CP_EXPRESS_EXPRESS_END_H
#define FIRMWARE_CP_EXPRESS_EXPRESS_END_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/abi/ganger_abi.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/part.h"
#include "firmware/cp/collect/inbox.h"
#include "hal/launch_unit.h"
#include "hal/mmio.h"

/** For small functions of the short way that are called twice: in line where the image need not be small. */
#ifdef __OPTIMIZE_SIZE__
#define EXPRESS_IN_LINE
#else
#define EXPRESS_IN_LINE inline __attribute__((always_inline))
#endif

/** Whether children, and tasks of passes, end the short way. Where there are no graphs there are few of them. */
#define EXPRESS_CHILDREN part_is_here(GG_FEATURE_GRAPHS)

/** Whether tasks start and end the short way, too, while others are ready, and end beside waves that are open: on small devices such work is
 * rare. */
#define EXPRESS_READY PART_FAST

/** Take what the four SMs of a word of bells have said.
 * @param rung  Their bells, as they were read.
 * @return      Whether that was all of it; if not, the rest is for the stages. */
bool express_end_word(uint32_t word, uint32_t rung);

/** The same of all SMs, where bells are bits of the launch unit. */
bool express_end_rung(void);

/** The same of all SMs. In line in both functions that use it: it is on the path of every command. */
static inline __attribute__((always_inline)) bool express_end_all(void)
{
	if (launch_unit_here()) {
		return express_end_rung();
	}
	const uint32_t *bell = device.bells;
	const uint32_t *const end = bell + (device.sms_count + 3) / 4;

	for (const uint32_t *heard = inbox_heard; bell != end; bell++, heard++) {
		const uint32_t rung = mmio_read32(bell);

		if (rung != *heard && !express_end_word((uint32_t)(heard - inbox_heard), rung)) {
			return false;
		}
	}
	return true;
}

#endif /* FIRMWARE_CP_EXPRESS_EXPRESS_END_H */
