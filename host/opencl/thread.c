/* SPDX-License-Identifier: Apache-2.0 */
#include "host/opencl/thread.h"

#include <pthread.h>
#include <signal.h>

bool thread_start(void *(*run)(void *what), void *what)
{
	pthread_t thread;
	sigset_t all, before;
	int failed;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&thread, NULL, run, what);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (failed == 0)
		(void)pthread_detach(thread);
	return failed == 0;
}
