/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of a unit in pull.pml, one for each access to shared memory; an atomic is one AMO, or
 * one load with what the unit decides by it.
 */

/* Reads WIR, and takes only what may still be there. */
inline work_look()
{
	atomic {
		recall[me] != set && at[me] == to[me] && kind == PULL ->
		assert(open == set && (approved & BIT(me)));
		old = wir;
		if
		:: old <= 0 -> goto report
		:: else -> taking[me] = true
		fi
	}
}

/* The decrement of WIR. */
inline work_subtract()
{
#ifdef LOAD_STORE
	old = wir;
	wir = old - WANT(me);
#endif
	atomic {
		assert(open == set);
#ifndef LOAD_STORE
		old = wir;
		wir = wir - WANT(me);
#endif
		assert(wir >= -(UNITS * MOST));
		if
		:: old <= 0 -> taking[me] = false; goto report
		:: else -> assert(SIZE(set) - old == granted); granted = granted + LEAST(old, WANT(me))
		fi
	}
}

/* What a decrement that found old > 0 granted: into the record. tn is stable until this unit has
   said that it has seen the entry empty. */
inline work_grant()
{
	d_step {
		assert(open == set);
#ifdef NO_CUT
		n = WANT(me);
#else
		n = LEAST(old, WANT(me));
#endif
		at[me] = tn - old;
		to[me] = at[me] + n;
		assert(to[me] <= tn);
		assert((given & (ITEMS(n) << at[me])) == 0);
		given = given | (ITEMS(n) << at[me]);
		taking[me] = false;
		old = 0;
		n = 0
	}
}

/* One item runs. That it has run and that the record says so is one write of `at`. */
inline run_item()
{
	d_step {
		recall[me] != set && at[me] < to[me] ->
		assert((ran & BIT(at[me])) == 0);
		ran = ran | BIT(at[me]);
		done[me]++;
		at[me]++
	}
}
