// Inside the guest: the wires from its header to the bench outside. Lines like "5 0" that come in are fingers on /dev/vgpio.
#include <fcntl.h>
#include <unistd.h>

enum { PAUSE_US = 100000 };

static int opened(const char *path)
{
	int fd;

	while ((fd = open(path, O_RDWR)) < 0)
		usleep(PAUSE_US);
	return fd;
}

static char next(int fd)
{
	char byte;

	while (read(fd, &byte, 1) != 1)
		usleep(PAUSE_US); // nobody is on the bench yet
	return byte;
}

int main(void)
{
	int outside = opened("/dev/virtio-ports/header"), pins = opened("/dev/vgpio");
	char line[16];
	size_t n = 0;

	for (;;) {
		line[n] = next(outside);
		if (line[n] != '\n' && n < sizeof line - 1) {
			n++;
		} else {
			if (n && write(pins, line, n) < 0)
				usleep(PAUSE_US);
			n = 0;
		}
	}
}
