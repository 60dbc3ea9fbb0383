/* SPDX-License-Identifier: Apache-2.0 */
/* hart_gather() of hal/hart.h where all harts are reset to the start code: there is nothing to do. */
#include "hal/hart.h"

bool hart_gather(void)
{
	return true;
}
