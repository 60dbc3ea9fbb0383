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

#define LOAD_ADDRESS(entry)                                       \
	case entry + 1:                                           \
		csr_write(pmpaddr##entry, table->address[entry]); \
		__attribute__((fallthrough))

/* Addresses come first: the write of a configuration is what makes QEMU forget the old rules. */
void protection_load(const struct protection_table *table)
{
	switch (table->entries) {
		LOAD_ADDRESS(15);
		LOAD_ADDRESS(14);
		LOAD_ADDRESS(13);
		LOAD_ADDRESS(12);
		LOAD_ADDRESS(11);
		LOAD_ADDRESS(10);
		LOAD_ADDRESS(9);
		LOAD_ADDRESS(8);
		LOAD_ADDRESS(7);
		LOAD_ADDRESS(6);
		LOAD_ADDRESS(5);
		LOAD_ADDRESS(4);
		LOAD_ADDRESS(3);
		LOAD_ADDRESS(2);
		LOAD_ADDRESS(1);
		LOAD_ADDRESS(0);
	default:
		break;
	}
	load_configs(table);
}
