/* SPDX-License-Identifier: Apache-2.0 */
/* A control processor without CGAs (firmware/cp/part.h): no task has levels, so what places, ends
 * and counts CGAs is never called for one. */
#include <stddef.h>

#include "firmware/cp/cga.h"
#include "firmware/cp/cga_admit.h"
#include "firmware/cp/cga_barrier.h"
#include "firmware/cp/cga_end.h"
#include "firmware/cp/cga_id.h"
#include "firmware/cp/cga_query.h"
#include "firmware/cp/cga_record.h"
#include "firmware/cp/cga_wait.h"
#include "firmware/cp/sm_class.h"
#include "firmware/cp/sm_tree.h"
#include "firmware/cp/tmd_cluster.h"

/* The type is none of CGAs, or it would have been refused. */
bool tmd_check_cluster(struct task *task)
{
	const struct gg_tmd *tmd = &task->tmd;

	if ((tmd->cluster_xy | tmd->cluster_z | tmd->outer | tmd->top) == 0) {
		return true;
	}
	return task_refuse(task, GG_ERR_UNSUPPORTED, GG_FIELD_TMD_CLUSTER_X, tmd->cluster_xy);
}

struct refusal cga_query(struct task *parent, struct task_name name, bool idle)
{
	(void)parent;
	(void)name;
	(void)idle;
	return refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_ARGUMENT0, 0);
}

void cga_init(void)
{
}

void cga_set_patience(uint32_t ctas)
{
	(void)ctas;
}

enum cga_outcome cga_issue(struct task *task, uint64_t cgas, const uint32_t *sms)
{
	(void)task;
	(void)cgas;
	(void)sms;
	return CGA_NO_ROOM;
}

void cga_admit_init(void)
{
}

void cga_admit_count(const struct task *task, bool accepted)
{
	(void)task;
	(void)accepted;
}

uint32_t cga_admit_tasks(void)
{
	return 0;
}

bool cga_admit_check(struct task *task)
{
	(void)task;
	return true;
}

void cga_barrier_hear(uint32_t sm)
{
	(void)sm;
}

void cga_barrier_ring(void)
{
}

void cga_end_ctas(const struct task *task, uint32_t sm, uint32_t starts, bool well)
{
	(void)task;
	(void)sm;
	(void)starts;
	(void)well;
}

uint32_t cga_id_limit(void)
{
	return CP_CGA_IDS;
}

void cga_id_set_limit(uint32_t ids)
{
	(void)ids;
}

uint32_t cga_record_live(void)
{
	return 0;
}

void cga_wait_walk(void)
{
}

bool cga_wait_for_room(struct task *task)
{
	(void)task;
	return false;
}

void cga_wait_for_id(struct task *task)
{
	(void)task;
}

bool cga_wait_keeps_ids(void)
{
	return false;
}

void cga_wait_over(struct task *task)
{
	(void)task;
}

void sm_tree_build(void)
{
	sm_class_reset(); /* ranks may have changed */
}
