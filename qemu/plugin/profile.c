/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A QEMU plugin that counts how often each hart begins each instruction of one stretch of code:
 * -plugin libprofile.so,profile=PATH, where PATH may be /proc/self/fd/N. profile.h says what is in the
 * file, which the host has made, long enough for the machine.
 *
 * Each instruction of the code has a callback, so the counts are exact; code elsewhere has none, and
 * runs as fast as without the plugin.
 */
#include "qemu/plugin/profile.h"
#include "qemu/plugin/plugin_api.h"
#include "qemu/plugin/word.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int qemu_plugin_version = PLUGIN_API_VERSION;

static struct profile_header *header;
static uint64_t *counts;

/* No lock is needed: a hart's own thread is the only writer of its words. */
static void on_insn(unsigned int hart, void *place)
{
	uint64_t *count = &counts[(size_t)hart * header->places + (uintptr_t)place];

	store64(count, load64(count) + 1);
}

static void on_translate(plugin_id id, struct plugin_block *block)
{
	const uint64_t base = load64(&header->base);
	const uint64_t bytes = load64(&header->bytes);

	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
		struct plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		const uint64_t offset = qemu_plugin_insn_vaddr(insn) - base;

		if (offset < bytes && offset / 2 < header->places) {
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_insn, PLUGIN_REGISTERS_NONE,
							       (void *)(uintptr_t)(offset / 2));
		}
	}
}

/* Maps the file; NULL where that cannot be, or where it is not as long as it says. */
static struct profile_header *file_map(const char *path, uint32_t harts)
{
	struct profile_header *at = MAP_FAILED;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat stat;

	if (fd < 0) {
		return NULL;
	}
	if (fstat(fd, &stat) == 0 && stat.st_size >= (off_t)sizeof(*at)) {
		at = mmap(NULL, (size_t)stat.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	close(fd);
	if (at == MAP_FAILED || (uint64_t)stat.st_size - sizeof(*at) <
					(uint64_t)harts * at->places * sizeof(uint64_t)) {
		return NULL;
	}
	return at;
}

static int refuse(const char *why)
{
	qemu_plugin_outs(why);
	(void)!write(STDERR_FILENO, why, strlen(why));
	return 1;
}

int qemu_plugin_install(plugin_id id, const struct plugin_machine *machine, int count,
			char **arguments)
{
	if (!machine->is_system || machine->harts < 1 ||
	    strncmp(machine->target_name, "riscv", 5) != 0) {
		return refuse("profile: only for RISC-V machines\n");
	}
	if (count != 1 || strncmp(arguments[0], "profile=", 8) != 0) {
		return refuse("profile: the plugin takes one argument, profile=PATH\n");
	}
	header = file_map(arguments[0] + 8, (uint32_t)machine->harts);
	if (header == NULL) {
		return refuse("profile: cannot open or map the file, or it is too short\n");
	}
	counts = (uint64_t *)(header + 1);
	header->harts = (uint32_t)machine->harts;
	__atomic_store_n(&header->magic, PROFILE_MAGIC, __ATOMIC_RELEASE);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	return 0;
}
