// SPDX-License-Identifier: Apache-2.0
// Simulator of the reference SoC: README.md has its options, its output and its exit status.
#include <getopt.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Vhart.h"
#include "Vtop.h"
#include "crew.hpp"
#include "sim.hpp"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

// How often the world outside is looked at, in cycles: powers of two.
static constexpr uint64_t doorbell_cycles = 16;
static constexpr uint64_t console_cycles = 1024;
static constexpr uint64_t reset_cycles = 8;
static constexpr uint64_t quiet_cycles = 4;

enum exit_status {
	PASSED = 0,
	FAILED = 1,
	USAGE = 2,
	TOO_LONG = 3,
	STOPPED = 4
};

struct options {
	std::string image, ram_file, uart = "none", vcd;
	uint64_t cycles = 0; /**< 0: no bound. */
	uint64_t from = 0;   /**< First cycle of trace and VCD. */
	unsigned threads = 1;
	bool trace_harts = false;
};

static volatile sig_atomic_t stopped;

static void stop(int)
{
	stopped = 1;
}

void give_up(const std::string &message)
{
	std::fprintf(stderr, "sim: %s\n", message.c_str());
	std::exit(USAGE);
}

static uint64_t number(const char *name, const char *text)
{
	char *end = nullptr;
	const uint64_t value = std::strtoull(text, &end, 0);

	if (*text < '0' || *text > '9' || *end != '\0') {
		give_up(std::string(name) + " " + text + ": a number is expected");
	}
	return value;
}

// Threads that compute harts: no more than there are harts.
static unsigned threads(const char *name, const char *text)
{
	const uint64_t value = number(name, text);

	if (value < 1 || value > SIM_HARTS) {
		give_up(std::string(name) + " " + text + ": 1 to " + std::to_string(SIM_HARTS) + " are expected");
	}
	return static_cast<unsigned>(value);
}

static options read_options(int count, char **words)
{
	static const struct option names[] = {
		{ "image", 1, nullptr, 'i' },  { "ram-file", 1, nullptr, 'r' },
		{ "uart", 1, nullptr, 'u' },   { "vcd", 1, nullptr, 'v' },
		{ "cycles", 1, nullptr, 'c' }, { "from", 1, nullptr, 'f' },
		{ "info", 0, nullptr, 'I' },   { "trace-harts", 0, nullptr, 't' },
		{ "threads", 1, nullptr, 'n' },
		{ nullptr, 0, nullptr, 0 },
	};
	options wanted;

	for (int letter; (letter = getopt_long(count, words, "", names, nullptr)) != -1;) {
		switch (letter) {
		case 'i':
			wanted.image = optarg;
			break;
		case 'r':
			wanted.ram_file = optarg;
			break;
		case 'u':
			wanted.uart = optarg;
			break;
		case 'v':
			wanted.vcd = optarg;
			break;
		case 'c':
			wanted.cycles = number("--cycles", optarg);
			break;
		case 'f':
			wanted.from = number("--from", optarg);
			break;
		case 't':
			wanted.trace_harts = true;
			break;
		case 'n':
			wanted.threads = threads("--threads", optarg);
			break;
		case 'I':
			std::printf("harts=%u ram_bytes=%u clock_hz=%u\n", SIM_HARTS, SIM_RAM_BYTES,
				    SIM_CLOCK_HZ);
			std::exit(PASSED);
		default:
			give_up("tests/rtl/sim/README.md has the options");
		}
	}
	if (optind != count) {
		give_up(std::string(words[optind]) + ": an option is expected");
	}
	if (wanted.image.empty() && wanted.ram_file.empty()) {
		give_up("neither --image nor --ram-file: there is nothing to run");
	}
	return wanted;
}

