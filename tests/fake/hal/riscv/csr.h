/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * hal/riscv/csr.h for unit tests: a register is a name or a number, and a test has the functions that are called.
 */
#ifndef HAL_RISCV_CSR_H
#define HAL_RISCV_CSR_H

#include <stdint.h>

#define __riscv_xlen 64

#define CSR_PMPADDR0 0x3b0

/** Read and write a register.
 * @param csr  What the source calls it, such as pmpaddr0. */
uintptr_t fake_csr_read(const char *csr);
void fake_csr_write(const char *csr, uintptr_t value);

#define csr_read(csr)         fake_csr_read(#csr)
#define csr_write(csr, value) fake_csr_write(#csr, value)

#endif /* HAL_RISCV_CSR_H */
