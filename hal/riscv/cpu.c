/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/cpu.h"

#include <stddef.h>

#include "hal/riscv/csr.h"
#include "hal/riscv/try.h"

/** A letter of misa and what it means here. */
static const struct {
	char letter;
	uint8_t feature;
} misa_letters[] = {
	{ 'a', CPU_ATOMIC }, { 'c', CPU_COMPRESSED }, { 'm', CPU_MULDIV },
	{ 'f', CPU_FLOAT },  { 'd', CPU_DOUBLE },
};

uint32_t cpu_xlen(void)
{
	return __riscv_xlen;
}

static uint32_t features_built_for(void)
{
	uint32_t features = 0;

#ifdef __riscv_atomic
	features |= CPU_ATOMIC;
#endif
#ifdef __riscv_compressed
	features |= CPU_COMPRESSED;
#endif
#ifdef __riscv_mul
	features |= CPU_MULDIV;
#endif
	return features;
}

/* A core without user mode keeps the field at machine mode, or the board says so. */
static bool has_user_mode(void)
{
	if (HAL_USER_MODE == 0) {
		return false;
	}
	uintptr_t before = csr_read(mstatus);

	csr_clear(mstatus, MSTATUS_MPP);
	bool user = (csr_read(mstatus) & MSTATUS_MPP) == 0;

	csr_write(mstatus, before);
	return user;
}

uint32_t cpu_features(void)
{
	const uintptr_t misa = HAL_MISA == 0 ? 0 : try_misa();
	uint32_t features = misa == 0 ? features_built_for() : 0;

	for (size_t i = 0; i < sizeof(misa_letters) / sizeof(misa_letters[0]); i++) {
		if ((misa >> (misa_letters[i].letter - 'a') & 1) != 0) {
			features |= misa_letters[i].feature;
		}
	}
	return features | (has_user_mode() ? CPU_USER : 0);
}

static bool has_bits(void)
{
#if defined(__riscv_zba) || defined(__riscv_zbb) || defined(__riscv_zbs)
	return try_bits(5);
#else
	return true;
#endif
}

bool cpu_fits_image(void)
{
	return ((features_built_for() & CPU_MULDIV) == 0 || try_multiply(5)) && has_bits();
}

/* The state field alone proves nothing, because emulators keep it on cores without the registers. */
bool cpu_enable_float(void)
{
	csr_set(mstatus, MSTATUS_FS_INIT);
	return try_fcsr(0);
}

void cpu_open_counters(void)
{
	(void)try_mcountinhibit(0);
	(void)try_mcounteren(7);
	(void)try_scounteren(7); /* on a core with S-mode scounteren counts, too */
}
