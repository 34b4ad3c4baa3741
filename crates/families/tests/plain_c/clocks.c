// Reads clocks in plain loops. Named on its command line: the function. Each loop is there four times, at other offsets from a
// cache line: where a loop of a few nanoseconds lies changes its time. For each line on standard input, each loop makes so many
// calls twice, and the answer is the nanoseconds that one of the second half took, offset by offset.

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

#define PLACES 4

#define LOOP_AT(name, offset, declaration, call)                       \
    static unsigned long long name(long calls) {                       \
        declaration;                                                   \
        unsigned long long begin = now_ns();                           \
        __asm__ volatile(".p2align 6\n\t.rept " #offset "\n\tnop\n\t.endr"); \
        for (long nth = 0; nth < calls; nth++) {                       \
            call;                                                      \
        }                                                              \
        return now_ns() - begin;                                       \
    }

#define LOOP(name, declaration, call)       \
    LOOP_AT(name##_0, 0, declaration, call) \
    LOOP_AT(name##_1, 4, declaration, call) \
    LOOP_AT(name##_2, 8, declaration, call) \
    LOOP_AT(name##_3, 12, declaration, call)

#define ALL(name) {name##_0, name##_1, name##_2, name##_3}

#define CLOCK(name, id) LOOP(name, struct timespec at, clock_gettime(id, &at))

/* A cycle of the processor: additions that wait for each other. */
#define ADD "add %0, %0, 1\n\t"
#ifdef __x86_64__
#undef ADD
#define ADD "add $1, %0\n\t"
#endif
LOOP(cycle, long sum = 0, __asm__ volatile(ADD ADD ADD ADD ADD ADD ADD ADD : "+r"(sum)))

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
    unsigned long long (*loops[PLACES])(long calls);
} LOOPS[] = {
    {"cycle", ALL(cycle)},
    {"realtime", ALL(realtime)},
    {"monotonic", ALL(monotonic)},
    {"monotonic_raw", ALL(monotonic_raw)},
    {"boottime", ALL(boottime)},
    {"tai", ALL(tai)},
    {"realtime_coarse", ALL(realtime_coarse)},
    {"monotonic_coarse", ALL(monotonic_coarse)},
    {"process_cputime", ALL(process_cputime)},
    {"thread_cputime", ALL(thread_cputime)},
    {"gettimeofday", ALL(gettimeofday_)},
    {"time", ALL(time_)},
    {"syscall", ALL(syscall_)},
    {"times", ALL(times_)},
    {"getrusage", ALL(getrusage_)},
    {"c_clock", ALL(c_clock)},
#ifdef __x86_64__
    {"rdtsc", ALL(rdtsc)},
    {"lfence_rdtsc", ALL(lfence_rdtsc)},
    {"rdtscp", ALL(rdtscp)},
#endif
};

int main(int argc, char **argv) {
    long calls;
    for (size_t nth = 0; argc == 2 && nth < sizeof LOOPS / sizeof *LOOPS; nth++) {
        if (strcmp(argv[1], LOOPS[nth].name) != 0) continue;
        while (scanf("%ld", &calls) == 1) {
            for (size_t place = 0; place < PLACES; place++) {
                LOOPS[nth].loops[place](calls);
                printf("%.4f ", (double)LOOPS[nth].loops[place](calls) / calls);
            }
            puts("");
            fflush(stdout);
        }
        return 0;
    }
    fprintf(stderr, "usage: plain FUNCTION\n");
    return 2;
}
