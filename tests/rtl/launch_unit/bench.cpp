// SPDX-License-Identifier: Apache-2.0
// Bench of the launch unit: accesses by chance, and waves, against a model that knows only what went in and what came
// out. It knows no register: what a store has asked for is owed until it is seen at the other side.
//   bench random <seed> <cycles> | bench wave
// Exit status 0; 1 and what is wrong, in which cycle.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "Vbench.h"
#include "verilated.h"

static constexpr unsigned harts = 32, waves = 8;
static constexpr uint32_t magic = 0x47474c55;

enum place {
	ID = 0x00,
	STATUS = 0x04,
	RING = 0x08,
	PACE = 0x0c,
	BELL = 0x10,
	LEFT = 0x20
};

static uint64_t cycle;

[[noreturn]] static void wrong(const char *format, ...)
{
	va_list arguments;

	std::printf("cycle %llu: ", static_cast<unsigned long long>(cycle));
	va_start(arguments, format);
	std::vprintf(format, arguments);
	va_end(arguments);
	std::printf("\n");
	std::exit(1);
}

static void expect(const char *what, uint32_t got, uint32_t wanted)
{
	if (got != wanted) {
		wrong("%s is 0x%x, not 0x%x", what, got, wanted);
	}
}

struct request {
	unsigned hart, address;
	bool store;
	uint32_t data;
};

class Bench
{
      public:
	Bench()
	{
		top.reset = 1;
		step(nullptr);
		top.reset = 0;
	}

	// One cycle, with an access or without. Returns what a load has read.
	uint32_t step(const request *access, int clears = -1)
	{
		top.select = access != nullptr;
		top.clears = clears >= 0;
		top.clears_hart = clears >= 0 ? static_cast<unsigned>(clears) : 0;
		if (access != nullptr) {
			top.addr = access->address;
			top.hart = access->hart;
			top.wdata = access->data;
			top.wstrb = access->store ? 0xf : 0;
		}
		top.clk = 0;
		top.eval();
		const uint32_t read = top.rdata, ring = top.ring;

		if (top.reset == 0) {
			look();
			follow(access, ring, read);
		}
		const uint32_t cleared = clears >= 0 ? 1u << clears : 0;
		const uint32_t msip = top.reset != 0 ? 0 : (top.msip & ~cleared) | ring;

		top.clk = 1;
		top.eval();
		expect("msip", top.msip, msip);
		cycle++;
		return read;
	}

	uint32_t load(unsigned hart, unsigned address)
	{
		const request one = { hart, address, false, 0 };

		return step(&one);
	}

	void store(unsigned hart, unsigned address, uint32_t data)
	{
		const request one = { hart, address, true, data };

		step(&one);
	}

	bool idle() const
	{
		return top.idle;
	}

	uint32_t msip() const
	{
		return top.msip;
	}

	uint32_t owed = 0, rung = 0, pace = 31, left[waves] = {};
	uint64_t handed_out = 0; /**< Interrupts of RING. */

      private:
	bool is_done() const
	{
		uint32_t any = owed;

		for (const uint32_t one : left) {
			any |= one;
		}
		return any == 0;
	}

	// Idle and done are true: neither too early nor too late.
	void look() const
	{
		expect("done", top.done, is_done());
		expect("idle", top.idle, is_done() && rung == 0);
	}

	// What an access asks for, and what comes out in the same cycle.
	void follow(const request *access, uint32_t ring, uint32_t read)
	{
		uint32_t asked = 0;
		const uint32_t now = pace; /* a store changes it after this cycle */
		const bool bell = access != nullptr && answers(*access, read, &asked);

		if (bell && ((owed & 1) == 0 || waited < gap)) {
			hand_out(ring & ~1u, writes_ring(access), now);
		} else { /* a bell, and an interrupt of hart 0 that is due, are one */
			hand_out(ring, writes_ring(access), now);
		}
		if (bell) {
			expect("the interrupt of hart 0", ring & 1, 1);
			rung |= 1u << access->hart;
		}
		owed |= asked;
	}

	static bool writes_ring(const request *access)
	{
		return access != nullptr && access->store && access->address == RING;
	}

	// Checks what a load gets; returns whether the access rings hart 0.
	bool answers(const request &access, uint32_t read, uint32_t *asked)
	{
		const bool there = access.address <= BELL || access.address >= LEFT;
		uint32_t *count = access.address >= LEFT ? &left[(access.address - LEFT) / 4] : nullptr;

		expect("error", top.error, !there);
		if (access.store) {
			if (access.address == RING) {
				*asked = access.data;
			} else if (access.address == PACE) {
				pace = access.data & 31;
			} else if (count != nullptr) {
				*count = access.data & 31;
			}
			return access.address == BELL;
		}
		if (count != nullptr) {
			expect("LEFT", read, *count);
			const bool last = access.hart != 0 && *count == 1;

			*count -= access.hart != 0 && *count != 0;
			return last;
		}
		expect("a load", read,
		       access.address == ID	? magic :
		       access.address == STATUS ? top.idle | top.done << 1 :
		       access.address == RING	? owed :
		       access.address == PACE	? pace :
		       access.address == BELL	? rung :
						  0);
		if (access.address == BELL) {
			rung = 0;
		}
		return false;
	}

