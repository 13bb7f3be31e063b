// In the guest's initrd: loads what stands between the kernel and its disk, and hands over to what is on it. An emulated
// processor does this at every start; Debian's own initrd keeps it busy for ten seconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAUSE_US = 10000, COMPLAIN_EVERY = 500 };

static void load(const char *module)
{
	int fd = open(module, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		perror(module);
	close(fd);
}

// In the order in which they need each other.
static void load_all(void)
{
	char name[128];
	FILE *list = fopen("/modules", "re");

	while (list && fgets(name, sizeof name, list)) {
		name[strcspn(name, "\n")] = 0;
		load(name);
	}
}

// What the kernel's command line names, or the usual one.
static const char *next(void)
{
	static char words[4096];
	FILE *line = fopen("/proc/cmdline", "re");

	if (line && fgets(words, sizeof words, line))
		for (char *word = strtok(words, " \n"); word; word = strtok(NULL, " \n"))
			if (!strncmp(word, "init=", 5))
				return word + 5;
	return "/sbin/init";
}

int main(int argc, char **argv)
{
	const char *init;

	(void)argc;
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	mount("proc", "/proc", "proc", 0, NULL);
	load_all();
	init = next();
	for (int tries = 0; mount("/dev/vda", "/disk", "ext4", MS_NOATIME, NULL); tries++) {
		if (tries % COMPLAIN_EVERY == COMPLAIN_EVERY - 1)
			perror("/dev/vda");
		usleep(PAUSE_US);
	}
	mount("/dev", "/disk/dev", NULL, MS_MOVE, NULL);
	umount("/proc");
	if (chdir("/disk") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		perror("/disk");
	argv[0] = (char *)init; // what stands behind "--" on that line is for it
	execv(init, argv);
	perror(init);
	return 1;
}
