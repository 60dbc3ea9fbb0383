/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An entry of the global queue, pulled by its units (firmware/pull/work_queue.h): the control
 * processor (CP) places two work sets in the same entry, one after the other; units take chunks
 * from the word WIR (work items remaining, in granules) until they see it used up, and report that
 * once each. Units are killed while they hold a chunk, and come back; units are recalled and
 * return the rest of their chunk; the CP issues rests again as ranges, and approves units anew
 * when items are left and nobody pulls.
 *
 * One step is one access to shared memory, in one order for all: the fences that make it so are
 * the code's business. Atomic and d_step join an access with what only one party sees, and with
 * what only this model keeps.
 *
 * Checked: S4-R112, V8 every item is granted once, and runs once; S4-R114 grants go up in one
 * sequence; S4-R47 the last grant is cut; S4-R113 WIR stays above -(units * most); S4-R115, V11
 * nobody touches an entry that is free or holds another set; S4-R116 when all have seen it empty
 * and no rest is left, all items ran; both sets end (no deadlock, no cycle: <> finished).
 *
 * Macros that plant a fault (test_pull.py): LOAD_STORE, NO_CUT, FREE_AT_ZERO, FREE_WHEN_DONE,
 * FREE_WITH_REST, FREE_WITH_WIR, SEEN_AT_RECALL, TOUCH_AFTER_SEEN, KILL_IN_TAKE, NO_RESUME.
 * HARD_RESET: a kill may hit between the AMO and the record of the chunk; what was taken is not
 * known then, and the set must end with an error, not silently.
 */
#define UNITS 3
#define me _pid
#define SETS 2
#define BIT(u) (1 << (u))
#define SIZE(set) (set == 1 -> TN1 : TN2) /* granules of a set */
#define ALLOWED(set) (set == 1 -> 7 : 6)  /* who may be approved for it: a bit each */
#define WANT(u) ((u) + 1)                 /* granules a unit asks for */
#define MOST UNITS
#define ITEMS(n) (BIT(n) - 1)             /* a bit for each of n items */
#define LEAST(a, b) (a < b -> a : b)
#ifndef TN1
#define TN1 4
#endif
#ifndef TN2
#define TN2 3
#endif
#ifndef KILLS
#define KILLS 1
#endif
#ifndef RECALLS
#define RECALLS 1
#endif

mtype = { PULL, RANGE, RUN, KILL, GONE };

/* The entry. The CP writes tn and approved while no unit may touch them; units change wir. */
byte tn, approved;
short wir;

/* Each unit: its ring, one packet {kind, set}; its completion {set, done, rest from, rest to}. */
chan packet[UNITS] = [1] of { mtype, byte };
chan completion[UNITS] = [1] of { byte, byte, byte, byte };
byte recall[UNITS]; /* the CP writes: the set that the unit should hand back */
mtype life[UNITS] = RUN; /* RUN and KILL by the CP, GONE by the unit */

/* The record of each unit: its unit writes, the CP reads when that has gone and before it sends a
   packet. Items at ... to-1 are the rest of its chunk; done: items of this packet that ran. */
byte at[UNITS], to[UNITS], done[UNITS];
bool taking[UNITS]; /* between the AMO and the record; a kill waits for its end */

/* Of the model only: the set in the entry (0: none), what was granted, and what ran. */
byte open, granted, given, ran;
bool finished;

#if defined(KILL_IN_TAKE) || defined(HARD_RESET)
#define MAY_DIE(u) (life[u] == KILL)
#else
#define MAY_DIE(u) (life[u] == KILL && !taking[u])
#endif

#include "pull_steps.pml"

active [UNITS] proctype unit()
{
	mtype kind;
	byte set, n;
	short old;

again:
	{
		n = 0;
end_idle:
		packet[me]?kind, set;
		do
		:: recall[me] == set -> break
		:: run_item()
		:: recall[me] != set && at[me] == to[me] && kind == RANGE -> break
		:: work_look();
			work_subtract();
			work_grant()
		od;
report:
		atomic {
			completion[me]!set, done[me], at[me], to[me];
#ifndef TOUCH_AFTER_SEEN
			kind = 0; set = 0;
#endif
			old = 0
		}
#ifdef TOUCH_AFTER_SEEN
		assert(open == set);
#endif
		goto end_idle
	} unless { MAY_DIE(me) };
	d_step { life[me] = GONE; kind = 0; set = 0; n = 0; old = 0 };
end_gone:
	life[me] != GONE;
	goto again
}

#define PULLING (approved & ~seen & 255)
#define FREE_UNIT(u) (!(busy & BIT(u)) && life[u] == RUN)

