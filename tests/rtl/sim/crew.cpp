// SPDX-License-Identifier: Apache-2.0
// A cycle of the SoC takes some microseconds, so a thread that waits looks for that long before it sleeps: on a machine that
// has no processor for it, the others go on then.
#include "crew.hpp"

static constexpr unsigned looks = 4096;

Crew::Crew(unsigned count, std::function<void(unsigned)> share) : share(std::move(share))
{
	for (unsigned number = 1; number < count; number++) {
		threads.emplace_back([this, number] { serve(number); });
	}
}

Crew::~Crew()
{
	ending = true;
	begun++;
	begun.notify_all();
	for (auto &thread : threads) {
		thread.join();
	}
}

void Crew::work()
{
	const uint32_t others = static_cast<uint32_t>(threads.size()), piece = ++begun;

	begun.notify_all();
	share(0);
	wait(done, piece * others);
}

void Crew::serve(unsigned number)
{
	for (uint32_t piece = 1;; piece++) {
		wait(begun, piece);
		if (ending) {
			return;
		}
		share(number);
		done++;
		done.notify_one();
	}
}

void Crew::wait(const std::atomic<uint32_t> &count, uint32_t value)
{
	uint32_t now = count;

	for (unsigned look = 0; static_cast<int32_t>(value - now) > 0; look++, now = count) {
		if (look >= looks) {
			count.wait(now);
		}
	}
}
