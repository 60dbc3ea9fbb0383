/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A QEMU plugin that counts how often each hart begins each instruction of one stretch of code:
 * -plugin libprofile.so,profile=PATH, where PATH may be /proc/self/fd/N. profile.h says what is in the
 * file, which the host has made, long enough for the machine.
 *
 * Each instruction of the code has a callback, so the counts are exact; code elsewhere has none, and
 * runs as fast as without the plugin. Which CTA and which work-item it is, the callback reads from the
 * device's RAM, which QEMU has as a file (-object memory-backend-file,…,mem-path=PATH).
 */
#include "qemu/plugin/profile.h"
#include "qemu/plugin/plugin_api.h"
#include "qemu/plugin/word.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNITS       32u   /* CTA records of an SM, at most */
#define THREADS     1024u /* work-items of a CTA, at most */
#define PLACE_BITS  24u
#define PLACE_MASK  ((1u << PLACE_BITS) - 1)
#define PROBES      64u       /* places of the table that are tried for a path */
#define WORDS_BYTES (1 << 16) /* of QEMU's command line that are looked at */

int qemu_plugin_version = PLUGIN_API_VERSION;

/* What a hart did last: its own thread is the only one that uses it. */
struct hart {
	uint64_t record;                /* address of the CTA record */
	uint32_t *last;                 /* place of the instruction before, of the CTA that runs */
	uint32_t *path;                 /* where the work-item that runs is: as `caller` in a key */
	uint32_t lasts[UNITS];          /* the same of each CTA, while others run */
	uint64_t ctas[UNITS];           /* its number */
	uint32_t paths[UNITS][THREADS]; /* and of each work-item */
};

static struct profile_header *header;
static struct profile_hart *harts;
static const uint8_t *marks;
static uint64_t *counts;
static struct profile_path *paths;
static struct profile_turn *turns;
static struct hart *own;
static const uint8_t *ram;
static uint64_t ram_bytes;

/* Where an address of the device's RAM is mapped; zeros where there is none: what kernels write is not to be trusted. */
static const void *mapped(uint64_t address)
{
	static const uint64_t zero;
	const uint64_t at = address - header->ram;

	return at < ram_bytes - sizeof(zero) ? ram + at : (const void *)&zero;
}

static uint32_t peek32(uint64_t address)
{
	uint32_t value;

	memcpy(&value, mapped(address), sizeof(value));
	return value;
}

static uint64_t peek64(uint64_t address)
{
	uint64_t value;

	memcpy(&value, mapped(address), sizeof(value));
	return value;
}

static uint64_t peek_pointer(uint64_t address)
{
	return header->word == 8 ? peek64(address) : peek32(address);
}

/* No lock is needed: a hart's own thread is the only writer of its words. */
static void add(uint64_t *count)
{
	store64(count, load64(count) + 1);
}

/* The turn of a work-item is over. */
static void end_turn(uint32_t number)
{
	struct profile_hart *hart = &harts[number];

	if (hart->instructions != 0 || hart->runtime != 0) {
		const uint64_t at = __atomic_fetch_add(&header->taken, 1, __ATOMIC_RELAXED);

		if (at < header->turns) {
			turns[at] = (struct profile_turn){
				.cta = hart->cta,
				.instructions = hart->instructions,
				.runtime = hart->runtime,
				.tag = hart->tag,
				.barrier = hart->barrier,
				.thread = (uint16_t)hart->thread,
				.hart = (uint16_t)number,
			};
		}
	}
	hart->instructions = 0;
	hart->runtime = 0;
	hart->barrier = 0;
}

/* Another CTA, another work-item, or a CTA from its start; the next one of a run does not start at its entry. */
static void begin_turn(uint32_t number, uint64_t record, uint64_t block, uint32_t thread,
		       bool is_new)
{
	struct profile_hart *hart = &harts[number];
	const uint64_t unit = (record - hart->records) / header->record_bytes;
	uint32_t(*table)[THREADS] = &own[number].paths[unit % UNITS];

	end_turn(number);
	hart->cta = peek64(block + header->block_linear);
	if (is_new || hart->cta != own[number].ctas[unit % UNITS]) {
		own[number].ctas[unit % UNITS] = hart->cta;
		add(&hart->ctas);
	}
	hart->tag = peek32(block + header->block_tag);
	hart->thread = thread;
	own[number].record = record;
	own[number].last = &own[number].lasts[unit % UNITS];
	own[number].path = &(*table)[thread % THREADS];
	if (is_new) {
		memset(table, 0, sizeof(*table));
	}
}

/* Finds out whose instruction it is. */
static void look(uint32_t number, uint32_t place, uint32_t mark)
{
	struct profile_hart *hart = &harts[number];
	const uint64_t record = peek_pointer(hart->current);
	const uint64_t block = peek_pointer(record + header->record_block);
	const uint32_t thread = peek32(block + header->block_thread);
	const bool is_new = (mark & PROFILE_ENTRY) != 0;

	if (is_new || record != own[number].record || thread != hart->thread ||
	    peek64(block + header->block_linear) != hart->cta) {
		begin_turn(number, record, block, thread, is_new);
	}
	if ((mark & PROFILE_BARRIER) != 0) {
		if (hart->barrier != 0) {
			end_turn(number);
		}
		hart->barrier = *own[number].last + 1;
	}
	*own[number].last = place;
	if ((mark & PROFILE_RUNTIME) != 0) {
		hart->runtime++;
	} else {
		hart->instructions++;
	}
}

