/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/cp/host/config.h"

#include <stdbool.h>
#include <string.h>

#include "firmware/abi/field.h"
#include "firmware/cp/accept/tmd_kept.h"
#include "firmware/cp/base/bits.h"
#include "firmware/cp/cga/cga.h"
#include "firmware/cp/cga/cga_admit.h"
#include "firmware/cp/cga/cga_id.h"
#include "firmware/cp/cga/cga_wait.h"
#include "firmware/cp/pull/config_pull.h"
#include "firmware/cp/base/device.h"
#include "firmware/cp/base/restart.h"
#include "firmware/cp/schedule/minimum_share.h"
#include "firmware/cp/park/park.h"
#include "firmware/cp/pull/pull_place.h"
#include "firmware/cp/pull/pull_slot.h"
#include "firmware/cp/pull/pull_recall.h"
#include "firmware/cp/recover/reset.h"
#include "firmware/cp/recover/watch.h"
#include "firmware/cp/sms/sm_class.h"
#include "firmware/cp/sms/sm_state.h"
#include "firmware/cp/sms/sm_tree.h"
#include "firmware/cp/task/task_table.h"
#include "firmware/cp/schedule/throttle.h"
#include "firmware/cp/task/trace.h"
#include "firmware/cp/schedule/work_distribution.h"
#include "firmware/pull/work_queue.h"
#include "hal/mmio.h"

#define GPC_SMS    4u /* at boot: SMs of a GPC of a small device */
#define GPCS_LARGE 8u /* at boot: GPCs of a large device */
#define CPCS       2u /* at boot: CPCs of a GPC */

/** A copy of the CONFIG block (struct gg_config), which the host may write while the CP reads it. */
struct wanted {
	uint32_t mode;  /* enum gg_task_mode */
	uint32_t floor; /* minimum share, per mille */
	uint32_t time_limit_us;
	uint32_t trace;                /* 0 off, 1 on */
	uint32_t enabled[CP_SM_WORDS]; /* bit per SM */
	uint16_t rank[CP_SMS];         /* SMs, the preferred one first */
	uint32_t throttle_sms;         /* SMs whose memory an SM has in throttle mode */
	uint32_t group[CP_SMS];        /* GPC, CPC and TPC of each SM */
	uint32_t cga_ids;              /* ids of CGAs in each pool, 1 to CP_CGA_IDS */
	uint32_t cga_patience;         /* CTAs that may start past a CGA that waits for room */
	uint32_t answer_ms;            /* time that an SM which is reset has to answer */
	uint32_t watch_ms;  /* time after which an SM that takes no interrupt is reset; 0: never */
	uint32_t park_ms;   /* time after which CTAs that hold up others are parked; 0: never */
	uint32_t park_page; /* page of the heap where they are kept */
	uint32_t restarts;  /* panics in a minute after which the CP boots again */
	struct pull_settings pull;
};

/** A part of the configuration: `check` copies it from the CONFIG block and checks it; `apply` cannot fail. */
struct config_part {
	struct refusal (*check)(struct wanted *wanted);
	void (*apply)(const struct wanted *wanted);
};

_Static_assert(CP_SMS <= sizeof(device.config->rank) / sizeof(device.config->rank[0]),
	       "CONFIG has an entry for each SM");
_Static_assert(CP_SMS <= WORK_SMS, "PULL grids know each SM");

static struct wanted wanted; /* too large for the stack */

static struct refusal refuse(uint32_t field, uint32_t value)
{
	return refusal_of(GG_ERR_CONFIG, field, value);
}

static struct refusal check_mode(struct wanted *want)
{
	want->mode = mmio_read32(&device.config->mode);
	return want->mode <= GG_TASK_MODE_ROUND_ROBIN || want->mode == GG_TASK_MODE_DEVICE
		       ? refusal_none()
		       : refuse(GG_FIELD_CONFIG_MODE, want->mode);
}

static void apply_mode(const struct wanted *want)
{
	work_distribution_set_mode((enum gg_task_mode)want->mode);
}

static struct refusal check_floor(struct wanted *want)
{
	want->floor = mmio_read32(&device.config->floor_per_mille);
	return want->floor < MINIMUM_SHARE_WHOLE
		       ? refusal_none()
		       : refuse(GG_FIELD_CONFIG_FLOOR_PER_MILLE, want->floor);
}

