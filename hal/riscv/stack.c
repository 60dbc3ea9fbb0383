/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/stack.h"

#include <stdint.h>

/* From linker/cp.ld.S. The start code stores its own address in this last word of the stack. */
extern const uintptr_t __stack_end[];

bool stack_is_intact(void)
{
	return __stack_end[0] == (uintptr_t)__stack_end;
}
