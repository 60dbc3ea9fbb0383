/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between a host and the control processor: commands in the ring of a channel, completions in the completion ring, the
 * words and interrupts by which each tells the other that there is news, and the reset of a channel that the CP has
 * refused. A ring of completions that is full keeps the CP from taking commands. Each access to shared memory is a step
 * of its own; the macros are planted faults.
 *
 * firmware/cp/host/channel.c and host_interface.c, finish/completion.c, and main.c, host/lib/mailbox/mailbox.c,
 * channel.c and pump.c are the code.
 */
#define ENTRIES 2 /* of the channel's ring */
#ifndef COMPLETIONS
#define COMPLETIONS 2 /* entries of the completion ring */
#endif
#ifndef COMMANDS
#define COMMANDS 4
#endif
#ifndef RESETS
#define RESETS 1
#endif

/* What the host writes. */
byte command[ENTRIES], is_quiet[ENTRIES], put, bell, rung, reset, completions_get;

/* What the CP writes. */
byte completion[COMPLETIONS], get, completions_put, reset_done;
bool refused;

/* Interrupts that wait. */
bool at_cp, at_host;

inline ring_cp()
{
#ifndef NO_BELL
	bell++;
#endif
	at_cp = true
}

/* Takes all completions that are there. */
inline drain()
{
	crowded = false;
	seen = completions_put;
	do
	:: seen != mine ->
		before = mine;
#ifdef FULL_EARLY
		crowded = crowded || seen - before >= COMPLETIONS;
#endif
		do
		:: mine != seen ->
			answered++;
			assert(completion[mine % COMPLETIONS] == answered); /* each once, in order */
			mine++
		:: else -> break
		od;
		completions_get = mine;
		seen = completions_put;
#ifndef FULL_EARLY
		crowded = crowded || seen - before >= COMPLETIONS
#endif
	:: else -> break
	od;
#ifndef NO_RING_WHEN_FULL
	if
	:: crowded -> rung++; at_cp = true
	:: else
	fi
#endif
}

proctype Host()
{
	byte sent, written, mine, seen, before, answered, resets;
	bool unrung, crowded, quiet; /* quiet: the last command asked for no interrupt; then there is another one */

	do
	:: sent < COMMANDS && written - get < ENTRIES ->
		if
		:: sent + 1 < COMMANDS -> quiet = true
		:: quiet = false
		fi;
		command[written % ENTRIES] = sent + 1;
		is_quiet[written % ENTRIES] = quiet;
		d_step { sent++; written++ };
#ifdef BELL_FIRST
		ring_cp();
		put = written
#else
		put = written;
		if
		:: unrung = true /* more may go out with the same bell */
		:: unrung = false; ring_cp()
		fi
#endif
	:: resets < RESETS && written == get -> /* a program writes nonsense */
		put = written + ENTRIES + 1;
		ring_cp();
		refused;
		resets++;
		written = 0;
#ifdef RESET_FIRST
		reset = resets;
		put = 0;
#else
		put = 0;
		reset = resets;
#endif
		ring_cp();
		reset_done == resets
	:: sent > answered ->
		if
		:: unrung -> unrung = false; ring_cp()
		:: else
		fi;
		drain();
		if
		:: answered == COMMANDS -> break
		:: answered == sent && answered < COMMANDS
		:: answered < sent && quiet -> /* waits for room, and looks again and again */
			completions_put != mine || written - get < ENTRIES
		:: answered < sent && !quiet -> /* waits for an interrupt */
			atomic { at_host -> at_host = false }
		fi
	od
}

/* The CP's loop. Its interrupts are those of rings.pml, so an event is an interrupt here. */
proctype Cp()
{
	byte taken, last, heard, heard_rung, done, written, word;
	bool news, waiting, post, crowded, quiet, posted;

	do
	:: 	/* A pass of the loop. */
#ifndef CLEAR_LATE
		at_cp = false;
#endif
		word = bell;
		if
		:: word != heard -> heard = word; news = true
		:: else
		fi;
		word = rung;
		if
		:: word != heard_rung -> heard_rung = word; news = true
		:: else
		fi;
#ifdef CLEAR_LATE
		at_cp = false;
#endif
		if
		:: news || waiting ->
			word = reset;
			if
			:: word != done ->
				done = word;
				d_step { taken = 0; last = 0 };
#ifdef DONE_FIRST
				reset_done = done;
				get = 0;
				refused = false
#else
				get = 0;
				refused = false;
				reset_done = done
#endif
			:: else
			fi;
			word = put;
			if
			:: word == taken || refused -> news = false
			:: word - taken > ENTRIES && !refused -> refused = true; news = false
			:: word != taken && word - taken <= ENTRIES && !refused -> last = word
			fi
		:: else
		fi;
		posted = false;
		do
		:: taken != last && written - completions_get < COMPLETIONS ->
			word = command[taken % ENTRIES];
			assert(word != 0);
			quiet = is_quiet[taken % ENTRIES];
			command[taken % ENTRIES] = 0;
			taken++;
			if
			:: taken == last -> news = false
			:: else
			fi;
			get = taken;
			completion[written % COMPLETIONS] = word;
			written++;
			posted = true;
#ifdef INTERRUPT_FIRST
			at_host = at_host || !quiet || written - completions_get >= COMPLETIONS;
			completions_put = written
#else
			completions_put = written;
#ifndef NO_INTERRUPT_WHEN_FULL
			crowded = written - completions_get >= COMPLETIONS;
#endif
			post = post || !quiet || crowded
#endif
		:: else -> break
		od;
		waiting = taken != last;
		if
		:: post -> post = false; at_host = true
		:: else
		fi;
		if
		:: waiting && posted /* looks again, since the host may have made room meanwhile */
		:: else ->
end_asleep:
			at_cp
		fi
	od
}

init {
	atomic {
		run Host();
		run Cp()
	}
}
