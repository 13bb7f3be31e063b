// Inside the guest: the wires from its bus and its header to whatever is on the bench outside. Questions of /dev/vspi go
// out and their answers come back; lines like "5 0" that come in are fingers on /dev/vgpio.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 8, MOST = 4096, PAUSE_US = 100000 };

static int opened(const char *path)
{
	int fd;

	while ((fd = open(path, O_RDWR)) < 0)
		usleep(PAUSE_US);
	return fd;
}

static void all_out(int fd, const uint8_t *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(fd, bytes, n);

		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		} else {
			usleep(PAUSE_US); // nobody is on the bench yet
		}
	}
}

static void all_in(int fd, uint8_t *bytes, size_t n)
{
	while (n) {
		ssize_t done = read(fd, bytes, n);

		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		} else {
			usleep(PAUSE_US);
		}
	}
}

static void bus(void)
{
	static uint8_t question[HEAD + MOST], answer[4 + MOST];
	int outside = opened("/dev/virtio-ports/spi");

	for (;;) {
		int chips = opened("/dev/vspi");
		ssize_t n;

		while ((n = read(chips, question, sizeof question)) >= HEAD) {
			all_out(outside, question, (size_t)n);
			do // what a bench answers that has been left meanwhile is another question's
				all_in(outside, answer, 4 + (size_t)n - HEAD);
			while (memcmp(answer, question, 4));
			if (write(chips, answer, 4 + (size_t)n - HEAD) < 0)
				break;
		}
		close(chips);
		usleep(PAUSE_US);
	}
}

static void header(void)
{
	int outside = opened("/dev/virtio-ports/header"), pins = opened("/dev/vgpio");
	char line[16];
	size_t n = 0;

	for (;;) {
		all_in(outside, (uint8_t *)line + n, 1);
		if (line[n] == '\n' || n == sizeof line - 1) {
			line[n] = 0;
			if (n && write(pins, line, n) < 0)
				usleep(1);
			n = 0;
		} else {
			n++;
		}
	}
}

int main(void)
{
	if (fork() == 0)
		header();
	bus();
}