	// Interrupts that come out: one of those that are owed, the lowest, in its time.
	void hand_out(uint32_t ring, bool busy, uint32_t now)
	{
		waited++;
		if (ring != 0) {
			expect("the interrupt", ring, owed & (~owed + 1));
			if (waited <= gap) {
				wrong("%u cycles between interrupts, pace %u", waited, gap);
			}
			owed &= ~ring;
			handed_out++;
			gap = now;
			waited = 0;
		} else if (owed != 0 && !busy && waited > gap) {
			wrong("0x%x is owed for %u cycles, pace %u", owed, waited, gap);
		}
	}

	Vbench top;
	uint32_t waited = 64, gap = 0; /**< Cycles since the last interrupt; the pace at that time. */
};

static void by_chance(unsigned seed, uint64_t cycles)
{
	std::mt19937 dice(seed);
	Bench bench;
	const unsigned places[] = { ID, STATUS, RING, RING, PACE, BELL, BELL, 0x14 };
	unsigned idles = 0;

	while (cycle < cycles) {
		const uint32_t draw = dice();
		request one = { draw % harts, 0, (draw >> 8) % 2 == 0, dice() };
		const unsigned which = draw >> 16 & 15;

		one.address = which < 8 ? places[which] : LEFT + which % waves * 4;
		if (one.store && one.address == RING) {
			one.data &= dice() & dice();
		} else if (one.store && one.address >= LEFT) {
			one.data &= 3;
		} else if (one.store && one.address == PACE) {
			one.data &= dice() % 4 == 0 ? 31 : 1;
		}
		/* In quiet times all that is in the unit comes out; a hart may clear its msip in any cycle. */
		const bool quiet = cycle / 512 % 4 == 3;
		const bool takes = !one.store && (one.address == BELL || one.address >= LEFT);

		bench.step(draw >> 28 < 8 && (!quiet || takes) ? &one : nullptr,
			   (draw >> 24 & 1) != 0 ? static_cast<int>(dice() % harts) : -1);
		idles += bench.idle();
	}
	if (idles == 0 || bench.handed_out < cycles / 32) {
		wrong("%u idle cycles, %llu interrupts: nothing was tried", idles,
		      static_cast<unsigned long long>(bench.handed_out));
	}
}

// The life of a wave: from the store that sends it until its bell is taken the unit is not idle in any cycle.
static void wave(unsigned sms, unsigned pace, unsigned slot)
{
	Bench bench;
	const uint32_t set = (sms == 31 ? ~0u : (1u << (sms + 1)) - 1) & ~1u;
	auto busy = [&bench] {
		if (bench.idle()) {
			wrong("idle while a wave is under way");
		}
	};

	bench.store(0, PACE, pace);
	expect("idle", bench.idle(), 1);
	for (bench.store(0, RING, set); bench.owed != 0; bench.step(nullptr)) {
		busy(); /* a set that nobody counts */
	}
	for (unsigned hart = 1; hart <= sms; hart++) {
		bench.step(nullptr, static_cast<int>(hart));
	}
	expect("idle", bench.idle(), 1);
	bench.store(0, LEFT + 4 * slot, sms);
	busy();
	bench.store(0, RING, set);
	for (unsigned wait = 0; wait <= sms * (pace + 1); wait++) {
		busy();
		bench.step(nullptr);
	}
	expect("msip", bench.msip(), set);
	expect("hart 0's look", bench.load(0, LEFT + 4 * slot), sms);
	for (unsigned sm = 1; sm <= sms; sm++) {
		busy();
		expect("msip of hart 0", bench.msip() & 1, 0);
		expect("what an SM finds", bench.load(sm, LEFT + 4 * slot), sms - sm + 1);
	}
	expect("msip of hart 0", bench.msip() & 1, 1);
	busy();
	expect("the bells", bench.load(0, BELL), 1u << sms);
	expect("idle", bench.idle(), 1);
}

int main(int count, char **words)
{
	if (count == 4 && std::strcmp(words[1], "random") == 0) {
		by_chance(static_cast<unsigned>(std::atoi(words[2])), std::strtoull(words[3], nullptr, 0));
	} else if (count == 2 && std::strcmp(words[1], "wave") == 0) {
		for (unsigned sms = 1; sms < harts; sms++) {
			wave(sms, sms % 7, sms % waves);
		}
	} else {
		std::fprintf(stderr, "bench random <seed> <cycles> | bench wave\n");
		return 2;
	}
	return 0;
}
