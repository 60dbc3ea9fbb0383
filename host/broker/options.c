/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* getopt_long */
#include "host/broker/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "firmware/abi/ganger_abi.h"
#include "host/broker/number.h"
#include "host/common/share.h"

static const char usage[] =
	"usage: ganger-broker --board FOLDER --sms N [--ram BYTES] [--qemu PROGRAM]\n"
	"                     [--processors LIST] [--listen PATH] [--hosts N] [--group NAME]\n"
	"                     [--client-fd N] [-- QEMU ARGUMENT...]";

static const struct option table[] = {
	{ "board", required_argument, NULL, 'b' },      { "sms", required_argument, NULL, 's' },
	{ "ram", required_argument, NULL, 'r' },        { "qemu", required_argument, NULL, 'q' },
	{ "processors", required_argument, NULL, 'p' }, { "listen", required_argument, NULL, 'l' },
	{ "hosts", required_argument, NULL, 'h' },      { "group", required_argument, NULL, 'g' },
	{ "client-fd", required_argument, NULL, 'c' },  { NULL, 0, NULL, 0 },
};

static bool take_text(struct options *options, int option, const char *text)
{
	switch (option) {
	case 'b':
		options->board = text;
		return true;
	case 'q':
		options->qemu = text;
		return true;
	case 'p':
		options->processors = text;
		return true;
	case 'l':
		options->listen = text;
		return true;
	case 'g':
		options->group = text;
		return true;
	default:
		return false;
	}
}

static bool take_number(struct options *options, int option, const char *text)
{
	uint64_t number = 0;

	switch (option) {
	case 's':
		if (!number_parse(text, UINT32_MAX, &number)) {
			return false;
		}
		options->sms = (uint32_t)number;
		return true;
	case 'h':
		if (!number_parse(text, SHARES_MOST, &number) || number == 0) {
			return false;
		}
		options->hosts = (uint32_t)number;
		return true;
	case 'r':
		return number_parse(text, UINT64_MAX, &options->ram_bytes);
	case 'c':
		if (!number_parse(text, INT_MAX, &number)) {
			return false;
		}
		options->client = (int)number;
		return true;
	default:
		return false;
	}
}

int options_parse(struct options *options, int argc, char *const *argv, char *message, size_t size)
{
	*options = (struct options){ .client = -1, .hosts = 1 };
	bool good = true;

	opterr = 0;
	for (int option = 0; option != -1;) {
		option = getopt_long(argc, argv, "+", table, NULL);
		if (option != -1 && !take_text(options, option, optarg) &&
		    !take_number(options, option, optarg)) {
			good = false;
		}
	}
	/* What is left is for QEMU; it must stand behind "--". */
	if (optind < argc && strcmp(argv[optind - 1], "--") != 0) {
		good = false;
	}
	options->extra = argv + optind;
	options->extra_count = (unsigned)(argc - optind);
	if (!good || !options->board || options->sms == 0 ||
	    (options->client < 0 && !options->listen)) {
		snprintf(message, size, "%s", usage);
		return GG_ERR_ARGUMENT;
	}
	return GG_OK;
}