class Simulation
{
      public:
	explicit Simulation(const options &wanted)
		: wanted(wanted), crew(wanted.threads, [this](unsigned one) { edges(one); })
	{
		memory.open(wanted.ram_file, SIM_RAM_BYTES);
		if (!wanted.image.empty()) {
			memory.load(wanted.image);
		}
		console.open(wanted.uart);
#if VM_TRACE
		if (!wanted.vcd.empty()) {
			Verilated::traceEverOn(true);
			vcd = std::make_unique<VerilatedVcdC>();
			top.trace(vcd.get(), 99);
			for (auto &hart : harts) {
				hart.trace(vcd.get(), 99);
			}
			vcd->open(wanted.vcd.c_str());
		}
#else
		if (!wanted.vcd.empty()) {
			give_up("--vcd: this simulator is built without; make it with RTL_VCD=1");
		}
#endif
	}

	enum exit_status run()
	{
		std::printf("sim: ready\n");
		std::fflush(stdout);
		for (unsigned h = 0; h < SIM_HARTS; h++) {
			harts[h].number = h;
		}
		top.reset = 1;
		for (uint64_t i = 0; i < reset_cycles; i++) {
			tick();
		}
		top.reset = 0;
		cycle = 0;
		while (!top.finish && !stopped && (wanted.cycles == 0 || cycle < wanted.cycles)) {
			exchange();
			tick();
			cycle++;
		}
		if (top.finish) {
			tick(); // the trace is one cycle late
		}
		console.close();
		memory.show(cycle, i_stalls, d_stalls);
#if VM_TRACE
		if (vcd) {
			vcd->close();
		}
#endif
		return status();
	}

	uint64_t cycle = 0;
	Vtop top;
	Vhart harts[SIM_HARTS];

      private:
	// Sets the inputs of the next cycle.
	void exchange()
	{
		top.trace = wanted.trace_harts && cycle >= wanted.from;
		if (cycle % console_cycles == 0) {
			console.poll();
			memory.show(cycle, i_stalls, d_stalls);
		}
		top.rx_valid = console.can_receive();
		if (top.rx_valid) {
			top.rx_data = console.next();
			// Not ready in this cycle: the byte would be lost. Ask again in the next one.
			top.rx_valid = top.rx_ready;
			if (top.rx_valid) {
				console.receive();
			}
		}
		top.tx_ready = console.can_send();
		if (top.tx_valid && top.tx_ready) {
			console.send(top.tx_data);
		}
		top.host_ring = 0;
		top.host_taken = 0;
		if (cycle % doorbell_cycles == 0) {
			doorbells();
		}
	}

	void doorbells()
	{
		const uint32_t rings = memory.rings_from_host();

		top.host_ring = rings != seen;
		seen = rings;
		if (top.host_pending) {
			top.host_taken = 1;
			memory.ring_host();
		}
	}

	// A cycle: what the harts ask for, who is served, the edge. The rest of the SoC has its edge first; harts are told
	// what it says then (hart.v).
	void tick()
	{
		top.clk = 0;
		top.eval();
		dump(0);
		i_ready = top.i_ready;
		d_ready = top.d_ready;
		i_stalls += bits(top.i_valid & ~i_ready);
		d_stalls += bits(top.d_valid & ~d_ready);
		top.clk = 1;
		top.eval();
		due_count = 0;
		for (unsigned h = 0; h < SIM_HARTS; h++) {
			if (is_due(h)) {
				due[due_count++] = h;
			}
		}
		if (due_count > 1) {
			crew.work();
		} else {
			edges(0);
		}
		for (unsigned i = 0; i < due_count; i++) {
			tell(due[i]);
		}
		dump(1);
	}

	// The edges of one thread's share of the harts. They look at `top`, which stays as it is until all are computed, so
	// the result does not depend on the threads.
	void edges(unsigned thread)
	{
		for (unsigned i = thread; i < due_count; i += wanted.threads) {
			edge(due[i]);
		}
	}

	static unsigned bits(uint32_t word)
	{
		return static_cast<unsigned>(__builtin_popcount(word));
	}

	// What a hart hears besides answers, by which it can wake up.
	uint32_t lines_of(unsigned h) const
	{
		return (top.hart_reset >> h & 1) << 3 | (top.msip >> h & 1) << 2 |
		       (top.mtip >> h & 1) << 1 | (top.meip >> h & 1);
	}

