/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/pmp.h"

#include "hal/protection.h"
#include "hal/riscv/csr.h"

/* With all entries off, the bits below the grain read as 0. */
void protection_probe(struct protection_limits *limits)
{
	limits->entries = pmp_count();
	limits->grain = 4;
	if (limits->entries != 0) {
		uintptr_t address = csr_read(CSR_PMPADDR0);

		for (; (address & 1) == 0;
		     address >>= 1) { /* the loop ends, because some bit was kept */
			limits->grain <<= 1;
		}
	}
}

#define LOAD_CONFIG(word, number)                               \
	case word + 1:                                          \
		csr_write(pmpcfg##number, table->config[word]); \
		__attribute__((fallthrough))

/* All entries that the core has are written, so that those no longer in use go off. */
static void load_configs(const struct protection_table *table)
{
	switch (table->config_words) {
#if __riscv_xlen == 64
		LOAD_CONFIG(1, 2);
#else
		LOAD_CONFIG(3, 3);
		LOAD_CONFIG(2, 2);
		LOAD_CONFIG(1, 1);
#endif
		LOAD_CONFIG(0, 0);
	default:
		break;
	}
}

#define LOAD_REGION(entry, next)                                  \
	case entry + 2:                                           \
		csr_write(pmpaddr##next, table->address[next]);   \
		csr_write(pmpaddr##entry, table->address[entry]); \
		__attribute__((fallthrough))

/* The two entries of the first region: the first lends its address, so the second is a range. */
static void load_first(uintptr_t base, uintptr_t bytes)
{
	csr_write(pmpaddr0, base >> 2);
	csr_write(pmpaddr1, (base + bytes) >> 2);
}

/* Addresses come first: the write of a configuration is what makes QEMU forget the old rules. */
void protection_move(const struct protection_table *table, uintptr_t base, uintptr_t bytes)
{
	if (table->entries != 0) {
		load_first(base, bytes);
		csr_write(pmpcfg0, table->config[0]);
	}
}

void protection_load(const struct protection_table *table, uintptr_t base, uintptr_t bytes)
{
	switch (table->entries) {
		LOAD_REGION(14, 15);
		LOAD_REGION(12, 13);
		LOAD_REGION(10, 11);
		LOAD_REGION(8, 9);
		LOAD_REGION(6, 7);
		LOAD_REGION(4, 5);
		LOAD_REGION(2, 3);
	case 2: /* of the first region */
		load_first(base, bytes);
		break;
	default:
		break;
	}
	load_configs(table);
}
