/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The control processor's stack: a known word at its end tells whether it was overrun.
 */
#ifndef HAL_STACK_H
#define HAL_STACK_H

#include <stdbool.h>

/** Tells whether the last word of the stack is as the start code left it. When it is not, data
 * below the stack may be damaged. */
bool stack_is_intact(void);

#endif /* HAL_STACK_H */
