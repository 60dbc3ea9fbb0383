/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A parent that wants the results of its children (S0-R08): it saves its state into the queue of a
 * task that stands for its continuation, launches it, then the children that it waits for, and
 * exits.
 */

/** What the parent knows and its continuation needs. */
struct state {
	uint *results;
	uint *out;
	uint n;
	uint seed;
};

/** Arguments of `part`, as the kernel takes them. */
struct part_args {
	uint *results;
	uint number;
	uint seed;
} __attribute__((aligned(16)));

/** Memory of one run, in the heap; the host fills in the three TMDs' patterns. */
struct run {
	struct gg_tmd next;        /**< QUEUE, closed, of `finish`. */
	struct gg_tmd part;        /**< Pattern of the children: `part`. */
	struct gg_tmd parts[64];   /**< Copies. */
	struct part_args args[64]; /**< Of the copies. */
	struct gg_dependent done;  /**< Of each child: one less to wait for. */
	struct state state;        /**< The queue of `next`: one item. */
};

/** A child. */
kernel void part(global uint *results, uint number, uint seed)
{
	results[number] = seed * (number + 1);
}

/** The continuation: results[0 … n) are there. out[0] is their sum, out[1] the seed. */
kernel void finish(void)
{
	const struct state *state = ganger_queue_item(0);
	uint sum = 0;

	for (uint i = 0; i < state->n; i++) {
		sum += state->results[i];
	}
	state->out[0] = sum;
	state->out[1] = state->seed;
}

static int launch_part(struct run *run, uint number)
{
	struct gg_tmd *tmd = &run->parts[number];

	run->args[number] = (struct part_args){ run->state.results, number, run->state.seed };
	*tmd = run->part;
	ganger_tmd_args(tmd, &run->args[number], sizeof(run->args[number]));
	ganger_tmd_dependents(tmd, &run->done, 1);
	return ganger_launch(tmd);
}

/** The parent, one thread. `status`: n + 1 words, of the continuation and the children. */
kernel void begin(global struct run *run, global uint *results, global uint *out, uint n, uint seed,
		  global int *status)
{
	run->state = (struct state){ results, out, n, seed };
	run->done = ganger_dependent(&run->next, GG_DEPENDENCE_ACTION_DECREMENT, 0);
	ganger_tmd_queue(&run->next, &run->state, 1, sizeof(run->state), 1);
	ganger_tmd_dependence_count(&run->next, n);
	status[0] = ganger_launch(&run->next);
	for (uint i = 0; i < n; i++) {
		status[i + 1] = launch_part(run, i);
	}
}

/** A child that fails, instead of `part`. */
kernel void part_broken(global uint *results, uint number, uint seed)
{
	results[number] = seed;
	if (number == 2) {
		__builtin_trap();
	}
}

/** What a continuation knows that has another one after it. */
struct steps {
	struct gg_tmd *tmds; /**< One for each step. */
	struct steps *saved; /**< State of each step. */
	uint *trail;         /**< What each step did. */
	int *status;
	uint step;
	uint last;
	uint sum;
};

/** A continuation that, until the last step, saves more than it got and launches the next one. The
 * host launches the first: a closed QUEUE of one item, at tmds[0]. */
kernel void step(void)
{
	const struct steps *now = ganger_queue_item(0);
	struct gg_tmd *tmd = &now->tmds[now->step + 1];
	struct steps *next = &now->saved[now->step + 1];

	now->trail[now->step] = now->sum;
	if (now->step == now->last) {
		return;
	}
	*next = *now;
	next->step = now->step + 1;
	next->sum = now->sum + next->step;
	*tmd = now->tmds[now->step];
	ganger_tmd_queue(tmd, next, 1, sizeof(*next), 1);
	now->status[now->step] = ganger_launch(tmd);
}
