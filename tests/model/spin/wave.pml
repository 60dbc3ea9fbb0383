/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waves: SMs that count themselves when their CTAs have ended, and a control processor that may want to know of each.
 * Two waves, one after the other, use the same entry. Each access to shared memory is a step of its own; the macros
 * are planted faults.
 *
 * firmware/sm/wave.c and firmware/cp/wave/wave.c are the code.
 */
#ifndef SMS
#define SMS 2
#endif
#ifndef FAILURES
#define FAILURES 1 /* SMs that may fail in all waves */
#endif
#ifndef WAVES
#define WAVES 2
#endif

/* The entry. */
short left;
bool open;
byte serial;

/* Words of each SM. */
byte sent[SMS];   /* CP: the last wave whose packet it was sent */
bool look[SMS];   /* CP: interrupts it */
byte ack[SMS];    /* SM: the last wave in which it was counted */
byte said[SMS];   /* SM: the last wave whose CTAs it has reported */
bool bell[SMS];   /* SM: rings */

byte ended[SMS];  /* the last wave whose CTAs have ended there; nobody reads this but assertions */
byte failures = FAILURES;
bool finished;

inline count_down()
{
#ifdef LOAD_STORE
	was = left;
	left = was - 1;
#else
	atomic { was = left; left = left - 1 }
#endif
}

proctype Sm(byte me)
{
	byte wave, mine;
	short was;
	bool seen;

end:
	do
	:: sent[me] != wave ->
		wave = sent[me];
		was = 0;
		if
		:: goto well
		:: atomic { failures > 0 -> failures-- }; goto report
		:: look[me] -> /* interrupted meanwhile */
			look[me] = false;
			if
			:: open -> goto report
			:: else -> goto well
			fi
		fi;
report:
		ended[me] = wave;
		said[me] = wave;
		bell[me] = true;
		goto next;
well:
		ended[me] = wave;
#ifndef LATE_SERIAL
		mine = serial;
#endif
#ifdef LOOK_FIRST
		seen = open;
#endif
#ifdef ACK_FIRST
		ack[me] = mine;
#endif
		count_down();
#ifdef LATE_SERIAL
		mine = serial;
#endif
		ack[me] = mine;
#ifndef LOOK_FIRST
		seen = open;
#endif
#ifdef NO_LOOK
		seen = false;
#endif
		if
		:: was == 1 || seen -> bell[me] = true
		:: else
		fi;
next:
		skip;
		d_step { mine = 0; was = 0; seen = false }
	od
}

inline take(which)
{
	assert(!taken[which] && ended[which] == wave);
	taken[which] = true;
	count++
}

inline open_it()
{
	closed = false;
	fresh = true;
#ifndef NO_OPEN
	open = true;
#endif
	d_step {
		at = 0;
		do
		:: at < SMS -> look[at] = true; at++
		:: else -> break
		od;
		at = 0
	}
}

/* What was counted before the wave was opened. */
inline scan()
{
	at = 0;
	do
	:: at < SMS ->
		if
		:: !taken[at] && ack[at] == wave -> take(at)
		:: else
		fi;
		at++
	:: else -> break
	od;
	at = 0;
	fresh = false
}

inline take_all()
{
	d_step {
		at = 0;
		do
		:: at < SMS -> take(at); at++
		:: else -> break
		od;
		at = 0
	}
}

inline hear(which)
{
	bell[which] = false;
	if
	:: closed && left == 0 -> take_all()
	:: !closed && !fresh && !taken[which] && ack[which] == wave -> take(which)
	:: else
	fi;
	if
	:: said[which] == wave && !taken[which] ->
		take(which);
#ifndef NO_OPEN_AT_REPORT
		if
		:: closed -> open_it()
		:: else
		fi
#endif
	:: else
	fi
}

proctype Cp()
{
	byte wave, at, count;
	bool closed, fresh, wants, taken[SMS];

	do
	:: wave < WAVES ->
		d_step {
			wave++;
			count = 0;
			closed = true;
			fresh = false;
			left = SMS
		};
		if
		:: wants = true
		:: wants = false
		fi;
		open = false;
		serial = wave;
		d_step {
			at = 0;
			do
			:: at < SMS -> taken[at] = false; look[at] = false; sent[at] = wave; at++
			:: else -> break
			od;
			at = 0
		}
		do
		:: count == SMS -> break
		:: closed && wants && count < SMS ->
			wants = false;
#ifdef SCAN_FIRST
			scan();
#endif
			open_it()
#ifdef SCAN_FIRST
			; fresh = false
#endif
		:: fresh && count < SMS ->
#ifdef NO_SCAN
			fresh = false
#else
			scan()
#endif
		:: bell[0] && count < SMS -> hear(0)
		:: bell[1] && count < SMS -> hear(1)
#if SMS > 2
		:: bell[2] && count < SMS -> hear(2)
#endif
		od
	:: else -> break
	od;
	finished = true
}

init {
	atomic {
		run Cp();
		run Sm(0);
		run Sm(1);
#if SMS > 2
		run Sm(2)
#endif
	}
}

ltl ends { <> finished }
