/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Other members' shared memory: reached as it should be, and as it should not.
 */

/* Also in tests/system/test_cluster_dsmem.py. */
enum deed {
	MAP_RANK = 0,  /* of no member */
	MAP_RANGE = 1, /* a pointer outside of the own shared memory */
	BEYOND = 2,    /* behind the end of a member's shared memory */
	BEFORE = 3,    /* a member's CTA block */
	STRADDLE = 4,  /* an access that begins inside and ends behind */
	GONE_MAP = 5,  /* of a member that has ended */
	GONE_LOAD = 6, /* mapped before it ended, first used after */
	GONE_LATE = 7, /* used before and after */
	QUERY = 8,     /* the rank of an address that is no member's */
	EXECUTE = 9,   /* jump into a member's memory */
};

local uint shared_words[64];

/* Waits until the member of rank 1 has ended. */
static void await_gone(volatile uint *state)
{
	while (state[0] == 0) {
	}
}

/* Read again and again: the fault comes with the end of a time slice at the latest. */
static void read_on(volatile uint *there, volatile uint *state)
{
	for (uint i = 0; i < 0xffffffffu; i++) {
		(void)*there;
		state[2] = i;
	}
}

static void gone(uint deed, volatile uint *there, volatile uint *state)
{
	if (deed == GONE_LATE) {
		(void)*there;
	}
	state[1] = 1;
	await_gone(state);
	if (deed == GONE_MAP) {
		(void)map_shared_rank(&shared_words[0], 1);
	} else if (deed == GONE_LOAD) {
		(void)*there;
	} else {
		read_on(there, state);
	}
}

static void wrong(uint deed, global uint *address)
{
	const uint bytes = ganger_shared_bytes();
	char *there = (char *)map_shared_rank(&shared_words[0], 1);
	char *base = there - ((char *)&shared_words[0] - (char *)__builtin_thread_pointer());

	switch (deed) {
	case MAP_RANK:
		(void)map_shared_rank(&shared_words[0], cluster_nctarank());
		break;
	case MAP_RANGE:
		(void)map_shared_rank(address, 1);
		break;
	case BEYOND:
		*(volatile uint *)(base + (bytes + 3) / 4 * 4) = 1;
		break;
	case BEFORE:
		*(volatile uint *)(base - 4) = 1;
		break;
	case STRADDLE:
		*(volatile uint *)there = 1;
		*(volatile uint64_t *)(base + (bytes + 3) / 4 * 4 - 4) = 1;
		break;
	case QUERY:
		(void)query_shared_rank(address);
		break;
	case EXECUTE:
		((void (*)(void))there)();
		break;
	default:
		break;
	}
}

/** The CTA of rank 0 does a deed; that of rank 1 ends when the host says so (state[1]); the others wait at a
 * barrier. `state[0]` is set by the host when rank 1 has ended. */
kernel void faults(global uint *state, uint deed, global uint *address)
{
	volatile uint *told = state;

	shared_words[cluster_ctarank()] = 1;
	cluster_sync();
	if (cluster_ctarank() == 0) {
		if (deed >= GONE_MAP && deed <= GONE_LATE) {
			gone(deed, map_shared_rank(&shared_words[1], 1), told);
		} else {
			wrong(deed, address);
		}
		state[3] = 1;
	} else if (cluster_ctarank() == 1 && deed >= GONE_MAP && deed <= GONE_LATE) {
		while (told[1] == 0) {
		}
		return;
	}
	cluster_sync();
}

/** Each CTA writes, adds to and reads a word of every member, `rounds` times: more members than there are
 * windows. `out` has a word for each CTA: the sum that is right is rounds * members * (members + 1) / 2. */
kernel void everyone(global uint *out, uint rounds)
{
	const uint members = cluster_nctarank(), rank = cluster_ctarank();

	for (uint i = 0; i < 64; i++) {
		shared_words[i] = 0;
	}
	cluster_sync();
	for (uint round = 0; round < rounds; round++) {
		for (uint member = 0; member < members; member++) {
			uint *there = map_shared_rank(&shared_words[0], member);

			atomic_add(&there[0], rank + 1);
			there[1 + rank] += 1;
			if (query_shared_rank(there) != member) {
				atomic_add(&there[0], 1u << 16);
			}
		}
	}
	cluster_sync();
	out[ganger_cta_linear_id()] = shared_words[0];
	for (uint member = 0; member < members; member++) {
		if (shared_words[1 + member] != rounds) {
			out[ganger_cta_linear_id()] = 0xbad00000u + shared_words[1 + member];
		}
	}
}

/** Where a CTA's shared memory is: for another task that tries to reach it; stays until the host says so. */
kernel void host_of_memory(global uint64_t *where, global uint *state)
{
	shared_words[0] = 0x5ec4e7aa;
	where[ganger_cta_linear_id()] = (uintptr_t)&shared_words[0];
	cluster_sync();
	atomic_inc(&state[0]);
	while (((volatile uint *)state)[1] == 0) {
	}
	if (shared_words[0] != 0x5ec4e7aa) {
		atomic_inc(&state[2]);
	}
}

/** Reads or writes an address. It has shared memory like host_of_memory(), and as many units. */
kernel void touch(uint64_t address, uint write)
{
	volatile uint *there = (volatile uint *)(uintptr_t)address;

	shared_words[0] = write;
	if (*(volatile uint *)&shared_words[0] != 0) {
		*there = 0;
	} else {
		(void)*there;
	}
}

/** The stack of the member of the highest rank overflows, `below` bytes into the memory below its own: that
 * is another member's shared memory when both are on one SM. */
kernel void overflow(global uint *out, local_pointer(uint) big, uint below)
{
	big[0] = 1;
	cluster_sync();
	if (cluster_ctarank() == cluster_nctarank() - 1) {
		volatile uint *frame = __builtin_alloca(ganger_cta()->stack_bytes + below);

		frame[0] = 0x0bad57ac;
		out[1] = frame[0];
	}
	cluster_sync();
	out[0] = big[0];
}
