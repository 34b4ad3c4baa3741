// Reads clocks in plain loops. Named on its command line: the function. Then, for each line on standard input, it makes so
// many calls twice and answers with the nanoseconds that one of the second half took.

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

static volatile unsigned long long sink;

static unsigned long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}

#define LOOP(name, declaration, call)                  \
    static unsigned long long name(long calls) {       \
        declaration;                                   \
        unsigned long long begin = now_ns();           \
        for (long nth = 0; nth < calls; nth++) {       \
            call;                                      \
        }                                              \
        return now_ns() - begin;                       \
    }

#define CLOCK(name, id) LOOP(name, struct timespec at, clock_gettime(id, &at))

CLOCK(realtime, CLOCK_REALTIME)
CLOCK(monotonic, CLOCK_MONOTONIC)
CLOCK(monotonic_raw, CLOCK_MONOTONIC_RAW)
CLOCK(boottime, CLOCK_BOOTTIME)
CLOCK(tai, CLOCK_TAI)
CLOCK(realtime_coarse, CLOCK_REALTIME_COARSE)
CLOCK(monotonic_coarse, CLOCK_MONOTONIC_COARSE)
CLOCK(process_cputime, CLOCK_PROCESS_CPUTIME_ID)
CLOCK(thread_cputime, CLOCK_THREAD_CPUTIME_ID)
LOOP(gettimeofday_, struct timeval at, gettimeofday(&at, NULL))
LOOP(time_, , sink = time(NULL))
LOOP(syscall_, struct timespec at, syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &at))
LOOP(times_, struct tms at, times(&at))
LOOP(getrusage_, struct rusage at, getrusage(RUSAGE_SELF, &at))
LOOP(c_clock, , sink = clock())
#ifdef __x86_64__
LOOP(rdtsc, , sink = __rdtsc())
LOOP(lfence_rdtsc, , _mm_lfence(); sink = __rdtsc())
LOOP(rdtscp, unsigned processor, sink = __rdtscp(&processor))
#endif

static const struct {
    const char *name;
    unsigned long long (*loop)(long calls);
} LOOPS[] = {
    {"realtime", realtime},
    {"monotonic", monotonic},
    {"monotonic_raw", monotonic_raw},
    {"boottime", boottime},
    {"tai", tai},
    {"realtime_coarse", realtime_coarse},
    {"monotonic_coarse", monotonic_coarse},
    {"process_cputime", process_cputime},
    {"thread_cputime", thread_cputime},
    {"gettimeofday", gettimeofday_},
    {"time", time_},
    {"syscall", syscall_},
    {"times", times_},
    {"getrusage", getrusage_},
    {"c_clock", c_clock},
#ifdef __x86_64__
    {"rdtsc", rdtsc},
    {"lfence_rdtsc", lfence_rdtsc},
    {"rdtscp", rdtscp},
#endif
};

int main(int argc, char **argv) {
    long calls;
    for (size_t nth = 0; argc == 2 && nth < sizeof LOOPS / sizeof *LOOPS; nth++) {
        if (strcmp(argv[1], LOOPS[nth].name) != 0) continue;
        while (scanf("%ld", &calls) == 1) {
            LOOPS[nth].loop(calls);
            printf("%.4f\n", (double)LOOPS[nth].loop(calls) / calls);
            fflush(stdout);
        }
        return 0;
    }
    fprintf(stderr, "usage: plain FUNCTION\n");
    return 2;
}