static void apply_floor(const struct wanted *want)
{
	minimum_share_set(want->floor);
}

/* The share cannot change while there are throttle tasks: their needs were computed with the old one. */
static struct refusal check_throttle(struct wanted *want)
{
	const uint32_t sms = mmio_read32(&device.config->throttle_sms);

	want->throttle_sms = sms;
	if (sms == 0 || (sms & (sms - 1)) != 0 || sms > device.sms_count) {
		return refuse(GG_FIELD_CONFIG_THROTTLE_SMS, sms);
	}
	return throttle_tasks() == 0 || sms == throttle_sms()
		       ? refusal_none()
		       : refusal_of(GG_ERR_BUSY, GG_FIELD_CONFIG_THROTTLE_SMS, sms);
}

static void apply_throttle(const struct wanted *want)
{
	if (want->throttle_sms != throttle_sms()) {
		throttle_set(want->throttle_sms);
	}
}

static struct refusal check_time_limit(struct wanted *want)
{
	want->time_limit_us = mmio_read32(&device.config->time_limit_us);
	return refusal_none();
}

static void apply_time_limit(const struct wanted *want)
{
	task_table_set_time_limit(want->time_limit_us);
}

static struct refusal check_trace(struct wanted *want)
{
	want->trace = mmio_read32(&device.config->trace);
	return want->trace <= TRACE_MOST ? refusal_none()
					 : refuse(GG_FIELD_CONFIG_TRACE, want->trace);
}

static void apply_trace(const struct wanted *want)
{
	if (part_is_here(GG_FEATURE_TRACE)) {
		trace_switch(want->trace != 0);
	}
}

/* At least one SM stays enabled; bits past the last SM must be zero. */
static struct refusal check_enabled(struct wanted *want)
{
	uint32_t any = 0;

	for (uint32_t word = 0; word < device.sm_words; word++) {
		want->enabled[word] = mmio_read32(&device.config->enabled[word]);
		if ((want->enabled[word] & ~device_sms_of_word(word)) != 0) {
			return refuse(GG_FIELD_CONFIG_ENABLED, want->enabled[word]);
		}
		any |= want->enabled[word];
	}
	return any != 0 ? refusal_none() : refuse(GG_FIELD_CONFIG_ENABLED, 0);
}

static void apply_enabled(const struct wanted *want)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		sm_state_enable(sm, bits_has(want->enabled, sm));
	}
	if (pull_slots() != 0) {
		pull_recall_disabled();
	}
}

/* The list must name each SM once. */
static struct refusal check_rank(struct wanted *want)
{
	uint32_t seen[CP_SM_WORDS] = { 0 };

	for (uint32_t rank = 0; rank < device.sms_count; rank++) {
		const uint32_t sm = mmio_read32(&device.config->rank[rank]);

		if (sm >= device.sms_count || bits_has(seen, sm)) {
			return refuse(GG_FIELD_CONFIG_RANK, sm);
		}
		bits_set(seen, sm);
		want->rank[rank] = (uint16_t)sm;
	}
	return refusal_none();
}

static void apply_rank(const struct wanted *want)
{
	sm_state_rank(want->rank);
	if (part_is_here(GG_FEATURE_CLUSTERS)) {
		sm_tree_build();
	}
}

/* A GPC must be a bit of a TMD's GPC mask (S0-R25). The groups cannot change while there are tasks with CGAs, which
 * were accepted because they fit in the old groups. */
static struct refusal check_group(struct wanted *want)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		const uint32_t group = mmio_read32(&device.config->group[sm]);
		const uint32_t gpc = gg_get(group, GG_CONFIG_GPC);

		if (gpc >= CP_GPCS || group >> 24 != 0) {
			return refuse(GG_FIELD_CONFIG_GPC, group);
		}
		want->group[sm] = group;
	}
	return cga_admit_tasks() == 0
		       ? refusal_none()
		       : refusal_of(GG_ERR_BUSY, GG_FIELD_CONFIG_GPC, cga_admit_tasks());
}

