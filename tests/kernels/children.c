/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Kernels that launch child tasks (S0-R07): side by side, and one inside the other.
 */

/** Arguments of `child`, as the kernel takes them. */
struct child_args {
	uint *out;
	uint number;
} __attribute__((aligned(16)));

/** Counts its CTAs. */
kernel void child(global uint *out, uint number)
{
	if (get_local_linear_id() == 0) {
		atomic_inc(&out[number]);
	}
}

static int launch_child(const struct gg_tmd *pattern, struct gg_tmd *tmd, struct child_args *args,
			uint *out, uint number)
{
	*args = (struct child_args){ out, number };
	*tmd = *pattern;
	ganger_tmd_args(tmd, args, sizeof(*args));
	return ganger_launch(tmd);
}

/** Each CTA launches `n` children, number n * CTA and on, from a TMD of `child`; `status` gets what
 * the launches returned. `tmds`, `args` (16 bytes on both XLENs), `out`, `status`: one a child. */
kernel void launch(global const struct gg_tmd *pattern, global struct gg_tmd *tmds,
		   global struct child_args *args, global uint *out, global int *status, uint n)
{
	if (get_local_linear_id() != 0) {
		return;
	}
	for (uint i = 0; i < n; i++) {
		const uint number = n * (uint)ganger_cta_linear_id() + i;

		status[number] = launch_child(pattern, &tmds[number], &args[number], out, number);
	}
}

/** Each thread launches one child, between two barriers, and counts the children whose launch its
 * neighbours saw succeed. One CTA. */
kernel void launch_met(global const struct gg_tmd *pattern, global struct gg_tmd *tmds,
		       global struct child_args *args, global uint *out, global int *status,
		       global uint *seen)
{
	local int results[1024];
	const uint thread = (uint)get_local_linear_id();
	const uint threads = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));

	barrier(CLK_LOCAL_MEM_FENCE);
	results[thread] = launch_child(pattern, &tmds[thread], &args[thread], out, thread);
	barrier(CLK_LOCAL_MEM_FENCE);
	status[thread] = results[(thread + 1) % threads];
	atomic_add(seen, results[(thread + 1) % threads] == 0 ? 1u : 0u);
}

/** Arguments of `nest`, as the kernel takes them. */
struct nest_args {
	struct gg_tmd *tmds;
	struct nest_args *args;
	uint *out;
	int *status;
	uint depth;
	uint levels;
} __attribute__((aligned(16)));

/** Level `depth` of `levels`: writes depth + 1 into its word of `out` and launches the next level,
 * from a copy of its own TMD, which is tmds[depth]. `status`: what the launch returned, one a
 * level; a level that launches nothing leaves it alone. */
kernel void nest(global struct gg_tmd *tmds, global struct nest_args *args, global uint *out,
		 global int *status, uint depth, uint levels)
{
	const uint next = depth + 1;

	if (get_local_linear_id() != 0) {
		return;
	}
	out[depth] = next;
	if (next < levels) {
		args[next] = (struct nest_args){ tmds, args, out, status, next, levels };
		tmds[next] = tmds[depth];
		ganger_tmd_args(&tmds[next], &args[next], sizeof(args[next]));
		status[depth] = ganger_launch(&tmds[next]);
	}
}

/** Launches a child and waits for what only the child does: it must run beside its parent. */
kernel void launch_and_wait(global const struct gg_tmd *tmd, volatile global uint *out,
			    global int *status)
{
	*status = ganger_launch(tmd);
	while (*status == 0 && *out == 0) {
	}
}

/** Launches a child, then fails. */
kernel void launch_and_abort(global const struct gg_tmd *tmd, global int *status)
{
	*status = ganger_launch(tmd);
	__builtin_trap();
}

/** Launches the same TMD again and again, until it is refused. result[0]: launches; result[1]: what the last
 * one returned. Then it waits for the host's `go`. */
kernel void flood(global const struct gg_tmd *tmd, global int *result, volatile global uint *go)
{
	int status = ganger_launch(tmd);
	int launches = 0;

	while (status == 0) {
		launches++;
		status = ganger_launch(tmd);
	}
	result[0] = launches;
	result[1] = status;
	while (*go == 0) {
	}
}

/** As `nest`, but the kernel ends itself when a launch is refused, once all above it have had their answers: they end
 * with it. */
kernel void nest_or_trap(global struct gg_tmd *tmds, global struct nest_args *args,
			 global uint *out, global int *status, uint depth, uint levels)
{
	const uint next = depth + 1;

	out[depth] = next;
	if (next < levels) {
		args[next] = (struct nest_args){ tmds, args, out, status, next, levels };
		tmds[next] = tmds[depth];
		ganger_tmd_args(&tmds[next], &args[next], sizeof(args[next]));
		status[depth] = ganger_launch(&tmds[next]);
		if (status[depth] != 0) {
			for (uint above = 0; above < depth; above++) {
				while (__atomic_load_n(&status[above], __ATOMIC_ACQUIRE) != 0) {
				}
			}
			__builtin_trap();
		}
	}
}

/** Launches `n` TMDs that lie side by side, each 256 bytes; `status`: one each. */
kernel void launch_all(global const struct gg_tmd *tmds, uint n, global int *status)
{
	for (uint i = 0; i < n; i++) {
		status[i] = ganger_launch(&tmds[i]);
	}
}
