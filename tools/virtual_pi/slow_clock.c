// Under QEMU (LD_PRELOAD): its clock goes SLOWER times as slowly as ours. An emulated processor has then that many times
// longer for whatever its guest has to do in a second, and no limit of the product has to be changed for it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { NS = 1000000000 };

static int (*real_gettime)(clockid_t, struct timespec *);
static int (*real_ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
static long long began_ns, slower;

static long long ns(const struct timespec *t) { return (long long)t->tv_sec * NS + t->tv_nsec; }

static struct timespec timespec(long long n) { return (struct timespec){ n / NS, n % NS }; }

__attribute__((constructor)) static void start(void)
{
	const char *said = getenv("SLOWER");
	struct timespec now;

	real_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	real_ppoll = (int (*)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))dlsym(RTLD_NEXT, "ppoll");
	real_gettime(CLOCK_MONOTONIC, &now);
	began_ns = ns(&now);
	slower = said && atoi(said) > 0 ? atoi(said) : 1;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int failed;

	if (!real_gettime) // somebody else's constructor comes first
		start();
	failed = real_gettime(clock, t);
	if (!failed && clock == CLOCK_MONOTONIC)
		*t = timespec(began_ns + (ns(t) - began_ns) / slower);
	return failed;
}

// It is asked to wait until a moment of that clock.
int ppoll(struct pollfd *files, nfds_t n, const struct timespec *within, const sigset_t *mask)
{
	struct timespec longer;

	if (!real_ppoll)
		start();
	if (within)
		longer = timespec(ns(within) * slower);
	return real_ppoll(files, n, within ? &longer : NULL, mask);
}
