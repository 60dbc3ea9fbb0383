/* SPDX-License-Identifier: Apache-2.0 */
/* What the counting plugin knows about RISC-V instructions: which of them may go elsewhere than to the next one. */
#ifndef QEMU_PLUGIN_RISCV_H
#define QEMU_PLUGIN_RISCV_H

#include <stdbool.h>
#include <stdint.h>

/*
 * True where the hart always goes on with the next instruction of the same translation block:
 * arithmetic between registers. False for all that may trap, sleep, or be begun again by QEMU
 * (loads and stores, floating point, CSRs, wfi …), and for what we do not know.
 *
 * `code`: the instruction, in the low 16 bits where it is a compressed one.
 */
bool riscv_stays_in_line(uint32_t code);

/* True for mret. */
bool riscv_is_mret(uint32_t code);

#endif
