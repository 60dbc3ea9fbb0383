/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the measurements of the scheduler: they do as little as they can. */

/* Launches the same TMD `n` times. */
kernel void spawn(global const struct gg_tmd *tmd, uint n, global int *status)
{
	for (uint i = 0; i < n; i++) {
		const int result = ganger_launch(tmd);

		if (result != GG_OK)
			*status = result;
	}
}

/* Pushes `n` items one by one. */
kernel void push(global const struct gg_tmd *queue, uint n, global int *status)
{
	for (uint i = 0; i < n; i++) {
		const int result = ganger_queue_push(queue, &i, 1);

		if (result != GG_OK)
			*status = result;
	}
}
