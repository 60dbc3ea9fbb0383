/* SPDX-License-Identifier: Apache-2.0 */
/* What plugins know about RISC-V instructions. */
#ifndef QEMU_PLUGIN_RISCV_H
#define QEMU_PLUGIN_RISCV_H

#include "qemu/plugin/plugin_api.h"

#include <stdbool.h>
#include <stdint.h>

/* An instruction, in the low 16 bits where it is a compressed one. */
uint32_t riscv_code(const struct plugin_insn *insn);

/*
 * True where the hart always goes on with the next instruction of the same translation block:
 * arithmetic between registers. False for all that may trap, sleep, or be begun again by QEMU
 * (loads and stores, floating point, CSRs, wfi …), and for what we do not know.
 */
bool riscv_stays_in_line(uint32_t code);

/* True for mret. */
bool riscv_is_mret(uint32_t code);

/* True for fences, atomic operations, and what deals with CSRs, interrupts and sleep. */
bool riscv_meets_others(uint32_t code);

/* True for stores of integers. */
bool riscv_stores(uint32_t code);

#endif
