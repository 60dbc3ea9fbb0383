/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/link/service.h"

#include "firmware/abi/field.h"
#include "firmware/cp/base/device.h"
#include "firmware/link/device.h"
#include "hal/link.h"
#include "hal/memory.h"
#include "hal/timer.h"

static struct link_device line;
static struct link_facts facts;
static uint32_t rung; /* value of post.interrupts that the host was told last */

/* The host may name the register blocks with the SMs, and the heap. The task pool between them belongs to the CP
 * alone. */
void service_start(void)
{
	const uint64_t window = gg_join(device.cap->base_lo, device.cap->base_hi);

	facts = (struct link_facts){
		.ram = memory_map()->ram_base,
		.ram_bytes = memory_map()->ram_bytes,
		.window = window,
		.ranges = {
			{ .base = window,
			  .bytes = device.units_base + device.units_stride * device.sms_count -
				   window,
			  .at = (unsigned char *)device.cap },
			{ .base = device.memory_base,
			  .bytes = device.memory_bytes,
			  .at = device.memory },
		},
	};
	link_device_init(&line, &facts, (uint32_t)timer_now());
	link_init();
}

/* A frame that is being sent must not change, so nothing is received until it has gone. */
bool service_turn(void)
{
	uint8_t byte;

	if (link_sending()) {
		return false;
	}
	if (rung != device.post->interrupts) {
		rung = device.post->interrupts;
		if (link_device_ring(&line)) {
			link_send(line.send, line.send_bytes);
			return false;
		}
	}
	while (link_take(&byte)) {
		if (link_device_take(&line, byte)) {
			link_send(line.send, line.send_bytes);
			return true;
		}
	}
	return false;
}

void service_stand(void)
{
	line.read_only = true;
	link_interrupt();
	(void)service_turn();
}

void service_interrupt(void)
{
	link_interrupt();
}
