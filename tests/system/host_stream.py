# SPDX-License-Identifier: Apache-2.0
"""A host with a stream of tasks: host_stream.py DEVICE KERNEL COUNT. It keeps tasks on their way until its standard input
ends, and has done COUNT of them at least; then it checks what all of them did. It prints a line when it has begun,
and how many tasks it has done at the end. Not a test: tests/system/test_hosts.py starts several of it.

Its tasks take long enough, and so many are on their way, that a host waits for the device and not the reverse."""
import collections
import select
import sys

import ganger
from support import LONG, words

CTAS = 4
SPIN = 40_000
ON_WAY = 48


def stop():
    """Whether the standard input has ended."""
    return bool(select.select([sys.stdin], [], [], 0)[0]) and not sys.stdin.read(1)


def main(path, kernel, least):
    """Runs the stream."""
    with ganger.Device.attach(path) as dev:
        out = dev.buffer(bytes(4 * CTAS))
        work = dev.work(dev.load(kernel)["hash"], grid=CTAS, block=1, args=[out, 7, SPIN])
        dev.submit_many([work])[0].wait(LONG)
        once = words(out.read())
        assert all(once)
        print("begun", flush=True)
        tasks, done = collections.deque(), 1
        while done < least or not stop():
            tasks.extend(dev.submit_many([work] * (ON_WAY - len(tasks)), timeout=LONG))
            assert tasks.popleft().wait(LONG).status == "OK"
            done += 1
            while tasks and tasks[0].done:
                assert tasks.popleft().wait(LONG).status == "OK"
                done += 1
        for task in tasks:
            assert task.wait(LONG).status == "OK"
        done += len(tasks)
        assert words(out.read()) == [one * done & 0xffffffff for one in once]
        assert dev.traffic()["unknown"] == 0
        print(done, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
