/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel ELFs: headers, list of kernels, image.
 * sources: host/lib/core/elf_file.c host/lib/core/elf_load.c host/lib/core/kernel_list.c host/lib/core/failure.c
 * host/lib/core/names.c */
#include <stdlib.h>

#include "host/lib/core/elf_file.h"
#include "host/lib/core/elf_load.h"
#include "host/lib/core/kernel_list.h"
#include "tests/fuzz/fuzz.h"

#define IMAGE_MOST (1u << 20) /* a larger image is not made: devices have limits, too */
#define BASE       0x80100000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct kernel_list list;
	struct elf_file elf;

	if (elf_open(&elf, data, bytes) != GG_OK || kernel_list_read(&list, &elf) != GG_OK)
		return 0;
	if (list.image_bytes <= IMAGE_MOST) {
		uint8_t *image = calloc(1, list.image_bytes);

		(void)!elf_load(&elf, BASE, image, list.image_bytes);
		free(image);
	}
	kernel_list_clear(&list);
	return 0;
}