static void apply_group(const struct wanted *want)
{
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		sm_state_group(sm, want->group[sm]);
	}
	if (part_is_here(GG_FEATURE_CLUSTERS)) {
		sm_tree_build();
	}
}

/* The ids cannot become fewer while there are tasks with CGAs: one that was accepted might never run. */
static struct refusal check_cluster(struct wanted *want)
{
	const uint32_t ids = mmio_read32(&device.config->cga_ids);

	want->cga_ids = ids;
	want->cga_patience = mmio_read32(&device.config->cga_patience);
	if (ids < 1 || ids > CP_CGA_IDS) {
		return refuse(GG_FIELD_CONFIG_CGA_IDS, ids);
	}
	return cga_admit_tasks() == 0 || ids >= cga_id_limit()
		       ? refusal_none()
		       : refusal_of(GG_ERR_BUSY, GG_FIELD_CONFIG_CGA_IDS, ids);
}

static void apply_cluster(const struct wanted *want)
{
	if (part_is_here(GG_FEATURE_CLUSTERS)) {
		cga_id_set_limit(want->cga_ids);
		cga_wait_set_patience(want->cga_patience);
	}
}

static struct refusal check_pull(struct wanted *want)
{
	return part_is_here(GG_FEATURE_PULL)
		       ? config_pull_read(&want->pull)
		       : refusal_of(GG_ERR_UNSUPPORTED, GG_FIELD_COMMAND_ARGUMENT0, 0);
}

static void apply_pull(const struct wanted *want)
{
	if (part_is_here(GG_FEATURE_PULL)) {
		pull_place_set(&want->pull);
	}
}

static struct refusal check_answer(struct wanted *want)
{
	want->answer_ms = mmio_read32(&device.config->answer_ms);
	return want->answer_ms != 0 && want->answer_ms <= RESET_ANSWER_MOST_MS
		       ? refusal_none()
		       : refuse(GG_FIELD_CONFIG_ANSWER_MS, want->answer_ms);
}

static void apply_answer(const struct wanted *want)
{
	if (part_is_here(GG_FEATURE_RESETS)) {
		reset_set_answer(want->answer_ms);
	}
}

static struct refusal check_watch(struct wanted *want)
{
	want->watch_ms = mmio_read32(&device.config->watch_ms);
	return want->watch_ms <= WATCH_MOST_MS ? refusal_none()
					       : refuse(GG_FIELD_CONFIG_WATCH_MS, want->watch_ms);
}

static void apply_watch(const struct wanted *want)
{
	if (part_is_here(GG_FEATURE_WATCHDOG)) {
		watch_set(want->watch_ms);
	}
}

static struct refusal check_restarts(struct wanted *want)
{
	want->restarts = mmio_read32(&device.config->restarts);
	return want->restarts <= RESTARTS_MOST ? refusal_none()
					       : refuse(GG_FIELD_CONFIG_RESTARTS, want->restarts);
}

static void apply_restarts(const struct wanted *want)
{
	restart_set(want->restarts);
}

static struct refusal check_park(struct wanted *want)
{
	want->park_ms = mmio_read32(&device.config->park_ms);
	want->park_page = mmio_read32(&device.config->park_page);
	return park_check(want->park_ms, want->park_page);
}

static void apply_park(const struct wanted *want)
{
	park_set(want->park_ms, want->park_page);
}

static const struct config_part parts_table[] = {
	[GG_CONFIG_PART_MODE] = { check_mode, apply_mode },
	[GG_CONFIG_PART_FLOOR] = { check_floor, apply_floor },
	[GG_CONFIG_PART_TIME_LIMIT] = { check_time_limit, apply_time_limit },
	[GG_CONFIG_PART_TRACE] = { check_trace, apply_trace },
	[GG_CONFIG_PART_ENABLED] = { check_enabled, apply_enabled },
	[GG_CONFIG_PART_RANK] = { check_rank, apply_rank },
	[GG_CONFIG_PART_GROUP] = { check_group, apply_group },
	[GG_CONFIG_PART_THROTTLE] = { check_throttle, apply_throttle },
	[GG_CONFIG_PART_CLUSTER] = { check_cluster, apply_cluster },
	[GG_CONFIG_PART_PULL] = { check_pull, apply_pull },
	[GG_CONFIG_PART_ANSWER] = { check_answer, apply_answer },
	[GG_CONFIG_PART_WATCH] = { check_watch, apply_watch },
	[GG_CONFIG_PART_RESTARTS] = { PART_IS_HERE(GG_FEATURE_RESTARTS) ? check_restarts : NULL,
				      PART_IS_HERE(GG_FEATURE_RESTARTS) ? apply_restarts : NULL },
	[GG_CONFIG_PART_PARK] = { PART_IS_HERE(GG_FEATURE_PARKS) ? check_park : NULL,
				  PART_IS_HERE(GG_FEATURE_PARKS) ? apply_park : NULL },
};

