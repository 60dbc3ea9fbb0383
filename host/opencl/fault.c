/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/opencl/folder.h"
#include "host/opencl/process.h"

#define IMAGE      "program.elf"
#define ADDR2LINE  "addr2line"
#define PLACE_TEXT 256u

/** Asks addr2line for function, file and line of an offset in an image. */
static char *ask(const char *image, uint64_t offset)
{
	const char *prefix = getenv("GANGER_BINUTILS");
	char tool[PATH_MAX], number[32];
	char *text = NULL;
	char *words[] = { tool,
			  (char *)(uintptr_t) "-fi",
			  (char *)(uintptr_t) "-e",
			  (char *)(uintptr_t)image,
			  number,
			  NULL };

	(void)snprintf(tool, sizeof(tool), "%s" ADDR2LINE,
		       prefix ? prefix : "riscv64-unknown-elf-");
	(void)snprintf(number, sizeof(number), "0x%" PRIx64, offset);
	if (process_run(NULL, words, &text) == 0)
		return text;
	free(text);
	return NULL;
}

/** From the answer, "function\n/folder/file:line\n", to "function (file:line)". Kernels that became loops have
 * lost their names: `otherwise` is that of the kernel. */
static void shorten(char *answer, const char *otherwise, char *place, size_t size)
{
	char *end = strchr(answer, '\n');
	char *file = end ? end + 1 : NULL;
	char *slash;
	bool named = answer[0] != '?';

	if (!end)
		return;
	*end = '\0';
	file[strcspn(file, " \n")] = '\0';
	slash = strrchr(file, '/');
	if (slash)
		file = slash + 1;
	if (file[0] != '?' && file[0] != '\0')
		(void)snprintf(place, size, "%s (%s)", named ? answer : otherwise, file);
	else if (named)
		(void)snprintf(place, size, "%s", answer);
}

/** Where in the source a program counter is; empty: nobody knows. */
static void find_place(const struct build *build, const char *kernel, uint64_t pc, char *place,
		       size_t size)
{
	struct gg_elf elf;
	struct folder folder = { .path = "" };
	uint64_t base, code;
	char path[PATH_MAX];
	char *answer;

	place[0] = '\0';
	if (gg_module_info(build->module, &elf, &base, &code) != GG_OK || pc < base ||
	    pc - base >= code || !folder_make(&folder))
		return;
	if (folder_write(&folder, IMAGE, build->image, build->image_bytes) &&
	    folder_path(&folder, IMAGE, path)) {
		answer = ask(path, pc - base);
		if (answer)
			shorten(answer, kernel, place, size);
		free(answer);
	}
	folder_remove(&folder);
}

void fault_describe(cl_kernel kernel, cl_device_id device, const struct gg_done *done, char *text,
		    size_t size)
{
	const struct build *build = program_build_of(kernel->program, device);
	char place[PLACE_TEXT] = "";
	struct gg_fault fault;
	int length = snprintf(text, size, "Kernel %s failed on %s: %s: %s", kernel->info.name,
			      device->place.text, gg_status_name(done->status),
			      gg_status_text(done->status));

	if (length < 0 || (size_t)length >= size || done->fault_sequence == 0 ||
	    gg_fault_read(device->device, done->fault_sm, done->fault_sequence, &fault) != GG_OK)
		return;
	if (build && build->module)
		find_place(build, kernel->info.name, fault.pc, place, sizeof(place));
	if (place[0] == '\0' && build && build->module) /* It jumped astray: who called? */
		find_place(build, kernel->info.name, fault.registers[0] - 1, place, sizeof(place));
	(void)snprintf(
		text + length, size - (size_t)length,
		" In %s, work-group %" PRIu64 ", work-item %" PRIu32 ", address 0x%" PRIx64 ".",
		place[0] ? place : "an unknown place", fault.cta, fault.thread, fault.address);
}
