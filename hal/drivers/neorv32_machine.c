/* SPDX-License-Identifier: Apache-2.0 */
/* hal/machine.h of a NEORV32: SYSINFO says how many harts there are. RAM outside of the processor is not
 * in there. */
#include "hal/drivers/neorv32_harts.h"
#include "hal/machine.h"

bool machine_ask(struct machine_facts *facts)
{
	*facts = (struct machine_facts){ .harts = neorv32_harts_built_in() };
	return true;
}
