/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of kernels: the bytes are the section .ganger.kernels of an ELF that is right otherwise.
 * sources: host/lib/core/elf_file.c host/lib/core/kernel_list.c host/lib/core/failure.c host/lib/core/names.c */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/kernel/kernel_meta.h"
#include "host/lib/core/elf_file.h"
#include "host/lib/core/kernel_list.h"
#include "tests/fuzz/fuzz.h"

static const char names[] = "\0" GGK_SECTION;

/** What comes before the section. */
struct head {
	Elf64_Ehdr file;
	Elf64_Shdr sections[3]; /* none, the list, the names */
	char names[sizeof(names)];
};

static struct head head_of(size_t bytes)
{
	struct head head = {
		.file = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				       1 },
			  .e_type = ET_DYN,
			  .e_machine = EM_RISCV,
			  .e_shoff = offsetof(struct head, sections),
			  .e_phentsize = sizeof(Elf64_Phdr),
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = 3,
			  .e_shstrndx = 2 },
		.sections = { [1] = { .sh_name = 1,
				      .sh_type = SHT_PROGBITS,
				      .sh_offset = sizeof(struct head),
				      .sh_size = bytes },
			      [2] = { .sh_type = SHT_STRTAB,
				      .sh_offset = offsetof(struct head, names),
				      .sh_size = sizeof(names) } },
	};

	memcpy(head.names, names, sizeof(names));
	return head;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const struct head head = head_of(bytes);
	uint8_t *file = malloc(sizeof(head) + bytes);
	struct kernel_list list;
	struct elf_file elf;

	memcpy(file, &head, sizeof(head));
	if (bytes > 0)
		memcpy(file + sizeof(head), data, bytes);
	if (elf_open(&elf, file, sizeof(head) + bytes) != GG_OK)
		abort();
	if (kernel_list_read(&list, &elf) == GG_OK)
		kernel_list_clear(&list);
	free(file);
	return 0;
}
