// Inside the guest: the first process of a start without anything that a game does not need, for whoever starts it often.
// What stands behind "--" on the kernel's command line is run by the guest's user; without that, the agent is. The agent
// begins again if it ends. Another program's end is told to the hands outside: nobody should take it for a game.
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

#define NAMED "/dev/virtio-ports"

enum { USER_ID = 1000, PAUSE_US = 10000 };

static char *const AGENT[] = { "/usr/bin/python3", "/opt/vm/agent.py", NULL };

// As udev does.
static void name_port(const char *port)
{
	char path[300], name[64], target[280], link[100];
	FILE *file;

	snprintf(path, sizeof path, PORTS "/%s/name", port);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(name, sizeof name, file)) { // it has none yet
		fclose(file);
		return;
	}
	name[strcspn(name, "\n")] = 0;
	snprintf(target, sizeof target, "/dev/%s", port);
	snprintf(link, sizeof link, NAMED "/%s", name);
	if (!symlink(target, link) && chmod(link, 0666))
		perror(link);
	fclose(file);
}

static void name_ports(void)
{
	DIR *ports = opendir(PORTS);
	struct dirent *port;

	while (ports && (port = readdir(ports)))
		if (port->d_name[0] != '.')
			name_port(port->d_name);
	if (ports)
		closedir(ports);
}

static void await_ports(void)
{
	mkdir(NAMED, 0755);
	for (name_ports(); access(NAMED "/agent", F_OK) || access(NAMED "/hands", F_OK); name_ports())
		usleep(PAUSE_US);
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

// Its status, when it has ended. The first process buries all others meanwhile.
static int ran(char *const *program, int is_agent)
{
	int status;
	pid_t child = fork(), ended;

	if (!child) {
		if (!is_agent)
			become_user();
		execv(program[0], program);
		perror(program[0]);
		_exit(127);
	}
	while ((ended = wait(&status)) != child)
		if (ended < 0)
			return -1;
	return status;
}

int main(int argc, char **argv)
{
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("tmpfs", "/run", "tmpfs", 0, NULL);
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	await_ports();
	mkdir("/run/user", 0755);
	mkdir("/run/user/1000", 0700);
	if (chown("/run/user/1000", USER_ID, USER_ID))
		perror("/run/user/1000");
	if (argc > 1) {
		int status = ran(argv + 1, 0);
		FILE *hands = fopen(NAMED "/hands", "we");

		if (!hands || fprintf(hands, "ended %d\n", status) < 0 || fclose(hands))
			perror("hands");
	}
	for (;;) {
		ran(AGENT, 1);
		usleep(100 * PAUSE_US);
	}
}
