// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim.hpp"

static int open_pty()
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct termios settings;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
		give_up(std::string("--uart pty: ") + std::strerror(errno));
	}
	// A terminal would echo and change bytes. The open end keeps the pty up while nobody uses it.
	const int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (slave < 0 || tcgetattr(slave, &settings) != 0) {
		give_up(std::string("--uart pty: ") + std::strerror(errno));
	}
	cfmakeraw(&settings);
	tcsetattr(slave, TCSANOW, &settings);
	std::printf("uart: %s\n", ptsname(master));
	return master;
}

static int open_socket(const std::string &path)
{
	const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct sockaddr_un name = {};

	name.sun_family = AF_UNIX;
	if (path.empty() || path.size() >= sizeof(name.sun_path)) {
		give_up("--uart unix:PATH: the path has " + std::to_string(path.size()) +
			" bytes, 1 to " + std::to_string(sizeof(name.sun_path) - 1) +
			" are possible");
	}
	std::memcpy(name.sun_path, path.c_str(), path.size());
	unlink(path.c_str());
	if (listener < 0 ||
	    bind(listener, reinterpret_cast<struct sockaddr *>(&name), sizeof(name)) != 0 ||
	    listen(listener, 1) != 0) {
		give_up("--uart unix:" + path + ": " + std::strerror(errno));
	}
	std::printf("uart: unix:%s\n", path.c_str());
	return listener;
}

void Console::open(const std::string &what)
{
	if (what == "stdio") {
		reader = STDIN_FILENO;
		writer = STDOUT_FILENO;
	} else if (what == "pty") {
		reader = writer = open_pty();
		fcntl(reader, F_SETFL, O_NONBLOCK);
		keep = true;
	} else if (what.rfind("unix:", 0) == 0) {
		path = what.substr(5);
		listener = open_socket(path);
		keep = true;
	} else if (what != "none") {
		give_up("--uart " + what + ": none, stdio, pty or unix:PATH is expected");
	}
	dropping = writer < 0 && listener < 0;
	std::fflush(stdout);
}

void Console::send(uint8_t byte)
{
	if (!dropping) {
		out.push_back(static_cast<char>(byte));
	}
}

void Console::poll()
{
	accept_client();
	write_out();
	read_in();
}

void Console::accept_client()
{
	if (listener >= 0 && reader < 0) {
		reader = writer = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
	}
}

void Console::write_out()
{
	if (out.empty()) {
		return;
	}
	if (writer >= 0) {
		const ssize_t done = listener >= 0
					     ? ::send(writer, out.data(), out.size(), MSG_NOSIGNAL)
					     : ::write(writer, out.data(), out.size());

		if (done > 0) {
			out.erase(0, static_cast<size_t>(done));
		} else if (done < 0 && errno != EAGAIN && errno != EINTR) {
			lose_client();
		}
	}
	// Nobody reads: the start of the text is worth most, so what comes now is lost. A client that is
	// connected but slow makes the SoC wait.
	if ((writer < 0 || listener < 0) && out.size() >= most) {
		out.resize(most - 1);
	}
}

void Console::read_in()
{
	char part[4096];
	struct pollfd waiting = { reader, POLLIN, 0 };

	if (reader < 0 || can_receive() || ::poll(&waiting, 1, 0) <= 0) {
		return;
	}
	const ssize_t got = ::read(reader, part, sizeof(part));

	if (got > 0) {
		in.assign(part, static_cast<size_t>(got));
		in_next = 0;
	} else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
		lose_client();
	}
}

// The next client of a socket starts afresh. The end of standard input is not the end of its output.
void Console::lose_client()
{
	if (listener >= 0) {
		::close(reader);
		reader = writer = -1;
	} else if (!keep) {
		reader = -1;
	}
}

void Console::close()
{
	poll();
	if (listener >= 0) {
		unlink(path.c_str());
	}
}
