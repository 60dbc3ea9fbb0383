/* SPDX-License-Identifier: Apache-2.0 */
/* Graph programs on the control processor, by its own files: verified, executed, and their passes ordered. The first byte
 * is how many arguments the graph has, the others are the program; its size and its magic number are always right.
 * sources: tests/model/graph_driver.c firmware/graph/build.c firmware/graph/choose.c firmware/graph/code.c
 * firmware/graph/code_open.c firmware/graph/compute.c firmware/graph/construct.c firmware/graph/cycle.c
 * firmware/graph/draft.c firmware/graph/draft_end.c firmware/graph/heap.c firmware/graph/lives.c firmware/graph/op.c
 * firmware/graph/order.c firmware/graph/space.c firmware/graph/verify.c */
#include <stdlib.h>

#include "firmware/graph/code.h"
#include "tests/fuzz/fuzz.h"
#include "tests/model/graph_driver.h"

#define STEPS 1000u /* most that a program executes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const uint64_t arguments[GRAPH_ARGUMENTS + 1] = { 4096, 1, 2, 0x100000000,
								 UINT64_MAX };
	uint64_t out[7];
	struct gg_graph_program *program;

	if (bytes < 1 + sizeof(*program))
		return 0;
	bytes = (bytes - 1) / 8 * 8;
	program = malloc(bytes);
	memcpy(program, data + 1, bytes);
	program->magic = GRAPH_MAGIC;
	program->version = GRAPH_VERSION;
	program->all_bytes = (uint32_t)bytes;
	(void)graph_drive(program, (uint32_t)bytes, arguments, data[0] % (GRAPH_ARGUMENTS + 1),
			  STEPS, out);
	free(program);
	return 0;
}