/* The last ones are unknown on a board without their parts. */
#define KNOWN                                                           \
	(((1u << GG_CONFIG_PART_RESTARTS) - 1u) |                       \
	 PART_IS_HERE(GG_FEATURE_RESTARTS) << GG_CONFIG_PART_RESTARTS | \
	 PART_IS_HERE(GG_FEATURE_PARKS) << GG_CONFIG_PART_PARK)
#define PARTS (sizeof(parts_table) / sizeof(parts_table[0]))

struct refusal config_apply(uint32_t parts)
{
	if (parts == 0 || (parts & ~KNOWN) != 0) {
		return refusal_of(GG_ERR_ARGUMENT, GG_FIELD_COMMAND_ARGUMENT0, parts);
	}
	for (uint32_t part = 0; part < PARTS; part++) {
		if ((parts >> part & 1u) != 0) {
			const struct refusal refusal = parts_table[part].check(&wanted);

			if (refusal.status != GG_OK) {
				return refusal;
			}
		}
	}
	for (uint32_t part = 0; part < PARTS; part++) {
		if ((parts >> part & 1u) != 0) {
			parts_table[part].apply(&wanted);
		}
	}
	tmd_kept_init(); /* other grids may be pulled now */
	return refusal_none();
}

/* The groups at boot (S1-R2): GPCs of four SMs, or eight GPCs when there are more than 32 SMs; two CPCs in a GPC;
 * each SM is a TPC. */
static uint32_t group_at_boot(uint32_t sm)
{
	const uint32_t large = (device.sms_count + GPCS_LARGE - 1) / GPCS_LARGE;
	const uint32_t gpc_sms = large > GPC_SMS ? large : GPC_SMS;
	const uint32_t cpc_sms = (gpc_sms + CPCS - 1) / CPCS;
	const uint32_t in_gpc = sm % gpc_sms;

	return gg_put(GG_CONFIG_GPC, sm / gpc_sms) | gg_put(GG_CONFIG_CPC, in_gpc / cpc_sms) |
	       gg_put(GG_CONFIG_TPC, in_gpc % cpc_sms);
}

/* The host writes the CONFIG block. The CP writes it only here, before the host may use it. */
void config_init(void)
{
	struct gg_config *config = device.config;

	if (restart_is_warm()) {
		memset(config, 0, sizeof(*config)); /* it has what its host wrote */
	}
	config->mode = GG_TASK_MODE_DEVICE;
	config->throttle_sms = throttle_sms();
	config->cga_ids = part_is_here(GG_FEATURE_CLUSTERS) ? cga_id_limit() : CP_CGA_IDS;
	config->cga_patience = CGA_PATIENCE;
	config->answer_ms = RESET_ANSWER_MS;
	config->watch_ms = WATCH_MS;
	if (part_is_here(GG_FEATURE_RESTARTS)) {
		config->restarts = restart_most();
	}
	config->time_limit_us = TASK_TABLE_LIMIT_US;
	task_table_set_time_limit(TASK_TABLE_LIMIT_US);
	for (uint32_t sm = 0; sm < device.sms_count; sm++) {
		config->rank[sm] = sm;
		config->group[sm] = group_at_boot(sm);
		sm_state_group(sm, config->group[sm]);
		if (sm_state_enabled(sm)) {
			bits_set(config->enabled, sm);
		}
	}
	if (part_is_here(GG_FEATURE_CLUSTERS)) {
		sm_tree_build();
	}
}
