/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of kernels that is recorded once gives at each of many replays what the same kernels give when they are enqueued.
 * An argument says how many replays. */
#include "step.h"

#define CHAIN   20
#define REPLAYS 100
#define BYTES   65536

/** A chain of kernels, recorded once, replayed many times without a wait in between. */
static void chain(int replays)
{
	const size_t global = 1000, offset = 24;
	cl_mem mine = filled(BYTES, 1), theirs = filled(BYTES, 1);
	cl_command_buffer_khr recording = make(queue, true);

	for (cl_uint k = 0; k < CHAIN; k++) {
		cl_kernel made = step_kernel(mine, k);

		OK(ext.kernel(recording, NULL, NULL, made, 1, &offset, &global, NULL, 0, NULL, NULL,
			      NULL));
		/* What is recorded has its arguments. */
		OK(clSetKernelArg(made, 0, sizeof(theirs), &theirs));
		OK(clReleaseKernel(made));
	}
	IS(state_of(recording), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
	OK(ext.finalize(recording));
	IS(state_of(recording), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	for (int i = 0; i < replays; i++)
		replay(recording);
	for (int i = 0; i < replays; i++) {
		for (cl_uint k = 0; k < CHAIN; k++) {
			cl_kernel made = step_kernel(theirs, k);

			OK(clEnqueueNDRangeKernel(queue, made, 1, &offset, &global, NULL, 0, NULL,
						  NULL));
			OK(clReleaseKernel(made));
		}
	}
	same(mine, theirs, BYTES);
	OK(clReleaseMemObject(theirs));
	OK(clReleaseMemObject(mine)); /* The recording has a reference. */
	replay(recording);
	OK(ext.release(recording)); /* It ends after its replay. */
	OK(clFinish(queue));
}

int main(int count, char **words)
{
	begin();
	find_extension(platform);
	program = build(STEP);
	chain(count > 1 ? atoi(words[1]) : REPLAYS);
	OK(clReleaseProgram(program));
	return finish();
}