	bool is_served(unsigned h) const
	{
		return ((i_ready | d_ready) >> h & 1) != 0;
	}

	// A hart that has slept for a few cycles and hears nothing new stays as it is, but for counters like mcycle,
	// which stop. The first cycles are computed, because a core may be about to wake up when it tells that it sleeps.
	bool is_due(unsigned h)
	{
		const uint32_t lines = lines_of(h);

		if (!harts[h].sleeping || lines != heard[h] || is_served(h)) {
			quiet[h] = 0;
		} else if (quiet[h]++ >= quiet_cycles) {
			return false;
		}
		heard[h] = lines;
		return true;
	}

	void edge(unsigned h)
	{
		Vhart &hart = harts[h];
		const uint32_t bit = 1u << h, lines = heard[h];

		hart.i_ready = i_ready >> h & 1;
		hart.d_ready = d_ready >> h & 1;
		hart.reset = lines >> 3 & 1;
		hart.msip = lines >> 2 & 1;
		hart.mtip = lines >> 1 & 1;
		hart.meip = lines & 1;
		hart.i_rdata = top.i_rdata[h];
		hart.i_error = (top.i_error & bit) != 0;
		hart.d_rdata = top.d_rdata[h];
		hart.d_error = (top.d_error & bit) != 0;
		hart.clk = 1;
		hart.eval();
		hart.clk = 0;
		hart.eval();
	}

	// What a hart says after its edge.
	void tell(unsigned h)
	{
		const Vhart &hart = harts[h];
		const uint32_t bit = 1u << h;

		top.i_valid = (top.i_valid & ~bit) | (hart.i_valid ? bit : 0);
		top.d_valid = (top.d_valid & ~bit) | (hart.d_valid ? bit : 0);
		top.sleeping = (top.sleeping & ~bit) | (hart.sleeping ? bit : 0);
		top.i_addr[h] = hart.i_addr;
		top.d_addr[h] = hart.d_addr;
		top.d_wdata[h] = hart.d_wdata;
		top.d_wstrb[h] = hart.d_wstrb;
	}

	void dump(uint64_t half)
	{
#if VM_TRACE
		if (vcd && cycle >= wanted.from) {
			vcd->dump(cycle * 2 + half);
		}
#else
		(void)half;
#endif
	}

	enum exit_status status()
	{
		if (top.finish) {
			return (top.finish_value & 0xffff) == 0x5555 ? PASSED : FAILED;
		}
		return stopped ? STOPPED : TOO_LONG;
	}

	options wanted;
	Memory memory;
	Console console;
	uint64_t i_stalls = 0, d_stalls = 0; /**< Cycles in which a hart waited for the bus, of all harts. */
	uint32_t i_ready = 0, d_ready = 0; /**< Harts that are served in this cycle. */
	unsigned due[SIM_HARTS] = {}, due_count = 0; /**< Harts whose edge is computed in this cycle. */
	uint32_t heard[SIM_HARTS] = {}; /**< lines_of() at the last edge that was computed. */
	uint64_t quiet[SIM_HARTS] = {}; /**< Edges since it last heard something or was awake. */
	uint32_t seen =
		0; /**< Rings of the host so far. Starts at 0: one before the start counts. */
#if VM_TRACE
	std::unique_ptr<VerilatedVcdC> vcd;
#endif
	Crew crew; /**< The last member: its threads end before what they use. */
};

int main(int count, char **words)
{
	const options wanted = read_options(count, words);
	struct sigaction action = {};
	Simulation simulation(wanted);

	action.sa_handler = stop;
	sigaction(SIGTERM, &action, nullptr);
	sigaction(SIGINT, &action, nullptr);

	const auto start = std::chrono::steady_clock::now();
	const enum exit_status status = simulation.run();
	const double seconds =
		std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

	std::printf("sim: cycles=%llu finisher=0x%x status=%d khz=%.0f\n",
		    static_cast<unsigned long long>(simulation.cycle), simulation.top.finish_value,
		    status,
		    seconds > 0 ? static_cast<double>(simulation.cycle) / seconds / 1000 : 0.0);
	return status;
}
