/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Stands for the interrupt controller of a Hazard3 core in tests on the host, which has none of its registers.
 */
#ifndef TESTS_FAKE_HAL_DRIVERS_XH3IRQ_H
#define TESTS_FAKE_HAL_DRIVERS_XH3IRQ_H

#include <stdint.h>

/** The test says what it does. */
void xh3irq_enable_only(uint32_t source);

#endif /* TESTS_FAKE_HAL_DRIVERS_XH3IRQ_H */
