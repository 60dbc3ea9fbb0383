/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE 1 /* cfmakeraw, flock, speeds above 38400 */
#include "host/lib/transport/serial.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "firmware/abi/ganger_abi.h"
#include "host/common/deadline.h"
#include "host/common/unix_address.h"

#define BAUD_DEFAULT   115200u
#define BITS_A_BYTE    10u
#define WAIT_MS        50u /* time for the device to wake up, and for this machine */
/* Longest wait on a socket: at its other end is an emulator, whose time may pass thousands of times slower than ours on a
 * busy machine. When it ends, the socket does. */
#define SOCKET_WAIT_MS 10000u
#define SEND_MS        5000u /* a line that takes no byte for so long counts as ended */

struct serial {
	int file;
};

static const struct {
	uint32_t baud;
	speed_t speed;
} speeds[] = {
	{ 9600, B9600 },       { 19200, B19200 },     { 38400, B38400 },     { 57600, B57600 },
	{ 115200, B115200 },   { 230400, B230400 },   { 460800, B460800 },   { 500000, B500000 },
	{ 576000, B576000 },   { 921600, B921600 },   { 1000000, B1000000 }, { 1152000, B1152000 },
	{ 1500000, B1500000 }, { 2000000, B2000000 }, { 2500000, B2500000 }, { 3000000, B3000000 },
	{ 3500000, B3500000 }, { 4000000, B4000000 },
};

static bool serial_send(void *what, const uint8_t *data, size_t bytes)
{
	const struct serial *serial = what;
	const uint64_t deadline = deadline_after(SEND_MS);

	while (bytes > 0) {
		struct pollfd wait = { .fd = serial->file, .events = POLLOUT };
		ssize_t sent = write(serial->file, data, bytes);

		if (sent > 0) {
			data += sent;
			bytes -= (size_t)sent;
		} else if ((sent < 0 && errno != EAGAIN && errno != EINTR) ||
			   deadline_left(deadline, 1) == 0) {
			return false;
		} else {
			(void)poll(&wait, 1, (int)deadline_left(deadline, SEND_MS));
		}
	}
	return true;
}

static int serial_receive(void *what, uint8_t *data, size_t most, uint32_t wait_ms)
{
	const struct serial *serial = what;
	struct pollfd wait = { .fd = serial->file, .events = POLLIN };
	ssize_t count;

	if (wait_ms > 0 && poll(&wait, 1, (int)wait_ms) <= 0)
		return 0;
	count = read(serial->file, data, most);
	if (count > 0)
		return (int)count;
	return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

static uint64_t serial_now(void *what)
{
	(void)what;
	return deadline_now();
}

/** Splits "PATH,BAUD". */
static int split(const char *place, char *path, size_t size, uint32_t *baud)
{
	const char *comma = strrchr(place, ',');
	const size_t length = comma ? (size_t)(comma - place) : strlen(place);
	char *end = NULL;

	*baud = BAUD_DEFAULT;
	if (length == 0 || length >= size)
		return GG_ERR_ARGUMENT;
	memcpy(path, place, length);
	path[length] = '\0';
	if (!comma)
		return GG_OK;
	*baud = (uint32_t)strtoul(comma + 1, &end, 10);
	return end == comma + 1 || *end != '\0' ? GG_ERR_ARGUMENT : GG_OK;
}

static const speed_t *find_speed(uint32_t baud)
{
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		if (speeds[i].baud == baud)
			return &speeds[i].speed;
	}
	return NULL;
}

/** Sets 8 bits without echo, translation and flow control, and drops what came before. */
static bool make_raw(int file, speed_t speed)
{
	struct termios mode;

	if (tcgetattr(file, &mode) != 0)
		return false;
	cfmakeraw(&mode);
	mode.c_cflag &= (tcflag_t) ~(CSTOPB | CRTSCTS);
	mode.c_cflag |= CLOCAL | CREAD;
	mode.c_cc[VMIN] = 1; /* so that "nothing to read" does not look like the end */
	mode.c_cc[VTIME] = 0;
	return cfsetspeed(&mode, speed) == 0 && tcsetattr(file, TCSANOW, &mode) == 0 &&
	       tcflush(file, TCIOFLUSH) == 0;
}

static int open_port(int *file, const char *place, uint32_t *baud, char *message, size_t size)
{
	char path[256];
	const speed_t *speed;

	if (split(place, path, sizeof(path), baud) != GG_OK || !(speed = find_speed(*baud))) {
		(void)snprintf(message, size, "%s is not PORT or PORT,BAUD with a usual speed",
			       place);
		return GG_ERR_ARGUMENT;
	}
	*file = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (*file < 0) {
		(void)snprintf(message, size, "cannot open %s: %s", path, strerror(errno));
		return errno == EBUSY ? GG_ERR_BUSY : GG_ERR_NO_DEVICE;
	}
	if (flock(*file, LOCK_EX | LOCK_NB) != 0) {
		(void)snprintf(message, size, "another process uses %s", path);
		return GG_ERR_BUSY;
	}
	if (!make_raw(*file, *speed)) {
		(void)snprintf(message, size, "%s is no serial line: %s", path, strerror(errno));
		return GG_ERR_NO_DEVICE;
	}
	(void)ioctl(*file, TIOCEXCL);
	return GG_OK;
}

static int open_socket(int *file, const char *path, char *message, size_t size)
{
	struct sockaddr_un address;

	if (!unix_address(&address, path) || path[0] == '\0') {
		(void)snprintf(message, size, "the path of a socket has 1 to %zu bytes",
			       UNIX_ADDRESS_BYTES);
		return GG_ERR_ARGUMENT;
	}
	*file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*file < 0 || connect(*file, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
	    fcntl(*file, F_SETFL, O_NONBLOCK) != 0) {
		(void)snprintf(message, size, "cannot connect to %s: %s", path, strerror(errno));
		return GG_ERR_NO_DEVICE;
	}
	return GG_OK;
}

int serial_open(struct link_line *line, const char *place, char *message, size_t size)
{
	struct serial *made = malloc(sizeof(*made));
	uint32_t baud = 0;
	int status = GG_ERR_NO_MEMORY;

	if (!made)
		return status;
	made->file = -1;
	if (strncmp(place, "unix:", 5) == 0)
		status = open_socket(&made->file, place + 5, message, size);
	else
		status = open_port(&made->file, place, &baud, message, size);
	*line = (struct link_line){ made,       serial_send, serial_receive,
				    serial_now, WAIT_MS,     SOCKET_WAIT_MS };
	if (baud > 0) {
		line->wait_most_ms = LINK_WAIT_MOST_MS;
		line->wait_ms += 2 * FRAME_MAX * BITS_A_BYTE * 1000 / baud;
	}
	if (status != GG_OK)
		serial_close(line);
	return status;
}

int serial_descriptor(const struct link_line *line)
{
	const struct serial *serial = line->what;

	return serial->file;
}

void serial_close(struct link_line *line)
{
	struct serial *serial = line->what;

	if (serial->file >= 0)
		(void)close(serial->file);
	free(serial);
	line->what = NULL;
}
