/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The local queue of a far group (firmware/pull/local_queue.h): three units in GROUPS groups take
 * small chunks of a portion that is staged in their group's memory; one of them at a time fetches
 * the next portion from the global word WIR; a near unit takes from WIR meanwhile.
 *
 * A group has a word {seq, left}, changed by compare-swap; first and count of the portions seq and
 * seq + 1, by parity; and a state, changed by compare-swap, with the seq of its portion as a tag:
 *   STAGED seq      nothing is on its way (NONE); a unit may swap it for FETCHING seq + 1
 *   FETCHING seq+1  one unit, and no other, decrements WIR and writes first and count of seq + 1
 *   STAGED seq+1    when left is 0, a unit swaps the word for {seq + 1, count}: with that alone
 *                   the state means NONE, so nothing has to be stored after the swap
 *   EMPTY seq+1     WIR is used up: no portion comes after seq
 *
 * A fetcher may be killed at every step of its fetch. The control processor (CP) issues its portion
 * unless that was published; when all units are over, it collects what is left in the group. A unit
 * may also leave early, as a recalled one does. What becomes of the chunk that a dead unit held is
 * in pull.pml; here a chunk runs at once. Memory is as in pull.pml.
 *
 * Checked: S4-R112, V8 every item runs once, none beyond the end; S4-R85, V9 one fetch in flight
 * per group; S4-R71, S4-R89 one decrement of WIR per portion; S4-R74 near and far units together;
 * S4-R83 prefetch; no unit leaves items in its group unless one was killed or recalled (S4-R82);
 * all runs end (no deadlock, no cycle: <> finished).
 *
 * Macros that plant a fault (test_local.py): LOAD_STORE, READ_AFTER, NO_TAG, STALE_SEQ,
 * EARLY_STAGED, NO_FLAG, SEQ_KEPT, RECLAIM_ALWAYS, NO_COLLECT, NO_WAY_OUT.
 */
#define FAR 3
#define NEAR FAR
#define UNITS (FAR + 1)
#define me _pid
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef ITEMS
#define ITEMS 5
#endif
#ifndef PORTION
#define PORTION 2 /* granules of a fetch */
#endif
#ifndef KILLS
#define KILLS 0
#endif
#ifndef LEAVES
#define LEAVES 0
#endif
#ifndef SEQS
#define SEQS 16 /* seq is modulo this: more than the portions that pass while a unit stands still */
#endif
#define THRESHOLD 1 /* granules left at which the next portion is fetched */
#define WANT(u) (u == 1 -> 2 : 1) /* granules of a chunk */
#define GROUP(u) ((u) * GROUPS / FAR)
#define NEXT(s) (((s) + 1) % SEQS)
#define PREVIOUS(s) (((s) + SEQS - 1) % SEQS)
#define PLACE(s) (2 * g + ((s) & 1))
#define MASK(from, n) (((1 << (n)) - 1) << (from))
#define LEAST(a, b) (a < b -> a : b)

mtype = { NONE, FETCHING, STAGED, EMPTY, RUN, KILL, GONE, OVER };

/* What state k with tag t says to a unit that has read seq s. */
#ifdef NO_TAG
#define AT_FIRST NONE
#define IS_NONE (k == NONE)
#define IS(what) (k == what)
#define WAITS (state[g] == FETCHING)
#else
#define AT_FIRST STAGED
#define IS_NONE (k == STAGED && t == s)
#define IS(what) (k == what && t == NEXT(s))
#define WAITS (state[g] == FETCHING && tag[g] == NEXT(s))
#endif

short wir = ITEMS;

/* Of each group: two words, and what the fetcher writes. */
byte seq[GROUPS], left[GROUPS];
mtype state[GROUPS] = AT_FIRST;
byte tag[GROUPS];
byte first[2 * GROUPS], count[2 * GROUPS];

