/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of QEMU's plugin interface, version 1, that we use. QEMU as packaged can load plugins
 * but has no header for them. QEMU itself defines these functions.
 */
#ifndef QEMU_PLUGIN_PLUGIN_API_H
#define QEMU_PLUGIN_PLUGIN_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLUGIN_API_VERSION 1
#define PLUGIN_EXPORT      __attribute__((visibility("default")))

/* What QEMU calls this plugin; passed back to every registration. */
typedef uint64_t plugin_id;

/* A translation block and an instruction of it: only valid while the block is translated. */
struct plugin_block;
struct plugin_insn;

/* What a callback may do with the hart's registers: ours look at none. */
enum plugin_registers {
	PLUGIN_REGISTERS_NONE = 0
};

/* The machine, as QEMU describes it to plugin_install. */
struct plugin_machine {
	const char *target_name; /* "riscv32", "riscv64" */
	int api_min, api_current;
	bool is_system; /* false: a user program, and the numbers below are not set */
	int harts, harts_max;
};

typedef void (*plugin_on_translate)(plugin_id id, struct plugin_block *block);
typedef void (*plugin_on_insn)(unsigned int hart, void *argument);

/* Calls `call` for each block that QEMU translates, before it runs. */
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, plugin_on_translate call);
/* Calls `call` with `argument` each time that a hart begins this instruction. */
void qemu_plugin_register_vcpu_insn_exec_cb(struct plugin_insn *insn, plugin_on_insn call,
					    enum plugin_registers use, void *argument);

size_t qemu_plugin_tb_n_insns(const struct plugin_block *block);
struct plugin_insn *qemu_plugin_tb_get_insn(const struct plugin_block *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct plugin_insn *insn);
void qemu_plugin_outs(const char *text);

/* Calls `call` when QEMU ends in good order. */
void qemu_plugin_register_atexit_cb(plugin_id id, void (*call)(plugin_id id, void *argument),
				    void *argument);

/* What QEMU looks for in a plugin. */
extern int qemu_plugin_version PLUGIN_EXPORT;
int qemu_plugin_install(plugin_id id, const struct plugin_machine *machine, int count,
			char **arguments) PLUGIN_EXPORT;

#endif
