/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Loads of CGAs: members that wait for each other without a barrier, and members of random workloads that report what
 * is wrong with their neighbours.
 */
#include <stdlib.h>

#include "give_way.h"

#define SEEN_WORDS   8  /* of a CTA, in `gather`; also in tests/system/cluster_support.py */
#define SHARED_WORDS 16 /* of a CTA's pattern */
#define POOL_IDS     256
#define DEVICE_POOL  32         /* ids of CGAs that may be larger than a GPC */
#define MOST_READ    6          /* other members whose memory a member reads */
#define TRIES        (1u << 26) /* until an access to a member that has ended must have failed */

/* Also in tests/system/cluster_random.py. */
enum deed {
	GOOD = 0,
	ABORT = 1,
	ACCESS = 2,
	ENDLESS = 3,
	LATE_READ = 4,  /* go on reading from a member that ends */
	LATE_WRITE = 5, /* go on writing to it */
	LATE_MAP = 6,   /* go on asking for its memory */
	BAD_RANK = 7,
	LEAVE = 8, /* nothing wrong: the victim does not come to the last barrier */
};

enum wrong {
	WRONG_READ = 0,   /* another member's memory does not have its pattern */
	WRONG_OWN = 1,    /* the own memory was changed */
	WRONG_LATE = 2,   /* something else in the memory of a member that ended */
	WRONG_TRIES = 3,  /* it could be reached forever */
	WRONG_ID = 4,     /* another CGA has the same id at the same time */
	WRONG_LIMIT = 5,  /* an id that is beyond the configured ones */
	WRONG_WORDS = 16, /* distance of the counters of two tasks */
};

local uint shared_words[SHARED_WORDS];

/** Each CTA leaves its place, counts itself in its group, and waits until all of the group have come; then for
 * the host's word: state[1]. state[0] counts those that have started, state[2] those that have met. */
kernel void gather(global uint *out, volatile global uint *come, global const uint *group,
		   uint size, volatile global uint *state)
{
	const uint cta = (uint)ganger_cta_linear_id();
	global uint *mine = out + SEEN_WORDS * cta;

	mine[0] = (uint)(uintptr_t)__builtin_thread_pointer();
	mine[1] = cluster_ctarank();
	mine[2] = clusterid(0) + nclusterid(0) * (clusterid(1) + nclusterid(1) * clusterid(2));
	mine[3] = cluster_local_id();
	mine[4] = cluster_outer_rank();
	mine[5] += 1; /* each CTA once */
	atomic_inc(&state[0]);
	atomic_inc(&come[group[cta]]);
	while (come[group[cta]] < size) {
		give_way();
	}
	atomic_inc(&state[2]);
	while (state[1] == 0) {
		give_way();
	}
}

/* What the members of a CGA of a task have in their memory: another one for each. */
static uint pattern(uint seed, uint cluster, uint rank)
{
	return ((seed ^ cluster * 16777619u) * 2654435761u ^ rank * 40503u) & 0xffffff00u;
}

/* What never ends in a member, and what ends it. */
static void deed_of(uint deed, uint victim, uint expected, global uint *wrong)
{
	volatile uint *there = map_shared_rank(&shared_words[0], victim);

	for (uint i = 0; i < TRIES; i++) {
		if (deed == LATE_MAP) {
			there = map_shared_rank(&shared_words[0], victim);
		}
		if (deed == LATE_WRITE) {
			atomic_xchg(&there[1], expected + 1);
		} else if (there[i % SHARED_WORDS] != expected + i % SHARED_WORDS) {
			atomic_inc(&wrong[WRONG_LATE]);
			return;
		}
	}
	atomic_inc(&wrong[WRONG_TRIES]);
}

static void fault(uint deed, global uint *nowhere)
{
	if (deed == ABORT) {
		abort();
	} else if (deed == ACCESS) {
		*(volatile uint *)nowhere = 1;
	} else if (deed == BAD_RANK) {
		(void)map_shared_rank(&shared_words[0], cluster_nctarank());
	}
	for (;;) {
		__asm__ volatile("");
	}
}

/** Parameters of the CTAs of a random workload; also in tests/system/cluster_random.py. */
struct load {
	uint seed;
	uint deed;    /* what one member of one cluster does */
	uint cluster; /* its cluster */
	uint actor;   /* its rank */
	uint victim;  /* the member that ends early; with the deeds LATE_… */
	uint pool;    /* of ids: DEVICE_POOL, or anything else: that of the GPC */
	uint ids;     /* configured ids of a pool */
	uint units;   /* address of SM 0's memory for CTAs, and bytes of it for each SM */
	uint stride;
	uint gpc[64]; /* of each SM */
};

