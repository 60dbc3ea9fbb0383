/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of a unit in local.pml, one for each access to shared memory; an atomic is one AMO, one
 * compare-swap, or one load with what the unit decides by it.
 */

/* The n items from a on run, in a unit or issued by the CP. */
inline give(a, n)
{
	assert(a >= 0 && a + n <= ITEMS);
	assert((ran & MASK(a, n)) == 0);
	ran = ran | MASK(a, n)
}

/* Begins again; what a unit had read is forgotten. */
#define FORGET s = 0; l = 0; n = 0; f = 0; c = 0; k = 0; t = 0; old = 0
#define AGAIN FORGET; goto next

/* What was read before a swap that succeeds is still so at the swap, as is asserted: so it does not
   matter that first and count are read in one step here. */
inline take_from_portion()
{
#ifndef READ_AFTER
	d_step { f = first[PLACE(s)]; c = count[PLACE(s)] }
#endif
	atomic {
		if
		:: seq[g] != s || left[g] != l -> AGAIN
		:: else
		fi;
		n = LEAST(l, WANT(me));
#ifdef LOAD_STORE
	}
	atomic {
#endif
		seq[g] = s;
		left[g] = l - n;
#ifdef READ_AFTER
	}
	atomic {
		f = first[PLACE(s)];
		c = count[PLACE(s)];
#endif
		assert(f == first[PLACE(s)] && c == count[PLACE(s)]);
		give(f + c - l, n);
		if
		:: l - n > THRESHOLD -> AGAIN
		:: else
		fi
	}
}

/* The portion is used up, the next one is there. */
inline next_portion()
{
	c = count[PLACE(NEXT(s))];
	atomic {
		if
		:: seq[g] == s && left[g] == 0 ->
			left[g] = c;
#ifndef SEQ_KEPT
			seq[g] = NEXT(s)
#endif
		:: else -> AGAIN
		fi;
#ifdef NO_TAG
	}
	atomic {
		state[g] = NONE;
#endif
		AGAIN
	}
}

/* Makes this unit the fetcher of the portion after s, or not. */
inline win_fetch()
{
	atomic {
		k = state[g];
		t = tag[g];
		if
#ifdef NO_FLAG
		:: IS_NONE || IS(FETCHING)
#elif defined(STALE_SEQ)
		:: k == STAGED && t == seq[g]
#else
		:: IS_NONE
#endif
		:: else -> AGAIN
		fi;
		assert(flying[g] == 0);
		flying[g]++;
		fetches[me] = true;
		n = s;
#if defined(NO_TAG) || defined(STALE_SEQ)
		n = seq[g];
#endif
		state[g] = FETCHING;
		tag[g] = NEXT(n);
#ifdef NO_TAG
		s = n;
#endif
		k = 0; t = 0; l = 0; n = 0; f = 0; c = 0
	}
#if KILLS > 0
	fetch_tag[me] = NEXT(s);
#endif
}

/* The state says how the fetch ended; then the unit's record of it goes. */
inline end_fetch(what)
{
	atomic {
		state[g] = what;
		flying[g]--
	}
}

inline forget_fetch()
{
	atomic {
		fetches[me] = false;
		fetch_tag[me] = 0;
		fetch_at[me] = 0;
		fetch_to[me] = 0;
		AGAIN
	}
}

inline fetch_portion()
{
	if
	:: wir <= 0 -> goto empty_handed
	:: else
	fi;
	atomic {
		assert(unpaired[g] == 0);
		unpaired[g]++;
		old = wir;
		wir = wir - PORTION;
		if
		:: old <= 0 -> old = 0; goto empty_handed
		:: else ->
			fetch_at[me] = ITEMS - old;
			fetch_to[me] = ITEMS - old + LEAST(old, PORTION);
			old = 0
		fi
	}
#ifdef EARLY_STAGED
	end_fetch(STAGED);
#endif
	first[PLACE(NEXT(s))] = fetch_at[me];
	atomic {
		count[PLACE(NEXT(s))] = fetch_to[me] - fetch_at[me];
		unpaired[g]--
	}
#ifndef EARLY_STAGED
	end_fetch(STAGED);
#endif
	forget_fetch();
empty_handed:
	end_fetch(EMPTY);
	forget_fetch()
}

/* One item straight from WIR. */
inline take_direct()
{
	if
	:: wir <= 0 -> goto over
	:: else
	fi;
	atomic {
		old = wir;
		wir = wir - 1;
		if
		:: old <= 0 -> goto over
		:: else -> give(ITEMS - old, 1)
		fi;
		AGAIN
	}
}