/* A packet for a unit that has none: its record is the CP's until then. */
inline send(u, what, first, end)
{
	d_step {
		recall[u] = 0;
		at[u] = first;
		to[u] = end;
		done[u] = 0;
		busy = busy | BIT(u);
		if
		:: what == PULL -> approved = approved | BIT(u); seen = seen & ~BIT(u)
		:: else
		fi;
		packet[u]!what, set
	}
}

/* The packet of a unit is over, because it said so or has died. */
inline settle(u, ran_of_it, first, end)
{
	items = items + ran_of_it;
	busy = busy & ~BIT(u);
	seen = seen | BIT(u);
	if
	:: first < end -> rest!first, end
	:: else
	fi;
	at[u] = 0;
	to[u] = 0;
	done[u] = 0;
	recall[u] = 0
}

/* What the CP may do about unit u; a completion goes before what the record of a dead unit says. */
#define CHOICES(u) \
	:: atomic { completion[u]?s, n, a, b -> \
		if \
		:: s == set && (busy & BIT(u)) -> settle(u, n, a, b) \
		:: else \
		fi; \
		s = 0; n = 0; a = 0; b = 0 } \
	:: atomic { life[u] == GONE && empty(completion[u]) -> \
		if \
		:: busy & BIT(u) -> lost = lost || taking[u]; settle(u, done[u], at[u], to[u]) \
		:: else \
		fi; \
		if \
		:: packet[u]?_, _ \
		:: empty(packet[u]) \
		fi; \
		taking[u] = false; \
		life[u] = RUN } \
	:: d_step { kills > 0 && (busy & BIT(u)) && life[u] == RUN -> kills--; life[u] = KILL } \
	:: d_step { recalls > 0 && (busy & BIT(u)) && recall[u] != set -> \
		recalls--; recall[u] = set; SEEN_EARLY(u) } \
	:: atomic { nempty(rest) && FREE_UNIT(u) -> rest?a, b; send(u, RANGE, a, b); a = 0; b = 0 } \
	:: atomic { RESUMES && PULLING == 0 && wir > 0 && FREE_UNIT(u) && (ALLOWED(set) & BIT(u)) -> \
		send(u, PULL, 0, 0) }

#ifdef NO_RESUME
#define RESUMES false
#else
#define RESUMES true
#endif

#ifdef SEEN_AT_RECALL
#define SEEN_EARLY(u) seen = seen | BIT(u)
#else
#define SEEN_EARLY(u) skip
#endif

/* When the CP frees the entry. Nobody pulls, nothing is left in WIR, no rest waits or runs. */
#ifdef FREE_AT_ZERO
#define OVER (wir <= 0)
#elif defined(FREE_WHEN_DONE)
#define OVER (items == SIZE(set))
#elif defined(FREE_WITH_REST)
#define OVER (PULLING == 0 && wir <= 0)
#elif defined(FREE_WITH_WIR)
#define OVER (PULLING == 0 && busy == 0 && empty(rest))
#elif defined(SEEN_AT_RECALL)
#define OVER (PULLING == 0 && wir <= 0 && empty(rest) && items == SIZE(set))
#else
#define OVER (PULLING == 0 && wir <= 0 && busy == 0 && empty(rest))
#endif

/* Places set after set; ends when both are over. */
active proctype cp()
{
	chan rest = [4] of { byte, byte };
	byte set, items, busy, seen, s, n, a, b;
	byte kills = KILLS, recalls = RECALLS;
	bool lost;

	do
	:: set < SETS ->
		d_step {
			set++;
			tn = SIZE(set);
			wir = SIZE(set);
			approved = 0;
			seen = 0;
			items = 0;
			lost = false;
			granted = 0;
			given = 0;
			ran = 0;
			open = set
		}
		a = 0;
		do
		:: a < UNITS ->
			if
			:: FREE_UNIT(a) && (ALLOWED(set) & BIT(a)) -> send(a, PULL, 0, 0)
			:: else
			fi;
			a++
		:: else -> break
		od;
		do
		CHOICES(0)
		CHOICES(1)
		CHOICES(2)
		:: d_step { OVER ->
#ifdef HARD_RESET
			assert(items == SIZE(set) || lost);
#else
			assert(items == SIZE(set));
			assert(ran == ITEMS(SIZE(set)) && given == ran && granted == SIZE(set));
#endif
			open = 0; s = 0; n = 0; a = 0; b = 0
		} -> break
		od
	:: else -> break
	od;
	finished = true
}

ltl ends { <> finished }
