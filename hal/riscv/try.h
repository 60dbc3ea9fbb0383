/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Registers, instructions and memory that a machine may lack, tried out with the exception caught.
 * Interrupts are disabled. mstatus.MPP and MPIE are not kept.
 */
#ifndef HAL_RISCV_TRY_H
#define HAL_RISCV_TRY_H

#include <stdbool.h>
#include <stdint.h>

/** Write mcountinhibit.
 * @return  false when there is no such register; the same for those below. */
bool try_mcountinhibit(uintptr_t value);

/** Write mcounteren. */
bool try_mcounteren(uintptr_t value);

/** Write scounteren. */
bool try_scounteren(uintptr_t value);

/** Write fcsr. */
bool try_fcsr(uintptr_t value);

/** Read misa; 0 when there is none. */
uintptr_t try_misa(void);

/** Multiply and divide.
 * @param value  1 … 1,000.
 * @return  false when the core has no M. */
bool try_multiply(uintptr_t value);

/** Try an instruction of each of Zba, Zbb and Zbs that the image is built for.
 * @param value  An odd one, 1 … 1,000.
 * @return  false when the core lacks one of them. */
bool try_bits(uintptr_t value);

/** Read a word.
 * @param address     Aligned to 4 bytes.
 * @param[out] value  Written when the result is true.
 * @return            false when nothing answers there. */
bool try_load(uintptr_t address, uint32_t *value);

/** Write a word.
 * @param address  Aligned to 4 bytes.
 * @return         false when nothing answers there, and the machine says so. */
bool try_store(uintptr_t address, uint32_t value);

#endif /* HAL_RISCV_TRY_H */
