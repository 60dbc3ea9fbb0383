// SPDX-License-Identifier: Apache-2.0
/** @file
 * Threads that share the work of each cycle of the simulator.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

/** Threads 0 to N - 1, of which 0 is the caller's. Each does its share of a piece of work, and all meet at its end. */
class Crew
{
      public:
	/** @param count  N, at least 1: with 1 no thread is started.
	 * @param share  What a thread does for each piece of work; it gets the thread's number. */
	Crew(unsigned count, std::function<void(unsigned)> share);
	~Crew();
	Crew(const Crew &) = delete;
	Crew &operator=(const Crew &) = delete;

	/** Do a piece of work; returns when all threads have done their shares. */
	void work();

      private:
	/** Wait until a count has reached `value`: look for a while, then sleep. Counts wrap. */
	static void wait(const std::atomic<uint32_t> &count, uint32_t value);
	void serve(unsigned number);

	std::function<void(unsigned)> share;
	std::atomic<uint32_t> begun{ 0 }; /**< Pieces of work so far. The last is none: the threads end. */
	std::atomic<uint32_t> done{ 0 };  /**< Shares that the other threads have done so far. */
	bool ending = false;
	std::vector<std::thread> threads;
};
