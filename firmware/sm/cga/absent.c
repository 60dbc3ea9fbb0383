/* SPDX-License-Identifier: Apache-2.0 */
/* An SM of a device without CGAs (firmware/cp/base/part.h): every CTA is alone, and its calls answer as
 * those of a CTA in no CGA do on other devices. */
#include <stddef.h>

#include "firmware/kernel/gg_cta.h"
#include "firmware/sm/cga/cga.h"
#include "firmware/sm/cga/remote.h"
#include "firmware/sm/units.h"

static bool is_own(const struct sm *sm, const struct sm_cta *cta, uintptr_t address)
{
	return address - units_shared(sm, cta) < cta->task->tmd->shared_bytes;
}

struct gg_cluster *cga_block(const struct sm *sm, uint32_t number)
{
	(void)sm;
	(void)number;
	return NULL;
}

void cga_join(struct sm *sm, struct sm_cta *cta)
{
	(void)sm;
	(void)cta;
}

void cga_begin(struct sm *sm, const struct sm_cta *cta)
{
	(void)sm;
	(void)cta;
}

void cga_leave(struct sm *sm, struct sm_cta *cta, int32_t status)
{
	(void)sm;
	(void)cta;
	(void)status;
}

void cga_barrier(struct sm *sm, struct sm_cta *cta)
{
	uintptr_t *arguments = &cta->context.x[SM_A0];
	const uintptr_t what = arguments[1];
	const bool known = arguments[0] == 0 && what != 0 &&
			   (what & ~(uintptr_t)(GG_CLUSTER_ARRIVE | GG_CLUSTER_WAIT)) == 0;

	(void)sm;
	cta->context.pc += SM_CALL_BYTES;
	arguments[0] = known ? 0 : (uintptr_t)GG_ERR_ARGUMENT;
}

struct sm_cta *cga_look(struct sm *sm)
{
	(void)sm;
	return NULL;
}

uintptr_t remote_shared(const struct sm *sm, const struct sm_cta *cta, uint32_t place)
{
	(void)sm;
	(void)cta;
	(void)place;
	return 0;
}

int32_t remote_map(const struct sm *sm, const struct sm_cta *cta, uintptr_t address, uintptr_t rank,
		   uintptr_t *mapped)
{
	if (!is_own(sm, cta, address)) {
		return GG_ERR_CLUSTER_RANGE;
	}
	*mapped = address;
	return rank == 0 ? GG_OK : GG_ERR_CLUSTER_RANK;
}

int32_t remote_rank(const struct sm *sm, const struct sm_cta *cta, uintptr_t address,
		    uintptr_t *rank)
{
	*rank = 0;
	return is_own(sm, cta, address) ? GG_OK : GG_ERR_CLUSTER_RANGE;
}

int32_t remote_open(struct sm *sm, struct sm_cta *cta, uintptr_t address)
{
	(void)sm;
	(void)cta;
	(void)address;
	return GG_ERR_FAULT_ACCESS;
}

void remote_drop(struct sm_cta *cta)
{
	cta->windows = 0;
}

void remote_prune(const struct sm *sm, struct sm_cta *cta)
{
	(void)sm;
	cta->windows = 0;
}