/* Counts the instruction where the calls have led, and follows them. */
static void follow(uint32_t number, uint32_t place, uint32_t mark)
{
	struct profile_path *table = paths + (size_t)number * header->entries;
	uint32_t *path = own[number].path;
	const uint64_t key = ((uint64_t)*path << PLACE_BITS | place) + 1;
	uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32);

	for (uint32_t probe = 0; probe < PROBES; probe++, at++) {
		struct profile_path *entry = &table[at & (header->entries - 1)];

		if (entry->key == 0) {
			entry->key = key;
		}
		if (entry->key == key) {
			add(&entry->count);
			if ((mark & PROFILE_CALL) != 0) {
				*path = (uint32_t)(entry - table) + 1;
			} else if ((mark & PROFILE_RETURN) != 0 && *path != 0) {
				*path = (uint32_t)((table[*path - 1].key - 1) >> PLACE_BITS);
			}
			return;
		}
	}
	add(&harts[number].lost);
}

static void on_insn(unsigned int number, void *what)
{
	const uint32_t place = (uint32_t)(uintptr_t)what & PLACE_MASK;
	const uint32_t mark = (uint32_t)(uintptr_t)what >> PLACE_BITS;

	add(&counts[(size_t)number * header->places + place]);
	if (header->record_bytes != 0 && harts[number].current != 0) {
		look(number, place, mark);
		follow(number, place, mark);
	}
}

static void on_translate(plugin_id id, struct plugin_block *block)
{
	const uint64_t base = load64(&header->base);
	const uint64_t bytes = load64(&header->bytes);

	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
		struct plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		const uint64_t offset = qemu_plugin_insn_vaddr(insn) - base;

		if (offset < bytes && offset / 2 < header->places) {
			const uintptr_t what = (uintptr_t)marks[offset / 2] << PLACE_BITS |
					       (uintptr_t)(offset / 2);

			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_insn, PLUGIN_REGISTERS_NONE,
							       (void *)what);
		}
	}
}

/* Maps a file and says how long it is; NULL where that cannot be. */
static void *file_map(const char *path, int flags, int protection, uint64_t *bytes)
{
	int fd = open(path, flags | O_CLOEXEC);
	void *at = MAP_FAILED;
	struct stat stat;

	if (fd < 0) {
		return NULL;
	}
	if (fstat(fd, &stat) == 0 && stat.st_size > 0) {
		at = mmap(NULL, (size_t)stat.st_size, protection, MAP_SHARED, fd, 0);
		*bytes = (uint64_t)stat.st_size;
	}
	close(fd);
	return at == MAP_FAILED ? NULL : at;
}

/* The file of the device's RAM, which QEMU's own command line names. */
static bool ram_map(void)
{
	static char words[WORDS_BYTES];
	const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t got = 1;

	while (fd >= 0 && got > 0 && used < sizeof(words) - 1) {
		got = read(fd, words + used, sizeof(words) - 1 - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0) {
		close(fd);
	}
	for (char *word = words; word < words + used; word += strlen(word) + 1) {
		char *path = strncmp(word, "memory-backend-file,", 20) == 0
				     ? strstr(word, "mem-path=")
				     : NULL;

		if (path != NULL) {
			path += strlen("mem-path=");
			path[strcspn(path, ",")] = '\0';
			ram = file_map(path, O_RDONLY, PROT_READ, &ram_bytes);
			return ram != NULL;
		}
	}
	return false;
}

static int refuse(const char *why)
{
	qemu_plugin_outs(why);
	(void)!write(STDERR_FILENO, why, strlen(why));
	return 1;
}

int qemu_plugin_install(plugin_id id, const struct plugin_machine *machine, int count,
			char **arguments)
{
	uint64_t bytes = 0;

	if (!machine->is_system || machine->harts < 1 ||
	    strncmp(machine->target_name, "riscv", 5) != 0) {
		return refuse("profile: only for RISC-V machines\n");
	}
	if (count != 1 || strncmp(arguments[0], "profile=", 8) != 0) {
		return refuse("profile: the plugin takes one argument, profile=PATH\n");
	}
	header = file_map(arguments[0] + 8, O_RDWR, PROT_READ | PROT_WRITE, &bytes);
	if (header == NULL || bytes < sizeof(*header) || header->entries == 0 ||
	    bytes < header->turns_at + header->turns * sizeof(*turns) ||
	    header->counts_at + (uint64_t)machine->harts * header->places * sizeof(*counts) >
		    header->paths_at) {
		return refuse("profile: cannot open or map the file, or it is too short\n");
	}
	own = calloc((size_t)machine->harts, sizeof(*own));
	if (own == NULL || !ram_map()) {
		return refuse("profile: the machine's RAM is no file that can be mapped\n");
	}
	harts = (struct profile_hart *)((char *)header + header->harts_at);
	marks = (const uint8_t *)header + header->marks_at;
	counts = (uint64_t *)((char *)header + header->counts_at);
	paths = (struct profile_path *)((char *)header + header->paths_at);
	turns = (struct profile_turn *)((char *)header + header->turns_at);
	for (int hart = 0; hart < machine->harts; hart++) {
		own[hart].last = &own[hart].lasts[0];
		own[hart].path = &own[hart].paths[0][0];
	}
	header->harts = (uint32_t)machine->harts;
	__atomic_store_n(&header->magic, PROFILE_MAGIC, __ATOMIC_RELEASE);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	return 0;
}
