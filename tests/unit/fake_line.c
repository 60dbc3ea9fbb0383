/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fake_line.h"

#include <string.h>

#define LATE_MOST_MS 3000u

uint32_t fake_line_random(struct fake_line *line, uint32_t below)
{
	line->random ^= line->random << 13;
	line->random ^= line->random >> 17;
	line->random ^= line->random << 5;
	return (uint32_t)((uint64_t)line->random * below >> 32);
}

static bool strikes(struct fake_line *line, uint32_t chance)
{
	if (fake_line_random(line, 65536) >= chance)
		return false;
	line->faults_made++;
	return true;
}

/** In the order of arrival; of equal times behind those that are there. */
static void add(struct pipe_bytes *pipe, uint8_t byte, uint64_t due)
{
	uint32_t at = pipe->first + pipe->count;

	if (pipe->count == LINE_ROOM)
		return; /* lost, like anything else */
	while (at != pipe->first && pipe->due[(at - 1) % LINE_ROOM] > due) {
		pipe->byte[at % LINE_ROOM] = pipe->byte[(at - 1) % LINE_ROOM];
		pipe->due[at % LINE_ROOM] = pipe->due[(at - 1) % LINE_ROOM];
		at--;
	}
	pipe->byte[at % LINE_ROOM] = byte;
	pipe->due[at % LINE_ROOM] = due;
	pipe->count++;
}

static void add_bad(struct fake_line *line, struct pipe_bytes *pipe, const uint8_t *data,
		    size_t *at, size_t bytes, uint64_t due)
{
	switch (fake_line_random(line, 4)) {
	case 0: /* lost */
		break;
	case 1:
		add(pipe, data[*at], due);
		add(pipe, data[*at], due);
		break;
	case 2:
		add(pipe, (uint8_t)(data[*at] ^ 1u << fake_line_random(line, 8)), due);
		break;
	default:
		if (*at + 1 < bytes)
			add(pipe, data[*at + 1], due);
		add(pipe, data[*at], due);
		++*at;
		break;
	}
}

static void add_all(struct fake_line *line, struct pipe_bytes *pipe, const uint8_t *data,
		    size_t bytes, uint64_t due)
{
	for (size_t i = 0; i < bytes; i++) {
		if (strikes(line, line->faults.byte))
			add_bad(line, pipe, data, &i, bytes, due);
		else
			add(pipe, data[i], due);
	}
}

static void transmit(struct fake_line *line, struct pipe_bytes *pipe, const uint8_t *data,
		     size_t bytes)
{
	const uint64_t due = line->now + 1;
	const uint64_t late = due + fake_line_random(line, LATE_MOST_MS);

	if (!strikes(line, line->faults.chunk)) {
		add_all(line, pipe, data, bytes, due);
		return;
	}
	switch (fake_line_random(line, 4)) {
	case 0: /* lost */
		break;
	case 1:
		add_all(line, pipe, data, bytes, late);
		break;
	case 2:
		add_all(line, pipe, data, fake_line_random(line, (uint32_t)bytes), due);
		break;
	default:
		add_all(line, pipe, data, bytes, due);
		add_all(line, pipe, data, bytes, late);
		break;
	}
}

/** @return false: nothing has arrived yet. */
static bool take(struct fake_line *line, struct pipe_bytes *pipe, uint8_t *byte)
{
	if (pipe->count == 0 || pipe->due[pipe->first] > line->now)
		return false;
	*byte = pipe->byte[pipe->first];
	pipe->first = (pipe->first + 1) % LINE_ROOM;
	pipe->count--;
	return true;
}

void fake_line_device_sends(struct fake_line *line)
{
	transmit(line, &line->up, line->device.send, line->device.send_bytes);
}

static void run_device(struct fake_line *line)
{
	uint8_t byte;

	while (take(line, &line->down, &byte)) {
		const uint32_t done = line->device.done;
		const bool answers = link_device_take(&line->device, byte);

		if (line->device.done != done && line->did) {
			memcpy(line->last_written, line->device.in.body, FRAME_BODY_MAX);
			line->did(line);
		}
		if (answers && !line->mute && line->now >= line->mute_until)
			fake_line_device_sends(line);
	}
}

static bool host_send(void *what, const uint8_t *data, size_t bytes)
{
	struct fake_line *line = what;

	transmit(line, &line->down, data, bytes);
	return true;
}

/* Nothing else happens in between, so the clock goes from one arrival to the next. */
static int host_receive(void *what, uint8_t *data, size_t most, uint32_t wait_ms)
{
	struct fake_line *line = what;
	const uint64_t end = line->now + wait_ms;
	size_t count = 0;

	for (;;) {
		uint64_t next = end;

		run_device(line);
		while (count < most && take(line, &line->up, &data[count]))
			count++;
		if (count > 0 || line->now >= end)
			return (int)count;
		if (line->up.count > 0 && line->up.due[line->up.first] < next)
			next = line->up.due[line->up.first];
		if (line->down.count > 0 && line->down.due[line->down.first] < next)
			next = line->down.due[line->down.first];
		line->now = next;
	}
}

static uint64_t host_now(void *what)
{
	const struct fake_line *line = what;

	return line->now;
}

struct link_line fake_line_host(struct fake_line *line)
{
	return (struct link_line){ line, host_send, host_receive, host_now, 50, LINK_WAIT_MOST_MS };
}

void fake_line_init(struct fake_line *line, uint32_t seed)
{
	memset(line, 0, sizeof(*line));
	line->random = seed * 2654435761u | 1;
	line->facts = (struct link_facts){
		.ram = 0x80000000u,
		.ram_bytes = 0x01000000u,
		.window = LINE_BASE,
		.ranges = { { LINE_BASE, LINE_MEMORY / 2, line->memory },
			    { LINE_BASE + LINE_MEMORY / 2, LINE_MEMORY / 2,
			      line->memory + LINE_MEMORY / 2 } },
	};
	link_device_init(&line->device, &line->facts, seed);
}
