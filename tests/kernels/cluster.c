/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Clusters: what their CTAs are told, that they all run at once, and that their barriers hold.
 */

#define WORDS 32 /* of a CTA, in `ids`; also in tests/system/test_cluster_ids.py */

/** All that a CTA knows of its place: WORDS words at its linear number. */
kernel void ids(global uint *out)
{
	global uint *mine = out + WORDS * ganger_cta_linear_id();

	for (uint axis = 0; axis < 3; axis++) {
		mine[axis] = (uint)get_group_id(axis);
		mine[3 + axis] = cluster_ctaid(axis);
		mine[6 + axis] = cluster_nctaid(axis);
		mine[9 + axis] = clusterid(axis);
		mine[12 + axis] = nclusterid(axis);
	}
	mine[15] = cluster_ctarank();
	mine[16] = cluster_nctarank();
	mine[17] = cluster_outer_rank();
	mine[18] = cluster_outer_size();
	mine[19] = cluster_local_id();
	mine[20] = cluster_dim(0);
	mine[21] = (uint)ganger_cta_linear_id();
	mine[22] = (uint)(uintptr_t)ganger_cta();
	mine[23] = ganger_task_tag();
	mine[24] += 1; /* each CTA once */
}

/** Every CTA of a cluster waits in a loop until all of them have come, without any barrier: it ends only
 * when they all run at the same time (S1-C1). `size` is that of the group that must run together,
 * `group`, which the host works out, has the number of each CTA's group in the order of launch positions. */
kernel void resident(global uint *come, global const uint *group, uint size)
{
	global uint *count = &come[group[ganger_cta_linear_id()]];

	atomic_inc(count);
	while (*(volatile uint *)count < size) {
	}
}

/** Rounds of the barrier of a level: nobody is ever more than one round ahead of another one. `seen` has a word
 * for each CTA, `group` as above; `wrong` counts those that saw another one behind. */
kernel void rounds(global uint *seen, global const uint *group, global uint *wrong, uint rounds,
		   uint level)
{
	const uint mine = (uint)ganger_cta_linear_id();
	const uint ctas = (uint)(get_num_groups(0) * get_num_groups(1) * get_num_groups(2));

	for (uint round = 1; round <= rounds; round++) {
		if (get_local_linear_id() == 0) {
			seen[mine] = round;
		}
		if (level == 0) {
			cluster_sync();
		} else if (level == 1) {
			cluster_outer_sync();
		} else {
			cluster_top_sync();
		}
		for (uint cta = 0; cta < ctas; cta++) {
			if (group[cta] == group[mine] && ((volatile uint *)seen)[cta] - round > 1) {
				atomic_inc(wrong);
			}
		}
	}
}

/** arrive, something else, wait; the member of rank `early` ends before the last round (S1-Q20). Counts
 * rounds in `done`. */
kernel void halves(global uint *done, uint rounds, uint early)
{
	for (uint round = 0; round < rounds; round++) {
		if (round + 1 == rounds && cluster_ctarank() == early) {
			return;
		}
		/* Only what is before the arrival is done when others go on. */
		atomic_inc(&done[0]);
		cluster_arrive();
		const uint between = ((volatile uint *)done)[0];

		cluster_wait();
		const uint behind = ((volatile uint *)done)[0];

		if (behind < between ||
		    behind < (round + 1) * (cluster_nctarank() - 1) * (uint)get_local_size(0)) {
			atomic_inc(&done[1]);
		}
	}
}

/** The member of rank 0 comes to no barrier; the others wait for it (time limits, cancelling). With `spin`
 * it stays, else it waits at the barrier of the second level, where nobody else comes. */
kernel void stuck(global uint *state, uint spin)
{
	atomic_inc(&state[0]);
	if (cluster_ctarank() != 0) {
		cluster_sync();
	} else if (spin != 0) {
		while (((volatile uint *)state)[1] == 0) {
		}
	} else {
		cluster_outer_sync();
	}
	atomic_inc(&state[2]);
}

/** What the barrier answers: level and what are those of GG_CALL_CLUSTER_BARRIER. */
kernel void answers(global int *out, uint level, uint what)
{
	out[0] = (int)ganger_cluster_call(GG_CALL_CLUSTER_BARRIER, level, what);
}

/** A thread that has returned before the others come to the barrier. */
kernel void leaves(global uint *out)
{
	if (get_local_id(0) == 1) {
		return;
	}
	cluster_sync();
	out[0] = 1;
}

/** What a kernel may ask about a TMD: on an idle device, and now. */
kernel void occupancy(global const struct gg_tmd *tmd, global int *out)
{
	out[0] = cluster_max_active(tmd, 0);
	out[1] = cluster_max_active(tmd, 1);
}