static global uint *stamp_of(global const struct load *load, global uint *stamps,
			     global uint *wrong)
{
	const uint id = cluster_local_id();
	const uint sm = ((uint)(uintptr_t)__builtin_thread_pointer() - load->units) / load->stride;
	const uint pool = load->pool == DEVICE_POOL ? DEVICE_POOL : load->gpc[sm];

	if (id >= load->ids) {
		atomic_inc(&wrong[WRONG_LIMIT]);
	}
	return &stamps[pool * POOL_IDS + id];
}

/* The sum of what some members have, the next ones in rank first. */
static uint read_members(uint seed, uint cluster, global uint *wrong)
{
	const uint members = cluster_nctarank(), rank = cluster_ctarank();
	uint sum = 0;

	for (uint i = 1; i <= MOST_READ && i < members; i++) {
		const uint other = (rank + i) % members;
		const volatile uint *there = map_shared_rank(&shared_words[0], other);
		const uint word = there[i];

		if (word != pattern(seed, cluster, other) + i) {
			atomic_inc(&wrong[WRONG_READ]);
		}
		sum += word;
	}
	return sum;
}

static void fill(uint value)
{
	for (uint i = 0; i < SHARED_WORDS; i++) {
		((volatile uint *)shared_words)[i] = value + i;
	}
}

static void check_own(uint value, global uint *wrong)
{
	for (uint i = 0; i < SHARED_WORDS; i++) {
		if (((volatile uint *)shared_words)[i] != value + i) {
			atomic_inc(&wrong[WRONG_OWN]);
		}
	}
}

/* Whether the member goes on. */
static int misbehave(global const struct load *load, uint expected, global uint *wrong)
{
	const uint rank = cluster_ctarank();

	cluster_sync(); /* all have read */
	if (load->deed >= LATE_READ && load->deed <= LATE_MAP) {
		if (rank == load->actor) {
			deed_of(load->deed, load->victim, expected, wrong);
		}
		return rank != load->victim;
	}
	if (load->deed == LEAVE) {
		return rank != load->victim;
	}
	if (rank == load->actor) {
		fault(load->deed, 0);
	}
	return 1;
}

/** A member of a CGA of a random workload. Its memory has a pattern that is the CGA's own; it looks at those of
 * other members, and that its id is not another CGA's. `out` has a word for each CTA. */
kernel void member(global uint *out, global const struct load *load, global uint *stamps,
		   global uint *wrong)
{
	const uint cluster =
		clusterid(0) + nclusterid(0) * (clusterid(1) + nclusterid(1) * clusterid(2));
	const uint seed = load->seed, rank = cluster_ctarank();
	const uint mine = pattern(seed, cluster, rank), stamp = pattern(seed, cluster, 0xfff);
	volatile uint *cell = stamp_of(load, stamps, wrong);
	uint sum;

	fill(mine);
	if (rank == 0) {
		*cell = stamp;
	}
	cluster_sync();
	sum = read_members(seed, cluster, wrong);
	if (load->deed != GOOD && cluster == load->cluster &&
	    !misbehave(load, pattern(seed, cluster, load->victim), wrong)) {
		return;
	}
	if (*cell != stamp) {
		atomic_inc(&wrong[WRONG_ID]);
	}
	cluster_sync(); /* nobody ends while another one reads */
	check_own(mine, wrong);
	atomic_add(&out[ganger_cta_linear_id()], sum + 1);
}

/** A CTA of a plain grid among them, with a pattern of its own. */
kernel void plain(global uint *out, uint seed, uint spin, global uint *wrong)
{
	const uint mine = pattern(seed, (uint)ganger_cta_linear_id(), 0xabc);

	fill(mine);
	for (uint i = 0; i < spin; i++) {
		__asm__ volatile("");
	}
	check_own(mine, wrong);
	atomic_add(&out[ganger_cta_linear_id()], 1);
}

/** The member of rank 0 does a deed while all others read its memory, again and again. */
kernel void read_and_fail(global uint *state, uint deed)
{
	volatile uint *there = map_shared_rank(&shared_words[0], 0);

	shared_words[0] = 1;
	cluster_sync();
	atomic_inc(&state[0]);
	if (cluster_ctarank() == 0) {
		while (((volatile uint *)state)[0] < cluster_nctarank()) {
		}
		fault(deed, 0);
	}
	for (;;) {
		there = map_shared_rank(&shared_words[0], 0);
		(void)*there;
	}
}

/** The member of the highest rank does a deed instead of coming to the barrier of a level, where all others wait. */
kernel void fail_and_wait(global uint *passed, uint deed, uint level)
{
	if (cluster_ctarank() == cluster_nctarank() - 1) {
		fault(deed, 0);
	}
	ganger_cluster_barrier(level, GG_CLUSTER_ARRIVE | GG_CLUSTER_WAIT);
	atomic_inc(passed);
}
