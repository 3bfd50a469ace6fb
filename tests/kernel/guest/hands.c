/* Hands for a simulated GPIO chip: moves lines at given times and notes when it really did.
 *
 * usage: hands <folder of the chip's lines in sysfs>
 * stdin: the number of moves, then one move a line: nanoseconds from the start, line, level.
 *        Line -2 names the process, by its level, to which line -1 sends its level as a signal.
 * stdout: for each move the monotonic nanoseconds before and after it; then one line with all
 *         times since the last one, each from and to, in which the most urgent thread of a
 *         processor was kept from running. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_LINES = 64, MOST_MOVES = 200000, MOST_STALLS = 4096, MOST_PROCESSORS = 8 };
enum { SIGNAL = -1, TARGET = -2 };
static const long long SPIN = 150000;
static const long long STALL = 1000000;

struct move {
    long long at;
    int line;
    int level;
    long long before;
    long long after;
};

static struct move moves[MOST_MOVES];
static int pulls[MOST_LINES];
static long long stalls[MOST_STALLS][2];
static int stall_count;
static _Atomic long long wake_up[MOST_PROCESSORS];
static pthread_mutex_t stalls_lock = PTHREAD_MUTEX_INITIALIZER;

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *watch_processor(void *number)
{
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET((long)number, &here);
    sched_setaffinity(0, sizeof here, &here);
    struct sched_param most_urgent = {.sched_priority = 99};
    sched_setscheduler(0, SCHED_FIFO, &most_urgent);
    for (;;) {
        long long due = now() + 2000000;
        wake_up[(long)number] = due;
        struct timespec t = {due / 1000000000LL, due % 1000000000LL};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
        long long woke = now();
        if (woke - due < STALL)
            continue;
        pthread_mutex_lock(&stalls_lock);
        if (stall_count < MOST_STALLS) {
            stalls[stall_count][0] = due;
            stalls[stall_count++][1] = woke;
        }
        pthread_mutex_unlock(&stalls_lock);
    }
    return NULL;
}

static void wait_until(long long at)
{
    long long left = at - now();
    if (left > SPIN) {
        struct timespec t = {(at - SPIN) / 1000000000LL, (at - SPIN) % 1000000000LL};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    }
    while (now() < at)
        ;
}

static void pull(const char *folder, int line, int level)
{
    if (pulls[line] < 0) {
        char path[256];
        snprintf(path, sizeof path, "%s/sim_gpio%d/pull", folder, line);
        pulls[line] = open(path, O_WRONLY);
    }
    const char *word = level ? "pull-up" : "pull-down";
    if (pulls[line] < 0 || pwrite(pulls[line], word, strlen(word), 0) < 0) {
        perror("hands");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    memset(pulls, -1, sizeof pulls);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors > MOST_PROCESSORS)
        return 2;
    for (long n = 0; n < processors; n++) {
        pthread_t watcher;
        if (pthread_create(&watcher, NULL, watch_processor, (void *)n) != 0)
            return 1;
    }
    int count, target = 0;
    while (scanf("%d", &count) == 1 && count <= MOST_MOVES) {
        for (int i = 0; i < count; i++)
            if (scanf("%lld %d %d", &moves[i].at, &moves[i].line, &moves[i].level) != 3)
                return 2;
        long long start = now() + 2000000;
        for (int i = 0; i < count; i++) {
            struct move *m = &moves[i];
            if (m->line == TARGET) {
                target = m->level;
                m->before = m->after = now();
                continue;
            }
            wait_until(start + m->at);
            m->before = now();
            if (m->line == SIGNAL)
                kill(target, m->level);
            else
                pull(argv[1], m->line, m->level);
            m->after = now();
        }
        for (int i = 0; i < count; i++)
            printf("%lld %lld\n", moves[i].before, moves[i].after);
        pthread_mutex_lock(&stalls_lock);
        for (int i = 0; i < stall_count; i++)
            printf("%lld %lld ", stalls[i][0], stalls[i][1]);
        stall_count = 0;
        pthread_mutex_unlock(&stalls_lock);
        /* A processor that stands still at this moment has not woken to tell of it. */
        for (long n = 0; n < processors; n++) {
            long long due = wake_up[n], late = now() - due;
            if (due && late >= STALL)
                printf("%lld %lld ", due, due + late);
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
