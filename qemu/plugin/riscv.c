/* SPDX-License-Identifier: Apache-2.0 */
#include "qemu/plugin/riscv.h"

#define MRET 0x30200073u

/*
 * Bit i of a word below: instructions with funct3 = i stay in line. Jumps and branches may be among
 * them, because a block ends with them in any case.
 */
static const uint8_t compressed_stays[3] = {
	0x01, /* quadrant 0: c.addi4spn; the rest are loads and stores */
	0xff, /* quadrant 1: arithmetic, jumps and branches */
	0x11, /* quadrant 2: c.slli; c.mv, c.add, c.jr, c.jalr, c.ebreak */
};

/* Bit i: instructions with major opcode i (bits 6:2) stay in line: OP-IMM, AUIPC, OP-IMM-32, OP, LUI, OP-32. */
static const uint32_t opcode_stays =
	1u << 0x04 | 1u << 0x05 | 1u << 0x06 | 1u << 0x0c | 1u << 0x0d | 1u << 0x0e;

uint32_t riscv_code(const struct plugin_insn *insn)
{
	const uint8_t *byte = qemu_plugin_insn_data(insn);
	uint32_t code = (uint32_t)byte[0] | (uint32_t)byte[1] << 8;

	if (qemu_plugin_insn_size(insn) >= 4) {
		code |= (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
	}
	return code;
}

bool riscv_stays_in_line(uint32_t code)
{
	uint32_t quadrant = code & 3;

	if (quadrant != 3) {
		return (compressed_stays[quadrant] >> (code >> 13 & 7) & 1) != 0;
	}
	return (opcode_stays >> (code >> 2 & 31) & 1) != 0;
}

bool riscv_is_mret(uint32_t code)
{
	return code == MRET;
}

bool riscv_meets_others(uint32_t code)
{
	const uint32_t opcode = code & 0x7f;

	return opcode == 0x0f || opcode == 0x2f || opcode == 0x73; /* MISC-MEM, AMO, SYSTEM */
}

bool riscv_stores(uint32_t code)
{
	const uint32_t quadrant = code & 3, funct3 = code >> 13 & 7;

	return quadrant == 3 ? (code & 0x7f) == 0x23 : quadrant != 1 && funct3 >= 6;
}
