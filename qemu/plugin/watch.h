/* SPDX-License-Identifier: Apache-2.0 */
/* Marks and spans: what the host asked about single instructions (count.h). */
#ifndef QEMU_PLUGIN_WATCH_H
#define QEMU_PLUGIN_WATCH_H

#include "qemu/plugin/count.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a mark or a span names the address. mret is always of interest: it may end a span. */
bool watch_wants(const struct count_file *file, uint64_t address);

/* The hart is about to execute such an instruction, or mret; its count does not include that yet. Called by
 * that hart's thread. */
void watch_look(struct count_file *file, unsigned int hart, uint64_t address, bool is_mret);

#endif
