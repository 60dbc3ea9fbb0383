/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the control processor and an SM: packets in the launch ring, reports in the report ring, the words by which
 * each tells the other that there is news, and how each goes to sleep. The CP gives a task to the SM, whose CTAs are
 * PACKETS packets, and then the next task in the same slot of the table. Each access to shared memory is a step of its
 * own; the macros are planted faults.
 *
 * firmware/cp/main.c, launch/launch.c and collect/inbox.c, firmware/sm/launch_ring.c, report.c, bell.c and sm_run.c
 * are the code.
 */
#ifndef ENTRIES
#define ENTRIES 2 /* of each ring */
#endif
#ifndef UNITS
#define UNITS 2 /* CTAs that the SM has room for */
#endif
#ifndef PACKETS
#define PACKETS 3 /* of each task */
#endif
#define TASKS 2

/* What the CP writes: packets, their count, and the task of the slot. A packet has its number and its task. */
byte packet[ENTRIES], of_task[ENTRIES];
byte launch_put, report_get, slot_task;

/* What the SM writes: reports and their count, the bell, the acknowledgement. */
byte report[ENTRIES], report_put, bell, acknowledged;

/* Interrupts that wait. */
bool at_sm, at_cp;

/* Only assertions read these. */
bool ran[TASKS * PACKETS];

/* The CP's loop. Its interrupt only ends the sleep: a pass looks whether it waits, and takes it back first. */
proctype Cp()
{
	byte written, taken, put, rung, heard, free = UNITS, task = 1, ended, number;

	do
	:: 	/* A pass of the loop. */
#ifndef TAKEN_LATE
		if
		:: at_cp -> at_cp = false
		:: else
		fi;
#endif
#ifdef HEARD_LATE
		put = report_put;
#endif
		rung = bell;
		if
		:: rung != heard ->
			heard = rung;
#ifndef HEARD_LATE
			put = report_put;
#endif
			do
			:: taken != put ->
				number = report[taken % ENTRIES];
				assert(number != 0 && ran[number - 1]);
				report[taken % ENTRIES] = 0;
				taken++;
				ended++;
				free++
			:: else -> break
			od;
			report_get = put
		:: else
		fi;
		if
		:: ended == PACKETS && task == TASKS -> break
		:: ended == PACKETS && task < TASKS -> task++; ended = 0
		:: else
		fi;
		slot_task = task;
		do
		:: free > 0 && written < task * PACKETS ->
#ifdef COUNT_FIRST
			launch_put = written + 1;
#endif
			packet[written % ENTRIES] = written + 1;
			of_task[written % ENTRIES] = task;
			written++;
			free--;
#ifdef RING_FIRST
			at_sm = true;
#endif
#ifndef COUNT_FIRST
			launch_put = written;
#endif
#ifndef RING_FIRST
			at_sm = true
#endif
		:: else -> break
		od;
#ifdef SLOT_EARLY
		if
		:: task < TASKS -> slot_task = task + 1
		:: else
		fi;
#endif
#ifdef TAKEN_LATE
		at_cp = false;
#endif
		at_cp /* sleep */
	od;
	assert(taken == TASKS * PACKETS)
}

proctype Sm()
{
	byte get, put, number, task, primed, assigned, units, bells, written;
	bool due, here[TASKS * PACKETS];

end:
	do
	:: at_sm -> /* an interrupt, in a CTA or asleep */
#ifndef CLEAR_LATE
		at_sm = false;
#endif
		put = launch_put;
		do
		:: get != put ->
			number = packet[get % ENTRIES];
			task = of_task[get % ENTRIES];
			assert(number == get + 1);
#ifndef NO_PRIME
			if
			:: task != assigned
#else
			if
			:: assigned == 0
#endif
				->
				assigned = task;
				primed = slot_task;
				acknowledged = task
			:: else
			fi;
			assert(primed == task && acknowledged == task); /* S0-C2 */
			here[number - 1] = true;
			units++;
			assert(units <= UNITS);
			get++
		:: else -> break
		od;
#ifdef CLEAR_LATE
		at_sm = false
#endif
	:: units > 0 -> /* a CTA ends: any of them */
		if
		:: here[0] -> number = 1
		:: here[1] -> number = 2
		:: here[2] -> number = 3
		:: here[3] -> number = 4
#if PACKETS > 2
		:: here[4] -> number = 5
		:: here[5] -> number = 6
#endif
		fi;
		d_step {
			here[number - 1] = false;
			assert(!ran[number - 1]);
			ran[number - 1] = true;
			units--
		}
		assert(written - report_get < ENTRIES);
#ifdef PUT_FIRST
		written++;
		report_put = written;
		report[(written - 1) % ENTRIES] = number;
#else
		report[written % ENTRIES] = number;
		written++;
		report_put = written;
#endif
		due = true
	:: due -> /* before the next CTA gets the hart, or the SM sleeps */
		bells++;
		due = false;
#ifdef BELL_LATE
		at_cp = true;
		bell = bells
#else
		bell = bells;
		at_cp = true
#endif
	od
}

init {
	atomic {
		run Cp();
		run Sm()
	}
}