/* Of each unit: the portion that it fetches; the unit writes, the CP reads when that is GONE. */
byte fetch_tag[UNITS], fetch_at[UNITS], fetch_to[UNITS];
mtype life[UNITS] = RUN; /* the CP writes KILL, the unit GONE and OVER */

/* Of the model only: items that ran (a bit each); fetches under way; decrements of WIR without a
   portion; who fetches; whether items may be left in a group. */
short ran;
byte flying[GROUPS], unpaired[GROUPS];
bool fetches[UNITS], orphans, finished;
byte kills = KILLS, leaves = LEAVES;

#include "local_steps.pml"

active [UNITS] proctype unit()
{
	byte g, s, l, n, f, c, t;
	mtype k;
	short old;

	{
		g = GROUP(me) % GROUPS; /* of no use to the near unit */
next:
		if
		:: me == NEAR -> goto direct
		:: atomic { me != NEAR && leaves > 0 -> leaves--; orphans = true; goto over }
		:: atomic {
			me != NEAR ->
			s = seq[g];
			l = left[g];
			if
			:: l > 0 -> goto take
			:: else
			fi
		}
		fi;
		atomic {
			k = state[g];
			t = tag[g];
			if
			:: IS_NONE -> k = 0; t = 0; goto fetch
			:: IS(STAGED) -> k = 0; t = 0
			:: IS(EMPTY) -> goto over
			:: IS(FETCHING) -> k = 0; t = 0; goto wait
			:: else -> AGAIN
			fi
		}
		next_portion();
take:
		take_from_portion();
fetch:
		win_fetch();
		fetch_portion();
wait:
		if
		:: atomic { !WAITS -> AGAIN }
#ifndef NO_WAY_OUT
		:: atomic { FORGET; goto direct }
#endif
		fi;
direct:
		take_direct();
over:
		goto ended
	}
#if KILLS > 0
	unless { life[me] == KILL };
	atomic { FORGET; life[me] = GONE; goto stopped }
#endif
	;
ended:
	atomic { FORGET; life[me] = OVER };
stopped:
	skip
}

/* Unit u is gone. Nobody else changes the state while it names a fetcher that does not run, so one
   step stands for all. If it died before its record named the portion, FETCHING stays: then the
   others take the way out. */
inline bury(u)
{
	g = GROUP(u);
	if
#ifdef RECLAIM_ALWAYS
	:: fetch_at[u] < fetch_to[u] ->
#else
	:: state[g] == FETCHING && tag[g] == fetch_tag[u] ->
#endif
		give(fetch_at[u], fetch_to[u] - fetch_at[u]);
		unpaired[g] = 0;
		flying[g] = 0;
		state[g] = STAGED;
		tag[g] = PREVIOUS(fetch_tag[u])
	:: else
	fi;
	orphans = true;
	life[u] = OVER
}

/* What is left in a group when all its units are over. */
inline collect()
{
	assert(orphans || left[g] == 0);
	give(first[PLACE(seq[g])] + count[PLACE(seq[g])] - left[g], left[g]);
	if
	:: state[g] == STAGED && tag[g] == NEXT(seq[g]) ->
		assert(orphans);
		give(first[PLACE(tag[g])], count[PLACE(tag[g])])
	:: else
	fi
}

#define CHOICES(u) \
	:: d_step { life[u] == GONE -> bury(u) } \
	:: d_step { kills > 0 && life[u] == RUN && fetches[u] -> kills--; life[u] = KILL }
#define IS_OVER(u) (life[u] == OVER)

active proctype cp()
{
	byte g;

	do
	CHOICES(0)
	CHOICES(1)
	CHOICES(2)
	:: IS_OVER(0) && IS_OVER(1) && IS_OVER(2) && IS_OVER(NEAR) -> break
	od;
	atomic {
#ifndef NO_COLLECT
		g = 0;
		do
		:: g < GROUPS -> collect(); g++
		:: else -> break
		od;
#endif
		assert(wir <= 0);
		assert(ran == MASK(0, ITEMS))
	}
	finished = true
}

ltl ends { <> finished }
