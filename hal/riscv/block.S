/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memcpy and memset by words. The C library that Debian packages is built for size: it moves bytes,
 * which would make up half of what a task costs. These keep C's promises for any address and
 * length; what is aligned to a register's bytes goes four registers at a time, the rest, and what is aligned to
 * 4 bytes, as everything in the ABI is, word by word.
 */
#include "hal/riscv/asm.h"

#define PART_BYTES (4 * REG_BYTES)

	.section .text.memcpy, "ax", @progbits
	.globl memcpy
	.type memcpy, @function
memcpy:					/* a0 to, a1 from, a2 bytes; returns a0 */
	mv	a3, a0
	or	a5, a0, a1
	andi	a4, a5, 3
	bnez	a4, copy_bytes
#if REG_BYTES > 4
	andi	a5, a5, REG_BYTES - 1
	bnez	a5, copy_words
#endif
	andi	a4, a2, -PART_BYTES
	sub	a2, a2, a4
	add	a4, a4, a3		/* end of the parts of four registers */
	beq	a3, a4, copy_words
copy_part:
	REG_L	t0, 0 * REG_BYTES(a1)
	REG_L	t1, 1 * REG_BYTES(a1)
	REG_L	t2, 2 * REG_BYTES(a1)
	REG_L	a5, 3 * REG_BYTES(a1)
	REG_S	t0, 0 * REG_BYTES(a3)
	REG_S	t1, 1 * REG_BYTES(a3)
	REG_S	t2, 2 * REG_BYTES(a3)
	REG_S	a5, 3 * REG_BYTES(a3)
	addi	a1, a1, PART_BYTES
	addi	a3, a3, PART_BYTES
	bne	a3, a4, copy_part
copy_words:
	andi	a4, a2, -4
	add	a4, a4, a3
	beq	a3, a4, copy_rest
copy_word:
	lw	t0, 0(a1)
	sw	t0, 0(a3)
	addi	a1, a1, 4
	addi	a3, a3, 4
	bne	a3, a4, copy_word
copy_rest:
	andi	a2, a2, 3
copy_bytes:
	add	a2, a2, a3
	beq	a3, a2, copied
copy_byte:
	lbu	t0, 0(a1)
	sb	t0, 0(a3)
	addi	a1, a1, 1
	addi	a3, a3, 1
	bne	a3, a2, copy_byte
copied:
	ret
	.size memcpy, . - memcpy

	.section .text.memset, "ax", @progbits
	.globl memset
	.type memset, @function
memset:					/* a0 to, a1 byte, a2 bytes; returns a0 */
	mv	a3, a0
	andi	a4, a0, 3
	bnez	a4, set_bytes
	andi	a1, a1, 0xff
	slli	t0, a1, 8
	or	t0, t0, a1
	slli	t1, t0, 16
	or	t0, t0, t1		/* the byte four times */
#if REG_BYTES > 4
	andi	a4, a0, REG_BYTES - 1
	bnez	a4, set_words
	slli	t1, t0, 32
	slli	t0, t0, 32
	srli	t0, t0, 32
	or	t0, t0, t1		/* and eight times */
#endif
	andi	a4, a2, -PART_BYTES
	sub	a2, a2, a4
	add	a4, a4, a3
	beq	a3, a4, set_words
set_part:
	REG_S	t0, 0 * REG_BYTES(a3)
	REG_S	t0, 1 * REG_BYTES(a3)
	REG_S	t0, 2 * REG_BYTES(a3)
	REG_S	t0, 3 * REG_BYTES(a3)
	addi	a3, a3, PART_BYTES
	bne	a3, a4, set_part
set_words:
	andi	a4, a2, -4
	add	a4, a4, a3
	beq	a3, a4, set_rest
set_word:
	sw	t0, 0(a3)
	addi	a3, a3, 4
	bne	a3, a4, set_word
set_rest:
	andi	a2, a2, 3
set_bytes:
	add	a2, a2, a3
	beq	a3, a2, set_done
set_byte:
	sb	a1, 0(a3)
	addi	a3, a3, 1
	bne	a3, a2, set_byte
set_done:
	ret
	.size memset, . - memset
