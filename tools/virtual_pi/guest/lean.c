// Inside the guest: the first process of a start without anything that a game does not need, for whoever starts it often.
// What stands behind "--" on the kernel's command line is run by the guest's user; without that, the agent is.
#define _GNU_SOURCE
#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PORTS "/sys/class/virtio-ports"

enum { USER_ID = 1000 };

static char *const AGENT[] = { "/usr/bin/python3", "/opt/vm/agent.py", NULL };

// As udev does.
static void name_port(const char *port)
{
	char path[300], name[64], target[280], link[100];
	FILE *file;

	snprintf(path, sizeof path, PORTS "/%s/name", port);
	file = fopen(path, "re");
	if (!file || !fgets(name, sizeof name, file))
		return;
	name[strcspn(name, "\n")] = 0;
	snprintf(target, sizeof target, "/dev/%s", port);
	snprintf(link, sizeof link, "/dev/virtio-ports/%s", name);
	if (symlink(target, link) || chmod(link, 0666))
		perror(link);
	fclose(file);
}

static void name_ports(void)
{
	DIR *ports = opendir(PORTS);
	struct dirent *port;

	mkdir("/dev/virtio-ports", 0755);
	while (ports && (port = readdir(ports)))
		if (port->d_name[0] != '.')
			name_port(port->d_name);
}

// As a login does.
static void become_user(void)
{
	setenv("HOME", "/home/anna", 1);
	setenv("XDG_RUNTIME_DIR", "/run/user/1000", 1);
	setenv("LANG", "C.UTF-8", 1);
	if (setgroups(0, NULL) || setgid(USER_ID) || setuid(USER_ID) || chdir("/home/anna"))
		perror("user");
}

int main(int argc, char **argv)
{
	char *const *program = argc > 1 ? argv + 1 : AGENT;

	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("tmpfs", "/run", "tmpfs", 0, NULL);
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	name_ports();
	mkdir("/run/user", 0755);
	mkdir("/run/user/1000", 0700);
	if (chown("/run/user/1000", USER_ID, USER_ID))
		perror("/run/user/1000");
	if (!fork()) {
		if (program != AGENT)
			become_user();
		execv(program[0], program);
		perror(program[0]);
		_exit(1);
	}
	for (;;) // the first process must not end, and buries all others
		if (wait(NULL) < 0)
			pause();
}
