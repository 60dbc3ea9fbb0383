/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A QEMU plugin that counts the instructions of each hart: -plugin libcount.so,counts=PATH,
 * where PATH may be /proc/self/fd/N. count.h says what is in the file. (QEMU keeps the argument
 * name "file" for itself.)
 *
 * A callback for every instruction would be exact and slow, one for every translation block
 * fast and wrong: a block is left in its middle by a trap, by wfi, and by QEMU itself when it begins
 * a device access again (under -icount). So a block is cut into runs: some instructions that
 * always go on with the next, and one that may not. A run is counted, whole, at its beginning.
 * An instruction that the host asked about is a run of its own.
 *
 * QEMU's own counters ("inline") are shared by all harts in this version of the interface, and
 * they lose counts when harts run in several threads: hence a callback, which gets the number of its hart.
 */
#include "qemu/plugin/count.h"
#include "qemu/plugin/plugin_api.h"
#include "qemu/plugin/riscv.h"
#include "qemu/plugin/watch.h"
#include "qemu/plugin/word.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int qemu_plugin_version = PLUGIN_API_VERSION;

static struct count_file *file;

/* ---- while the harts run ---- */

/* No lock and no atomic operation is needed: the hart's own thread is the word's only writer. */
static void on_run(unsigned int hart, void *length)
{
	uint64_t *count = &file->hart[hart].count;

	store64(count, load64(count) + (uintptr_t)length);
}

/* An instruction that the host asked about: look first, so the counts leave it out. */
static void on_point(unsigned int hart, void *address)
{
	watch_look(file, hart, (uintptr_t)address, false);
	on_run(hart, (void *)1);
}

static void on_mret(unsigned int hart, void *address)
{
	watch_look(file, hart, (uintptr_t)address, true);
	on_run(hart, (void *)1);
}

/* ---- while QEMU translates ---- */

/* The callback that the instruction needs for itself; NULL when it is part of a run. */
static plugin_on_insn own_callback(const struct plugin_insn *insn)
{
	if (riscv_is_mret(riscv_code(insn))) {
		return on_mret;
	}
	return watch_wants(file, qemu_plugin_insn_vaddr(insn)) ? on_point : NULL;
}

static void close_run(struct plugin_insn *first, size_t length)
{
	if (length > 0) {
		qemu_plugin_register_vcpu_insn_exec_cb(first, on_run, PLUGIN_REGISTERS_NONE,
						       (void *)(uintptr_t)length);
	}
}

static void on_translate(plugin_id id, struct plugin_block *block)
{
	size_t insns = qemu_plugin_tb_n_insns(block);
	struct plugin_insn *first = NULL;
	size_t length = 0;

	(void)id;
	for (size_t i = 0; i < insns; i++) {
		struct plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		plugin_on_insn call = own_callback(insn);
		uintptr_t address = (uintptr_t)qemu_plugin_insn_vaddr(insn);

		if (call != NULL) {
			close_run(first, length);
			length = 0;
			qemu_plugin_register_vcpu_insn_exec_cb(insn, call, PLUGIN_REGISTERS_NONE,
							       (void *)address);
			continue;
		}
		first = length == 0 ? insn : first;
		length++;
		if (!riscv_stays_in_line(riscv_code(insn))) {
			close_run(first, length);
			length = 0;
		}
	}
	close_run(first, length);
}

/* ---- start ---- */

/* Maps the file, made long enough; NULL where that cannot be. */
static struct count_file *file_map(const char *path)
{
	void *at = MAP_FAILED;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct stat stat;

	if (fd < 0) {
		return NULL;
	}
	if (fstat(fd, &stat) == 0 &&
	    (stat.st_size >= (off_t)COUNT_FILE_BYTES || ftruncate(fd, COUNT_FILE_BYTES) == 0)) {
		at = mmap(NULL, COUNT_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	close(fd);
	return at == MAP_FAILED ? NULL : at;
}

/* Clears what the plugin writes; what the host has written stays. */
static void file_start(uint32_t harts)
{
	memset(&file->header, 0, sizeof(file->header));
	memset(file->hart, 0, sizeof(file->hart));
	for (size_t i = 0; i < COUNT_MARKS; i++) {
		file->mark[i].claimed = 0;
		file->mark[i].fired = 0;
		file->mark[i].hits = 0;
	}
	for (size_t i = 0; i < COUNT_SPANS; i++) {
		file->span[i].hits = 0;
		file->span[i].min = UINT64_MAX;
		file->span[i].max = 0;
		file->span[i].sum = 0;
		file->span[i].seen = file->span[i].arm;
		file->span[i].open = 0;
	}
	file->header = (struct count_header){
		.version = COUNT_VERSION,
		.harts = harts,
		.file_bytes = COUNT_FILE_BYTES,
		.mark_offset = (uint32_t)offsetof(struct count_file, mark),
		.span_offset = (uint32_t)offsetof(struct count_file, span),
		.hart_offset = (uint32_t)offsetof(struct count_file, hart),
		.mark_count = COUNT_MARKS,
		.span_count = COUNT_SPANS,
		.entry_bytes = sizeof(struct count_hart),
	};
	__atomic_store_n(&file->header.magic, COUNT_MAGIC, __ATOMIC_RELEASE);
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
	if (!machine->is_system || machine->harts < 1 || machine->harts > (int)COUNT_HARTS_MAX ||
	    strncmp(machine->target_name, "riscv", 5) != 0) {
		return refuse("count: only for RISC-V machines of 1 to 512 harts\n");
	}
	if (count != 1 || strncmp(arguments[0], "counts=", 7) != 0) {
		return refuse("count: the plugin takes one argument, counts=PATH\n");
	}
	file = file_map(arguments[0] + 7);
	if (file == NULL) {
		return refuse("count: cannot open or map the file\n");
	}
	file_start((uint32_t)machine->harts);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	return 0;
}
