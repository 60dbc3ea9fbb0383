/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/drivers/line.h"

#include "hal/fence.h"
#include "hal/link.h"
#include "hal/mmio.h"

static uint8_t ring[LINE_BYTES];
static uint32_t put; /* bytes that came; written by the handler */
static uint32_t get; /* bytes that were taken; written by the loop */
static const uint8_t *data;
static uint32_t left; /* bytes of `data` that have not gone */

void line_keep(uint8_t byte)
{
	if (put - mmio_read32(&get) < LINE_BYTES) {
		mmio_write8(&ring[put % LINE_BYTES], byte);
		mmio_write32(&put, put + 1);
	}
}

bool line_next(uint8_t *byte)
{
	if (left == 0) {
		return false;
	}
	*byte = *data;
	data++;
	mmio_write32(&left, left - 1);
	return true;
}

void line_begin(const uint8_t *bytes_to_send, uint32_t bytes)
{
	data = bytes_to_send;
	fence_full(); /* the handler sees what it is to send */
	mmio_write32(&left, bytes);
}

bool link_take(uint8_t *byte)
{
	if (mmio_read32(&put) == get) {
		return false;
	}
	*byte = mmio_read8(&ring[get % LINE_BYTES]);
	mmio_write32(&get, get + 1);
	return true;
}

bool link_sending(void)
{
	return mmio_read32(&left) != 0;
}
