/* SPDX-License-Identifier: Apache-2.0 */
/* Device trees.
 * sources: hal/drivers/fdt.c */
#include <stdlib.h>

#include "hal/drivers/fdt.h"
#include "tests/fuzz/fuzz.h"

#define ADDRESS 0x80001000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct fdt_summary summary;

	if (fdt_summarize(data, bytes, ADDRESS, &summary) &&
	    (summary.harts == 0 || summary.ram_bytes == 0 || summary.ram_base > ADDRESS ||
	     ADDRESS - summary.ram_base >= summary.ram_bytes))
		abort();
	return 0;
}
