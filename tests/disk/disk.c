/* A disk between a process and the system, by LD_PRELOAD: it writes down what goes to files and folders, and fails when
 * it is told to. The real libraries above it, SQLite among them, notice nothing.
 *
 * DISK_LOG names a file. One line for each call, in the order of their ends, of regular files and folders:
 *
 *   create INODE PATH          mkdir INODE PATH          rename FROM<TAB>TO       unlink PATH
 *   write INODE OFFSET HEX     size INODE BYTES          sync INODE
 *
 * disk_fail(call, after, error, part): of the calls "write" or "sync" to files whose path ends with `part`, the one after
 * so many fails, once. A "tear" is a write that writes the first half of its bytes, and fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name, type, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

static char fail_call[8];
static char fail_part[64];
static long fail_after;
static int fail_error;
static int log_descriptor = -2;

void disk_fail(const char *call, long after, int error, const char *part)
{
    snprintf(fail_call, sizeof fail_call, "%s", call);
    snprintf(fail_part, sizeof fail_part, "%s", part);
    fail_after = after;
    fail_error = error;
}

static void say(const char *words, size_t length)
{
    if (log_descriptor == -2) {
        const char *path = getenv("DISK_LOG");
        int opened = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
        log_descriptor = opened < 0 ? -1 : fcntl(opened, F_DUPFD_CLOEXEC, 900); /* out of everybody's way */
        if (opened >= 0)
            syscall(SYS_close, opened);
    }
    if (log_descriptor >= 0)
        syscall(SYS_write, log_descriptor, words, length);
}

static void tell(const char *format, ...)
{
    char line[2 * PATH_MAX + 64];
    va_list words;
    va_start(words, format);
    int length = vsnprintf(line, sizeof line, format, words);
    va_end(words);
    if (length > 0 && length < (int)sizeof line)
        say(line, (size_t)length);
}

static const char *whole(const char *path, char *into)
{
    if (path[0] == '/' || !getcwd(into, PATH_MAX))
        return path;
    size_t length = strlen(into);
    snprintf(into + length, PATH_MAX - length, "/%s", path);
    return into;
}

static int is_kept(int descriptor, struct stat *found)
{
    return fstat(descriptor, found) == 0 && (S_ISREG(found->st_mode) || S_ISDIR(found->st_mode));
}

static int fails(const char *call, int descriptor)
{
    char link[32], path[PATH_MAX];
    struct stat found;
    if (strcmp(call, fail_call) != 0 || !is_kept(descriptor, &found)) /* pipes lie on no disk */
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    size_t part = strlen(fail_part);
    if (length < (ssize_t)part || memcmp(path + length - part, fail_part, part) != 0 || fail_after-- > 0)
        return 0;
    fail_call[0] = '\0';
    errno = fail_error;
    return 1;
}

/* --- Bytes --- */

static void tell_write(int descriptor, const void *data, ssize_t length, off_t offset)
{
    static const char digits[] = "0123456789abcdef";
    struct stat found;
    if (length <= 0 || !is_kept(descriptor, &found) || !getenv("DISK_LOG"))
        return;
    char *line = malloc((size_t)length * 2 + 64);
    if (!line)
        abort();
    int end = sprintf(line, "write %lu %ld ", (unsigned long)found.st_ino, (long)offset);
    for (ssize_t index = 0; index < length; index++) {
        line[end++] = digits[((const unsigned char *)data)[index] >> 4];
        line[end++] = digits[((const unsigned char *)data)[index] & 15];
    }
    line[end++] = '\n';
    say(line, (size_t)end);
    free(line);
}

static ssize_t put_at(int descriptor, const void *data, size_t length, off_t offset)
{
    if (fails("write", descriptor))
        return -1;
    int torn = fails("tear", descriptor), error = errno;
    ssize_t done = syscall(SYS_pwrite64, descriptor, data, torn ? length / 2 : length, offset);
    tell_write(descriptor, data, done, offset);
    errno = torn ? error : errno;
    return torn ? -1 : done;
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset)
{
    return put_at(descriptor, data, length, offset);
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset)
{
    return put_at(descriptor, data, length, offset);
}

ssize_t write(int descriptor, const void *data, size_t length)
{
    if (fails("write", descriptor))
        return -1;
    ssize_t done = syscall(SYS_write, descriptor, data, length);
    int error = errno;
    struct stat found;
    if (done > 0 && is_kept(descriptor, &found))
        tell_write(descriptor, data, done, lseek(descriptor, 0, SEEK_CUR) - done);
    errno = error;
    return done;
}

int ftruncate(int descriptor, off_t size)
{
    int done = (int)syscall(SYS_ftruncate, descriptor, size);
    struct stat found;
    if (done == 0 && is_kept(descriptor, &found))
        tell("size %lu %ld\n", (unsigned long)found.st_ino, (long)size);
    return done;
}

int ftruncate64(int descriptor, off64_t size)
{
    return ftruncate(descriptor, size);
}

static int sync_by(long call, int descriptor)
{
    struct stat found;
    if (fails("sync", descriptor))
        return -1;
    int done = (int)syscall(call, descriptor);
    if (done == 0 && is_kept(descriptor, &found))
        tell("sync %lu\n", (unsigned long)found.st_ino);
    return done;
}

int fsync(int descriptor)
{
    return sync_by(SYS_fsync, descriptor);
}

int fdatasync(int descriptor)
{
    return sync_by(SYS_fdatasync, descriptor);
}

/* --- Names --- */

static int open_as(int folder, const char *path, int flags, mode_t mode)
{
    char absolute[PATH_MAX];
    struct stat found;
    int is_new = (flags & O_CREAT) && fstatat(folder, path, &found, AT_SYMLINK_NOFOLLOW) != 0;
    int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (descriptor < 0 || !is_kept(descriptor, &found))
        return descriptor;
    if (is_new)
        tell("create %lu %s\n", (unsigned long)found.st_ino, whole(path, absolute));
    else if (flags & O_TRUNC)
        tell("size %lu 0\n", (unsigned long)found.st_ino);
    return descriptor;
}

#define OPEN(name, first, folder)                                      \
    int name(first const char *path, int flags, ...)                   \
    {                                                                  \
        va_list more;                                                  \
        va_start(more, flags);                                         \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;      \
        va_end(more);                                                  \
        return open_as(folder, path, flags, mode);                     \
    }
#define NOTHING
#define A_FOLDER int folder,
OPEN(open, NOTHING, AT_FDCWD)
OPEN(open64, NOTHING, AT_FDCWD)
OPEN(openat, A_FOLDER, folder)
OPEN(openat64, A_FOLDER, folder)

int rename(const char *from, const char *to)
{
    char absolute_from[PATH_MAX], absolute_to[PATH_MAX];
    int done = REAL("rename", int, const char *, const char *)(from, to);
    if (done == 0)
        tell("rename %s\t%s\n", whole(from, absolute_from), whole(to, absolute_to));
    return done;
}

int unlink(const char *path)
{
    char absolute[PATH_MAX];
    int done = REAL("unlink", int, const char *)(path);
    if (done == 0)
        tell("unlink %s\n", whole(path, absolute));
    return done;
}

int mkdir(const char *path, mode_t mode)
{
    char absolute[PATH_MAX];
    struct stat found;
    int done = REAL("mkdir", int, const char *, mode_t)(path, mode);
    if (done == 0 && stat(path, &found) == 0)
        tell("mkdir %lu %s\n", (unsigned long)found.st_ino, whole(path, absolute));
    return done;
}
