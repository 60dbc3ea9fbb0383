/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/launch/launch_out.h"

uint32_t launch_out[CP_SMS][CP_SLOTS];
uint32_t launch_written[CP_SMS];

void launch_out_init(void)
{
	for (uint32_t sm = 0; sm < CP_SMS; sm++) {
		launch_written[sm] = 0;
		for (uint32_t slot = 0; slot < CP_SLOTS; slot++) {
			launch_out[sm][slot] = 0;
		}
	}
}

void launch_out_forget(uint32_t sm)
{
	launch_written[sm] = 0;
}
