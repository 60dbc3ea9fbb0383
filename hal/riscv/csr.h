/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Control and status registers of machine mode: numbers, bits, and how to reach them from C.
 * Numbers and bits also serve assembly.
 */
#ifndef HAL_RISCV_CSR_H
#define HAL_RISCV_CSR_H

/* mstatus */
#define MSTATUS_MIE     0x00000008 /**< Interrupts are taken. */
#define MSTATUS_MPIE    0x00000080 /**< MIE before the trap. */
#define MSTATUS_MPP     0x00001800 /**< Mode before the trap: 0 user, 3 machine. */
#define MSTATUS_FS      0x00006000 /**< State of the floating-point registers: 0 off. */
#define MSTATUS_FS_INIT 0x00002000

/* mie, mip */
#define MIP_MSIP 0x008 /**< Software. */

/* mcause of exceptions */
#define CAUSE_FETCH_MISALIGNED 0
#define CAUSE_FETCH_ACCESS     1
#define CAUSE_ILLEGAL          2
#define CAUSE_BREAKPOINT       3
#define CAUSE_LOAD_MISALIGNED  4
#define CAUSE_LOAD_ACCESS      5
#define CAUSE_STORE_MISALIGNED 6
#define CAUSE_STORE_ACCESS     7
#define CAUSE_ECALL_USER       8
#define CAUSE_ECALL_MACHINE    11

/* Numbers of registers that an assembler or a core may not know. */
#define CSR_FCSR          0x003
#define CSR_SCOUNTEREN    0x106
#define CSR_MCOUNTEREN    0x306
#define CSR_MCOUNTINHIBIT 0x320
#define CSR_PMPCFG0       0x3a0
#define CSR_PMPADDR0      0x3b0

/* What a board says of its core (BOARD_TABLES): the registers alone may not tell. */
#ifndef HAL_EXTERNAL_CSR
#define HAL_EXTERNAL_CSR 0 /**< Number of a register with a mask of external interrupts; 0: none. */
#endif
#ifndef HAL_MISA
#define HAL_MISA 1 /**< 0: misa is missing or wrong, and the core has what MARCH says. */
#endif
#ifndef HAL_USER_MODE
#define HAL_USER_MODE 1 /**< 0: there is no user mode, whatever mstatus.MPP keeps. */
#endif
#ifndef HAL_VECTORS
#define HAL_VECTORS 1 /**< 0: mtvec can be direct, so no tables of vectors are needed. */
#endif
#ifndef HAL_SCRATCH
#define HAL_SCRATCH 1 /**< 0: there is no mscratch. */
#endif
#ifndef HAL_LOCK
#define HAL_LOCK 0 /**< Address of a mutex in hardware that stands in for A; 0: none. */
#endif
#ifndef HAL_WFI
#define HAL_WFI \
	1 /**< 0: there is no wfi, or it does nothing; who would sleep reads mip until there is something. */
#endif

#ifndef __ASSEMBLER__

#include <stdint.h>

#define CSR_STRING_(text) #text
#define CSR_STRING(text)  CSR_STRING_(text)

/** Read a register, by name or number. */
#define csr_read(csr)                                                                          \
	(__extension__({                                                                       \
		uintptr_t csr_value_;                                                          \
		__asm__ volatile("csrr %0, " CSR_STRING(csr) : "=r"(csr_value_) : : "memory"); \
		csr_value_;                                                                    \
	}))

/** Write a register. */
#define csr_write(csr, value) \
	__asm__ volatile("csrw " CSR_STRING(csr) ", %0" : : "rK"((uintptr_t)(value)) : "memory")

/** Set the bits of a mask. */
#define csr_set(csr, mask) \
	__asm__ volatile("csrs " CSR_STRING(csr) ", %0" : : "rK"((uintptr_t)(mask)) : "memory")

/** Clear the bits of a mask. */
#define csr_clear(csr, mask) \
	__asm__ volatile("csrc " CSR_STRING(csr) ", %0" : : "rK"((uintptr_t)(mask)) : "memory")

#endif /* __ASSEMBLER__ */

#endif /* HAL_RISCV_CSR_H */
