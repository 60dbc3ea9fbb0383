/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* sched_setaffinity */
#include "host/broker/processors.h"

#include <ctype.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "firmware/abi/ganger_abi.h"

/* Reads a number; `text` then points behind it. */
static bool take_number(const char **text, unsigned long *number)
{
	char *end;

	if (!isdigit((unsigned char)**text)) {
		return false;
	}
	*number = strtoul(*text, &end, 10);
	*text = end;
	return *number < CPU_SETSIZE;
}

static bool parse(const char *list, cpu_set_t *set)
{
	CPU_ZERO(set);
	for (;; list++) {
		unsigned long first, last;

		if (!take_number(&list, &first)) {
			return false;
		}
		last = first;
		if (*list == '-') {
			list++;
			if (!take_number(&list, &last) || last < first) {
				return false;
			}
		}
		for (unsigned long one = first; one <= last; one++) {
			CPU_SET(one, set);
		}
		if (*list != ',') {
			return *list == '\0';
		}
	}
}

int processors_bind(const char *list, char *message, size_t size)
{
	cpu_set_t set;

	if (list == NULL) {
		return GG_OK;
	}
	if (!parse(list, &set)) {
		snprintf(message, size, "processors are given as \"0,2-3\", not \"%s\"", list);
		return GG_ERR_ARGUMENT;
	}
	if (sched_setaffinity(0, sizeof(set), &set) != 0) {
		snprintf(message, size, "this machine has none of the processors %s for us", list);
		return GG_ERR_ARGUMENT;
	}
	return GG_OK;
}
