/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * CTAs that never end by themselves, and whose values show that they have lost nothing while they were parked.
 */
#define VALUES 24 /* of a work-item, on its stack */
#define TURNS  4096
#define SHARED 64 /* words of shared memory that each work-item writes at most once */

static uint mixed(uint value, uint with)
{
	return (value ^ with) * 16777619u + 7u;
}

#ifdef __riscv_flen
typedef float real;

/* Keeps a value in a register of its own. */
#define IN_REGISTER(value) __asm__ volatile("" : "+f"(value))
#else
typedef uint real;
#define IN_REGISTER(value) __asm__ volatile("" : "+r"(value))
#endif

/* Spins until the host's word is there; shows that it does. What it is given stays in registers meanwhile. */
static uint wait_for(volatile global uint *go, volatile global uint *beat, uint cta)
{
	real one = (real)(cta + 1), two = (real)(cta + 2), three = (real)(cta + 3);
	uint four = cta + 4, turns = 0;
	real counted = 0; /* the same as `turns`, in a register of another kind */

	while (*go == 0) {
		turns = (turns + 1) % TURNS;
		counted = turns == 0 ? 0 : counted + 1;
		IN_REGISTER(counted);
		IN_REGISTER(one);
		IN_REGISTER(two);
		IN_REGISTER(three);
		__asm__ volatile("" : "+r"(four));
		*beat = *beat + 1;
	}
	return (uint)one + 3u * (uint)two + 5u * (uint)three + 7u * four +
	       11u * ((uint)counted - turns);
}

/** Each work-item writes what follows from its stack, from the registers of the one that waits, and from shared memory that
 * others have written. `started` counts CTAs, `beats` has a word for each. */
kernel void keep(global uint *out, global uint *started, global uint *beats,
		 volatile global uint *go, uint seed)
{
	local uint common[SHARED];
	local uint waited;
	const uint item = (uint)get_local_linear_id();
	const uint items = (uint)get_local_size(0);
	const uint cta = (uint)ganger_cta_linear_id();
	volatile uint mine[VALUES];
	uint sum = 0;

	for (uint i = 0; i < VALUES; i++) {
		mine[i] = mixed(seed + i, cta * items + item);
	}
	common[item % SHARED] = mixed(seed, item + cta);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (item == items / 2) {
		atomic_inc(started);
		waited = wait_for(go, &beats[cta], cta);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = 0; i < VALUES; i++) {
		sum = mixed(sum, mine[i]);
	}
	sum = mixed(sum, common[(item + 1) % (items < SHARED ? items : SHARED)]);
	out[cta * items + item] = mixed(sum, waited);
}

/** Writes all of its shared memory, and says that it is its own. */
kernel void scribble(global uint *out, local_pointer(uint) memory, uint count)
{
	uint right = 1;

	for (uint i = 0; i < count; i++) {
		memory[i] = ~i;
	}
	for (uint i = 0; i < count; i++) {
		right = memory[i] == ~i ? right : 0;
	}
	out[ganger_cta_linear_id()] = right;
}
