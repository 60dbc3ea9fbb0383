/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Where the platform's devices are: what the variable GANGER_DEVICES says.
 *
 * It is a list with commas: `BOARD[:SMS]` is a device that this process boots, `up` or `up:PATH` the
 * one that `ganger up` keeps, and `serial:…` and `mmap:…` what gg_device_connect() takes. A comma in one
 * of these two that none of these words follows belongs to it.
 */
#ifndef HOST_OPENCL_PLACE_H
#define HOST_OPENCL_PLACE_H

#include <stdint.h>

#include "host/include/ganger.h"

#define PLACE_BYTES 256u
#define SMS_DEFAULT 8u
#define SMS_MAX     511u

enum place_kind {
	PLACE_BOOT,
	PLACE_UP,
	PLACE_CONNECT
};

struct place {
	enum place_kind kind;
	uint32_t sms;           /* BOOT: SMs. */
	char text[PLACE_BYTES]; /* Board, path of the socket, or URI. */
};

/** Reads a list. What it does not understand it says on standard error, and leaves out.
 * @param list  The variable's value; NULL or empty: one qemu-virt64 with 8 SMs.
 * @return the number of places, at most `room`. */
uint32_t place_list(const char *list, struct place *places, uint32_t room);

/** Opens the device of a place. @return as gg_device_boot(), gg_device_attach(),
 * gg_device_connect(). */
enum gg_status place_open(const struct place *place, struct gg_device **device);

#endif /* HOST_OPENCL_PLACE_H */
