// SPDX-License-Identifier: Apache-2.0
/** @file
 * Parts of the simulator of the reference SoC: its RAM and its console. README.md says how it is used.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/** RAM of the SoC, followed by the doorbell page, in a file or not. */
class Memory
{
      public:
	static constexpr size_t page_bytes = 4096;
	static constexpr uint32_t doorbell_magic =
		0x42444747; /**< "GGDB": word 2 of the doorbell page. */

	/** Make the memory. Ends the program with a message when that cannot be done.
	 * @param path   File to map, made if it is not there; empty: no file.
	 * @param bytes  Bytes of RAM, a multiple of a page. */
	void open(const std::string &path, size_t bytes);

	/** Copy a flat image to the start of the RAM. Ends the program when it does not fit. */
	void load(const std::string &path);

	/** Word 0 of the doorbell page: the host adds 1 to ring. */
	uint32_t rings_from_host() const;

	/** Word 1 of the doorbell page: add 1, the CP rang. */
	void ring_host();

	/** Words 4 to 9 of the doorbell page: cycles so far, and those in which harts waited for the bus with an
	 * instruction fetch, and with data; harts that wait in the same cycle count one each. */
	void show(uint64_t cycles, uint64_t i_stalls, uint64_t d_stalls);

	volatile uint8_t *bytes = nullptr;

      private:
	volatile uint32_t *doorbells() const;
	size_t ram_bytes = 0;
};

/** The other end of the console: nothing, standard input and output, a pty or a Unix socket. */
class Console
{
      public:
	/** @param what  none, stdio, pty or unix:PATH. Ends the program when it cannot be opened. */
	void open(const std::string &what);

	/** Exchange bytes with the other side, without waiting. Costs system calls. */
	void poll();

	/** Whether there is room for a byte from the SoC. */
	bool can_send() const
	{
		return out.size() < most;
	}
	void send(uint8_t byte);

	/** Whether there is a byte for the SoC. */
	bool can_receive() const
	{
		return in_next < in.size();
	}
	uint8_t next() const
	{
		return static_cast<uint8_t>(in[in_next]);
	}
	void receive()
	{
		in_next++;
	}

	void close();

      private:
	static constexpr size_t most = 65536;

	void accept_client();
	void write_out();
	void read_in();
	void lose_client();

	int reader = -1, writer = -1, listener = -1;
	bool keep = false; /**< The console stays when the other side hangs up. */
	bool dropping = true;
	std::string path, in, out;
	size_t in_next = 0;
};

/** Print a message to standard error and end the program with status 2. */
[[noreturn]] void give_up(const std::string &message);
