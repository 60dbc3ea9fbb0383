/* SPDX-License-Identifier: Apache-2.0 */
/* hart_id() of hal/hart.h from the mailbox block, for cores without mhartid. */
#include "hal/drivers/mailbox.h"
#include "hal/hart.h"
#include "hal/mmio.h"

uint32_t hart_id(void)
{
	return mmio_read32(mmio_word(board_mailbox.address, MAILBOX_WHOAMI));
}
