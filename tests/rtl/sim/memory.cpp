// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "sim.hpp"

static volatile uint8_t *ram;

// Called by ram.v. The host may write to the same page at the same time: a store touches no byte but
// those of its strobe, and a word is loaded and stored at once.
extern "C" int sim_ram_read(int word)
{
	return static_cast<int>(reinterpret_cast<volatile uint32_t *>(ram)[word]);
}

extern "C" void sim_ram_write(int word, int data, int strobe)
{
	const uint32_t value = static_cast<uint32_t>(data);
	volatile uint8_t *at = ram + static_cast<size_t>(word) * 4;

	if (strobe == 0xf) {
		*reinterpret_cast<volatile uint32_t *>(at) = value;
	} else if (strobe == 0x3 || strobe == 0xc) {
		const int half = strobe == 0xc;

		reinterpret_cast<volatile uint16_t *>(at)[half] =
			static_cast<uint16_t>(value >> 16 * half);
	} else {
		for (int i = 0; i < 4; i++) {
			if (strobe >> i & 1) {
				at[i] = static_cast<uint8_t>(value >> 8 * i);
			}
		}
	}
}

static std::string reason()
{
	return std::strerror(errno);
}

void Memory::open(const std::string &path, size_t size)
{
	const size_t all = size + page_bytes;
	int file = -1;

	if (!path.empty()) {
		struct stat state;

		file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (file < 0 || fstat(file, &state) != 0) {
			give_up("--ram-file " + path + ": " + reason());
		}
		if (static_cast<size_t>(state.st_size) < all &&
		    ftruncate(file, static_cast<off_t>(all)) != 0) {
			give_up("--ram-file " + path + ": " + reason());
		}
	}
	void *map = mmap(nullptr, all, PROT_READ | PROT_WRITE,
			 file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);

	if (map == MAP_FAILED) {
		give_up("cannot map " + std::to_string(all) + " bytes of RAM: " + reason());
	}
	if (file >= 0) {
		close(file);
	}
	bytes = ram = static_cast<volatile uint8_t *>(map);
	ram_bytes = size;
	doorbells()[2] = doorbell_magic;
	doorbells()[3] = static_cast<uint32_t>(size / page_bytes);
}

void Memory::load(const std::string &path)
{
	std::ifstream file(path, std::ios::binary);
	const std::vector<char> image((std::istreambuf_iterator<char>(file)),
				      std::istreambuf_iterator<char>());

	if (!file || image.empty()) {
		give_up("--image " + path + ": cannot be read, or is empty");
	}
	if (image.size() > ram_bytes) {
		give_up("--image " + path + ": " + std::to_string(image.size()) +
			" bytes, but the RAM has " + std::to_string(ram_bytes));
	}
	std::memcpy(const_cast<uint8_t *>(bytes), image.data(), image.size());
}

volatile uint32_t *Memory::doorbells() const
{
	return reinterpret_cast<volatile uint32_t *>(bytes + ram_bytes);
}

uint32_t Memory::rings_from_host() const
{
	return __atomic_load_n(doorbells(), __ATOMIC_ACQUIRE);
}

void Memory::ring_host()
{
	__atomic_store_n(doorbells() + 1, doorbells()[1] + 1, __ATOMIC_RELEASE);
}

void Memory::show(uint64_t cycles, uint64_t i_stalls, uint64_t d_stalls)
{
	const uint64_t values[] = { cycles, i_stalls, d_stalls };

	for (size_t i = 0; i < 3; i++) {
		__atomic_store_n(reinterpret_cast<volatile uint64_t *>(doorbells() + 4) + i,
				 values[i], __ATOMIC_RELEASE);
	}
}
