/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Launch unit: hardware that interrupts a set of harts by one store, takes bells of harts for hart 0, and counts the
 * harts of a wave (boards/refsoc/rtl/launch.rdl). A machine may lack it, and the same image runs on both: HAL_LAUNCH is
 * the address of a block whose first word says which it is. Where it is 0 nothing of this is compiled, and callers do
 * without: by ipi_send() for each hart, by words in memory, and by hal/atomic.h.
 */
#ifndef HAL_LAUNCH_UNIT_H
#define HAL_LAUNCH_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/fence.h"
#include "hal/mmio.h"

#ifndef HAL_LAUNCH
#define HAL_LAUNCH 0 /**< Address of the block; 0: the board has none. */
#endif

#define LAUNCH_UNIT_ID   0x00u /**< 0: this machine has no unit. */
#define LAUNCH_UNIT_RING 0x08u /**< Write a set of harts: interrupt them. */
#define LAUNCH_UNIT_BELL 0x10u /**< Write: ring hart 0. Read: who has rung; takes it. */
#define LAUNCH_UNIT_LEFT 0x20u /**< A word for each wave: harts that have not ended. */

/** Most harts, hart 0 included, and most waves. */
#define LAUNCH_UNIT_HARTS 32u
#define LAUNCH_UNIT_WAVES 8u

static inline uint32_t *launch_unit_word(uint32_t offset)
{
	return mmio_word(HAL_LAUNCH, offset);
}

/** Whether this machine has the unit. It costs a load on a board that may have one; the other functions may be called
 * only if it does. */
static inline bool launch_unit_here(void)
{
	return HAL_LAUNCH != 0 && mmio_read32(launch_unit_word(LAUNCH_UNIT_ID)) != 0;
}

/** Raise the software interrupts of a set of harts, as ipi_send() does for each, one after the other.
 * @param harts  Bit h: hart h. */
static inline void launch_unit_ring(uint32_t harts)
{
	fence_full();
	mmio_write32(launch_unit_word(LAUNCH_UNIT_RING), harts);
}

/** Note that the calling hart has rung, and raise the software interrupt of hart 0. What was written before is visible
 * to hart 0 when it has taken the bell. */
static inline void launch_unit_bell(void)
{
	fence_full();
	mmio_write32(launch_unit_word(LAUNCH_UNIT_BELL), 1);
}

/** Take the bells. Called by hart 0 alone.
 * @return  Bit h: hart h has rung since the last call. */
static inline uint32_t launch_unit_bells(void)
{
	const uint32_t harts = mmio_read32(launch_unit_word(LAUNCH_UNIT_BELL));

	fence_full();
	return harts;
}

/** Expect so many harts to count themselves, or none any more. Called by hart 0 alone.
 * @param wave   Below LAUNCH_UNIT_WAVES.
 * @param harts  Below LAUNCH_UNIT_HARTS. */
static inline void launch_unit_expect(uint32_t wave, uint32_t harts)
{
	mmio_write32(launch_unit_word(LAUNCH_UNIT_LEFT + 4 * wave), harts);
}

/** Harts that have not counted themselves. Called by hart 0 alone. */
static inline uint32_t launch_unit_left(uint32_t wave)
{
	return mmio_read32(launch_unit_word(LAUNCH_UNIT_LEFT + 4 * wave));
}

/** Count the calling hart, which is not hart 0, after all that it has written. The last one that is expected rings. */
static inline void launch_unit_count(uint32_t wave)
{
	fence_full();
	(void)mmio_read32(launch_unit_word(LAUNCH_UNIT_LEFT + 4 * wave));
	fence_full();
}

#endif /* HAL_LAUNCH_UNIT_H */
