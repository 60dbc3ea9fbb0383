/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Nothing: what a task costs by itself.
 */
#include "ganger_kernel.h"

kernel void blank(void)
{
}
