/* SPDX-License-Identifier: Apache-2.0 */
/* hart_id() of hal/hart.h from mhartid. */
#include "hal/hart.h"

#include "hal/riscv/csr.h"

uint32_t hart_id(void)
{
	return (uint32_t)csr_read(mhartid);
}
