/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The barrier of a CGA whose SMs count who has come. The word is changed by compare-and-swap, which is one step here. The last
 * CTA to come, or to end, begins the next round and interrupts the SMs of the others, each of which has one CTA. CTAs come
 * to some rounds, and end well, with or without having come, or one fails, and the others are stopped some time later. The macros
 * are planted faults.
 *
 * firmware/sm/cga/cga.c is the code.
 */
#ifndef CTAS
#define CTAS 3
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#define MODULO 2 /* rounds are counted modulo this; 16 in the code */
#define NEVER 255

/* The word. */
byte running = CTAS;
byte missing = CTAS;
byte round;
bool broken;

bool call[CTAS]; /* an interrupt is pending */

/* Nobody reads these but assertions, and those who stop a task. */
byte at[CTAS];   /* rounds to which it has come */
bool gone[CTAS]; /* it has ended well */
byte done;       /* rounds that are over */
bool failed;
byte dead = NEVER; /* `done` when a CTA failed */

/* The next round begins if nobody is missing. */
inline next_round()
{
	last = missing == 0 && running != 0 && !broken;
	if
	:: last ->
		missing = running;
		round = (round + 1) % MODULO;
		done++
	:: else
	fi
}

inline call_all()
{
	other = 0;
	do
	:: other < CTAS ->
		if
		:: other != me -> call[other] = true
		:: else
		fi;
		other++
	:: else -> break
	od;
	other = 0
}

inline come()
{
#ifdef CALL_FIRST
	if
	:: missing == 1 -> call_all()
	:: else
	fi;
#endif
#ifdef LOAD_STORE
	was = missing;
	atomic {
		missing = was - 1;
#else
	atomic {
		missing--;
#endif
		mine = round;
		at[me]++;
		next_round()
	}
#if !defined(CALL_FIRST) && !defined(NO_CALL)
	if
	:: last -> call_all()
	:: else
	fi
#endif
}

inline leave()
{
	atomic {
#ifndef LEAVE_STAYS
		running--;
#endif
#ifdef LEAVE_TWICE
		missing--;
#else
		if
		:: mine != round -> missing--
		:: else
		fi;
#endif
		gone[me] = true;
		next_round()
	}
#ifndef LEAVE_NO_CALL
	if
	:: last -> call_all()
	:: else
	fi
#endif
}

/* The CTA has passed the last round to which it has come. */
inline passed()
{
	d_step {
		other = 0;
		do
		:: other < CTAS -> assert(gone[other] || at[other] >= at[me]); other++
		:: else -> break
		od;
		other = 0;
		assert(dead == NEVER || at[me] <= dead)
	}
}

proctype Cta(byte me)
{
	byte mine = NEVER, other, was;
	bool last, seen;

	do
	:: at[me] < ROUNDS ->
		if
		:: skip
		:: goto ends
		:: atomic { !failed -> failed = true }; goto fails
		fi;
		come();
		if
		:: skip
		:: goto ends
		:: atomic { !failed -> failed = true }; goto fails
		fi;
		do
#ifdef LOOK_FIRST
		:: seen = mine != round; call[me] = false;
#else
		:: call[me] = false; seen = mine != round;
#endif
			if
			:: seen -> break
			:: else
			fi;
			if
			:: call[me]
			:: failed -> goto fails /* it is stopped */
			fi
		od;
		passed()
	:: else -> goto ends
	od;
fails:
	atomic {
#ifndef NO_BREAK
		broken = true;
#endif
		if
		:: dead == NEVER -> dead = done
		:: else
		fi
	};
	goto over;
ends:
	leave();
over:
	skip
}

init {
	atomic {
		run Cta(0);
		run Cta(1);
#if CTAS > 2
		run Cta(2)
#endif
	}
}
