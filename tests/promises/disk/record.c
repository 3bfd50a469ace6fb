/* Writes down every change that a program makes below WATCHED, in order, into the file RECORD.

   For where no file system can be mounted: what a disk would have kept is worked out afterwards. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) __typeof__(name) *real = dlsym(RTLD_NEXT, #name)
#define FILES 1024

struct line {
    char what;
    char unused[7];
    uint64_t file;
    int64_t at;
    int64_t size;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static char watched[FILES];

static int below(const char *path)
{
    const char *place = getenv("WATCHED");
    return place && *place && !strncmp(path, place, strlen(place));
}

static void put(const void *bytes, size_t size)
{
    REAL(write);
    while (size > 0) {
        ssize_t done = real(record, bytes, size);
        if (done <= 0)
            abort();
        bytes = (const char *)bytes + done;
        size -= (size_t)done;
    }
}

static void note(char what, int fd, int64_t at, const void *bytes, size_t size)
{
    struct stat status = {0};
    struct line line = {.what = what, .at = at, .size = (int64_t)size};
    if (record < 0) {
        int (*open_record)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
        record = open_record(getenv("RECORD"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    if (fd >= 0 && !fstat(fd, &status))
        line.file = status.st_ino;
    put(&line, sizeof line);
    put(bytes, size);
}

static int ours(int fd)
{
    return fd >= 0 && fd < FILES && watched[fd];
}

static int opened(int fd, const char *path, int flags)
{
    if (fd < 0 || fd >= FILES || !below(path))
        return fd;
    watched[fd] = 1;
    if (flags & (O_WRONLY | O_RDWR)) {
        note('o', fd, 0, path, strlen(path));
        if (flags & O_TRUNC)
            note('t', fd, 0, "", 0);
    } else
        note('p', fd, 0, path, strlen(path));
    return fd;
}

#define OPEN(name)                                                  \
    int name(const char *path, int flags, ...)                      \
    {                                                               \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
        mode_t mode = 0;                                            \
        if (flags & (O_CREAT | O_TMPFILE)) {                        \
            va_list more;                                           \
            va_start(more, flags);                                  \
            mode = va_arg(more, mode_t);                            \
            va_end(more);                                           \
        }                                                           \
        pthread_mutex_lock(&turn);                                  \
        int fd = opened(real(path, flags, mode), path, flags);      \
        pthread_mutex_unlock(&turn);                                \
        return fd;                                                  \
    }
OPEN(open)
OPEN(open64)

int close(int fd)
{
    REAL(close);
    if (fd >= 0 && fd < FILES)
        watched[fd] = 0;
    return real(fd);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    REAL(write);
    if (!ours(fd))
        return real(fd, bytes, size);
    pthread_mutex_lock(&turn);
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t done = real(fd, bytes, size);
    if (done > 0)
        note('w', fd, at, bytes, (size_t)done);
    pthread_mutex_unlock(&turn);
    return done;
}

#define PWRITE(name)                                                \
    ssize_t name(int fd, const void *bytes, size_t size, off_t at)  \
    {                                                               \
        REAL(name);                                                 \
        if (!ours(fd))                                              \
            return real(fd, bytes, size, at);                       \
        pthread_mutex_lock(&turn);                                  \
        ssize_t done = real(fd, bytes, size, at);                   \
        if (done > 0)                                               \
            note('w', fd, at, bytes, (size_t)done);                 \
        pthread_mutex_unlock(&turn);                                \
        return done;                                                \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define TRUNCATE(name)                                              \
    int name(int fd, off_t size)                                    \
    {                                                               \
        REAL(name);                                                 \
        pthread_mutex_lock(&turn);                                  \
        int failed = real(fd, size);                                \
        if (!failed && ours(fd))                                    \
            note('t', fd, size, "", 0);                             \
        pthread_mutex_unlock(&turn);                                \
        return failed;                                              \
    }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define SYNC(name)                                                  \
    int name(int fd)                                                \
    {                                                               \
        REAL(name);                                                 \
        pthread_mutex_lock(&turn);                                  \
        int failed = real(fd);                                      \
        if (!failed && ours(fd))                                    \
            note('s', fd, 0, "", 0);                                \
        pthread_mutex_unlock(&turn);                                \
        return failed;                                              \
    }
SYNC(fsync)
SYNC(fdatasync)

int rename(const char *old, const char *new)
{
    REAL(rename);
    char both[8192];
    pthread_mutex_lock(&turn);
    int failed = real(old, new);
    if (!failed && below(new) && strlen(old) + strlen(new) + 1 < sizeof both) {
        memcpy(both, old, strlen(old) + 1);
        memcpy(both + strlen(old) + 1, new, strlen(new));
        note('r', -1, 0, both, strlen(old) + 1 + strlen(new));
    }
    pthread_mutex_unlock(&turn);
    return failed;
}

int unlink(const char *path)
{
    REAL(unlink);
    pthread_mutex_lock(&turn);
    int failed = real(path);
    if (!failed && below(path))
        note('u', -1, 0, path, strlen(path));
    pthread_mutex_unlock(&turn);
    return failed;
}
