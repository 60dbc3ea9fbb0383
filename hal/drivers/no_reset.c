/* SPDX-License-Identifier: Apache-2.0 */
/* hart_reset() of hal/hart.h where nothing resets one hart alone. QEMU's `virt` is such a machine: only all of it has a
 * reset, and a hart that runs in machine mode with interrupts off hears nothing. */
#include "hal/hart.h"

enum hal_status hart_reset(uint32_t hart)
{
	(void)hart;
	return HAL_ERR_UNSUPPORTED;
}
