// SPDX-License-Identifier: Apache-2.0
// Simulates top.v at its pins, with the block RAM as it is synthesised: the
// bytes of standard input go to rx, bit by bit, after the device has sent a
// line; what comes out of tx goes to standard output. Usage: pins CYCLES SPEED.
// CYCLES is a bound, SPEED how many bits the host sends during one bit of the device, e.g. 0.98.
// Exit status: 0 the finisher says success, 1 failure (LEDs), 2 the bound was
// reached, 3 a bad stop bit.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "Vrefsoc_fpga.h"
#include "verilated.h"

enum led {
	RUNNING = 1,
	FAILED = 2
};
enum exit_status {
	PASSED = 0,
	FAILURE = 1,
	TOO_LONG = 2,
	BAD_STOP = 3
};

/** Sends. The line is high while nothing is sent. */
struct sender {
	double bit; /**< Cycles of the oscillator. */
	std::string left;
	double next = 0; /**< Cycle of the next bit. */
	unsigned frame = 0, bits = 0;

	bool turn(double cycle)
	{
		if (bits == 0 && !left.empty() && cycle >= next) {
			frame = 0x200u | static_cast<unsigned char>(left[0]) << 1;
			bits = 10;
			left.erase(0, 1);
			next = cycle + bit;
		} else if (bits != 0 && cycle >= next) {
			frame >>= 1;
			bits--;
			next += bit;
		}
		return bits == 0 || (frame & 1) != 0;
	}
};

/** Receives: looks at the middle of each bit. */
struct receiver {
	double bit;
	double next = 0;
	unsigned frame = 0, bits = 0;

	/** A byte, -1: none, -2: the stop bit is wrong. */
	int turn(double cycle, bool line)
	{
		if (bits == 0 && !line) {
			bits = 10;
			frame = 0;
			next = cycle + bit / 2;
		}
		if (bits == 0 || cycle < next) {
			return -1;
		}
		frame = frame >> 1 | (line ? 0x200u : 0);
		next += bit;
		if (--bits != 0) {
			return -1;
		}
		return (frame & 0x200) != 0 ? static_cast<int>(frame >> 1 & 0xff) : -2;
	}
};

int main(int argc, char **argv)
{
	if (argc != 3) {
		std::fprintf(stderr, "usage: pins CYCLES SPEED\n");
		return TOO_LONG;
	}
	const double most = std::atof(argv[1]), bit = PINS_BIT_CYCLES * std::atof(argv[2]);
	VerilatedContext context;
	const auto top = std::make_unique<Vrefsoc_fpga>(&context);
	sender to{ bit, "" };
	receiver from{ bit };
	bool begun = false, ran = false;

	for (double cycle = 0; cycle < most; cycle++) {
		top->rx = to.turn(cycle);
		top->oscillator = 0;
		top->eval();
		top->oscillator = 1;
		top->eval();
		const int byte = from.turn(cycle, top->tx);

		if (byte == -2) {
			return BAD_STOP;
		}
		if (byte >= 0) {
			std::putchar(byte);
		}
		if (byte == '\n' && !begun) {
			begun = true;
			for (int c = std::getchar(); c != EOF; c = std::getchar()) {
				to.left += static_cast<char>(c);
			}
		}
		ran = ran || (top->led & RUNNING) != 0;
		if (ran && (top->led & RUNNING) == 0) {
			return (top->led & FAILED) != 0 ? FAILURE : PASSED;
		}
	}
	return TOO_LONG;
}
