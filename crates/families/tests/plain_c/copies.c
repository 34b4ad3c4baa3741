/* Plain programs' ways of copying a small file: the same system calls as the techniques, and nothing else.
 *
 *     plain FUNCTION FROM TO
 *
 * copies FROM to TO, which must not exist, for each 'c' of its input, and prints how many microseconds that took. Any
 * other byte is answered without a copy.
 * Steps are joined by ||, which runs them in their order and ends at the first that fails: 0 is success. */
#define _GNU_SOURCE
#include <emmintrin.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define NEW (O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)

static int in, out;
static off_t size;

static int open_both(const char *from, const char *to, int more_in, int more_out)
{
    struct stat status;
    in = open(from, O_RDONLY | O_CLOEXEC | more_in);
    out = open(to, NEW | more_out, 0666);
    if (in < 0 || out < 0 || fstat(in, &status) != 0)
        return -1;
    size = status.st_size;
    return 0;
}

static int close_both(void)
{
    return close(in) || close(out);
}

/* A small buffer lies in the program's data. A large one is fresh memory from the system, as a program that copies once gets it: the
 * C library would keep it between two copies. */
static char data[64 << 10] __attribute__((aligned(PAGE)));

/* No buffer is larger than the file. */
static size_t capped(size_t bytes)
{
    size_t most = size < PAGE ? PAGE : size;
    return bytes < most ? bytes : most;
}

static char *room(size_t bytes)
{
    if (bytes <= sizeof data)
        return data;
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int leave(char *buffer, size_t bytes)
{
    return bytes <= sizeof data ? 0 : munmap(buffer, bytes);
}

static int pour(size_t bytes)
{
    char *buffer = room(bytes = capped(bytes));
    ssize_t count;
    while ((count = read(in, buffer, bytes)) > 0)
        if (write(out, buffer, count) != count)
            return -1;
    return leave(buffer, bytes) || count;
}

static int streams(const char *from, const char *to, size_t piece, size_t buffer_bytes)
{
    FILE *source = fopen(from, "rb"), *destination = fopen(to, "wb");
    char *bytes = malloc(piece), *first = NULL, *second = NULL;
    size_t count;
    if (!source || !destination)
        return -1;
    if (buffer_bytes) {
        first = malloc(buffer_bytes);
        second = malloc(buffer_bytes);
        setvbuf(source, first, _IOFBF, buffer_bytes);
        setvbuf(destination, second, _IOFBF, buffer_bytes);
    }
    while ((count = fread(bytes, 1, piece, source)) > 0)
        if (fwrite(bytes, 1, count, destination) != count)
            return -1;
    fclose(source);
    if (fclose(destination) != 0)
        return -1;
    free(bytes);
    free(first);
    free(second);
    return 0;
}

static int c_stdio(const char *from, const char *to) { return streams(from, to, 256, 0); }
static int c_stdio_large_buffer(const char *from, const char *to)
{
    struct stat status;
    if (stat(from, &status) != 0)
        return -1;
    /* A buffer that is larger than the file is never filled. */
    return streams(from, to, 64 << 10, status.st_size < PAGE ? PAGE : status.st_size < 1 << 20 ? status.st_size : 1 << 20);
}

static int read_write(const char *from, const char *to, size_t bytes)
{
    return open_both(from, to, 0, 0) || pour(bytes) || close_both();
}

static int small_buffer(const char *from, const char *to) { return read_write(from, to, 256); }
static int posix_layer(const char *from, const char *to) { return read_write(from, to, 256); }
static int read_write_64K(const char *from, const char *to) { return read_write(from, to, 64 << 10); }
static int read_write_256K(const char *from, const char *to) { return read_write(from, to, 256 << 10); }
static int read_write_1M(const char *from, const char *to) { return read_write(from, to, 1 << 20); }

static int hinted(const char *from, const char *to, size_t bytes)
{
    int failed = open_both(from, to, 0, 0);
    posix_fadvise(in, 0, 0, POSIX_FADV_SEQUENTIAL);
    posix_fadvise(out, 0, 0, POSIX_FADV_SEQUENTIAL);
    return failed || pour(bytes) || close_both();
}

static int hinted_8k(const char *from, const char *to) { return hinted(from, to, 8192); }
static int hinted_large_buffer(const char *from, const char *to) { return hinted(from, to, 256 << 10); }

static int no_access_time(const char *from, const char *to)
{
    return open_both(from, to, O_NOATIME, 0) || pour(256 << 10) || close_both();
}

static int read_ahead(const char *from, const char *to)
{
    int failed = open_both(from, to, 0, 0);
    posix_fadvise(in, 0, 32 << 20, POSIX_FADV_WILLNEED);
    return failed || pour(256 << 10) || close_both();
}

static int one_call(const char *from, const char *to)
{
    int failed = open_both(from, to, 0, 0);
    ssize_t count;
    if (ioctl(out, FICLONE, in) == 0)
        return failed || close_both();
    while ((count = copy_file_range(in, NULL, out, NULL, 1 << 30, 0)) > 0)
        ;
    return failed || count || close_both();
}

/* As the standard library of Rust: with the permissions of the source, once at its making and once more when it is open. */
static int std_copy(const char *from, const char *to)
{
    struct stat status, made;
    ssize_t count;
    int failed;
    in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0 || fstat(in, &status) != 0)
        return -1;
    out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, status.st_mode);
    failed = fstat(out, &made) || fchmod(out, status.st_mode);
    while ((count = copy_file_range(in, NULL, out, NULL, 1 << 30, 0)) > 0)
        ;
    return failed || count || close_both();
}

static int sendfile_(const char *from, const char *to)
{
    int failed = open_both(from, to, 0, 0);
    ssize_t count;
    while ((count = sendfile(out, in, NULL, 0x7ffff000)) > 0)
        ;
    return failed || count || close_both();
}

static int through_pipe(void)
{
    int ends[2];
    ssize_t inside, count;
    if (pipe2(ends, O_CLOEXEC) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
        return -1;
    while ((inside = splice(in, NULL, ends[1], NULL, 1 << 20, SPLICE_F_MOVE)) > 0)
        for (; inside > 0; inside -= count)
            if ((count = splice(ends[0], NULL, out, NULL, inside, SPLICE_F_MOVE)) <= 0)
                return -1;
    return close(ends[0]) || close(ends[1]) || inside;
}

static int splice_(const char *from, const char *to)
{
    return open_both(from, to, 0, 0) || through_pipe() || close_both();
}

static int presized_splice(const char *from, const char *to)
{
    return open_both(from, to, 0, 0) || fallocate(out, 0, 0, size) || through_pipe() || close_both();
}

static int presized(const char *from, const char *to, size_t bytes)
{
    return open_both(from, to, 0, 0) || fallocate(out, 0, 0, size) || pour(bytes) || close_both();
}

static int presized_128K(const char *from, const char *to) { return presized(from, to, 128 << 10); }
static int presized_1M(const char *from, const char *to) { return presized(from, to, 1 << 20); }

static int presized_truncate(const char *from, const char *to)
{
    return open_both(from, to, 0, 0) || ftruncate(out, size) || pour(256 << 10) || close_both();
}

static int presized_keep_size(const char *from, const char *to)
{
    int failed = open_both(from, to, 0, 0) || fallocate(out, FALLOC_FL_KEEP_SIZE, 0, size);
    return failed || pour(256 << 10) || close_both();
}

static int write_mapping(int populate, int advice, int pieces)
{
    char *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED | populate, in, 0);
    off_t start;
    if (bytes == MAP_FAILED)
        return -1;
    if (advice)
        madvise(bytes, size, MADV_SEQUENTIAL);
    for (start = 0; start < size; start += 1 << 20) {
        size_t count = size - start < 1 << 20 ? size - start : 1 << 20;
        if (pieces)
            madvise(bytes + start, count, MADV_POPULATE_READ);
        if (write(out, bytes + start, count) != (ssize_t)count)
            return -1;
    }
    return munmap(bytes, size);
}

static int mmap_write(const char *from, const char *to)
{
    return open_both(from, to, 0, 0) || write_mapping(0, 1, 0) || close_both();
}

static int mmap_write_populate(const char *from, const char *to)
{
    return open_both(from, to, 0, 0) || write_mapping(MAP_POPULATE, 0, 0) || close_both();
}

static int presized_mmap_write(const char *from, const char *to)
{
    return open_both(from, to, 0, 0) || fallocate(out, 0, 0, size) || write_mapping(0, 1, 1) || close_both();
}

static int presized_mmap_read_ahead(const char *from, const char *to)
{
    int failed = open_both(from, to, 0, 0);
    posix_fadvise(in, 0, 32 << 20, POSIX_FADV_WILLNEED);
    return failed || fallocate(out, 0, 0, size) || write_mapping(0, 1, 1) || close_both();
}

static void stream(char *to, const char *from, size_t bytes)
{
    size_t at;
    for (at = 0; at + 16 <= bytes; at += 16)
        _mm_stream_si128((__m128i *)(to + at), _mm_loadu_si128((const __m128i *)(from + at)));
    _mm_sfence();
    memcpy(to + at, from + at, bytes - at);
}

static int map_both(const char *from, const char *to, int streaming)
{
    int failed;
    char *source, *target;
    struct stat status;
    in = open(from, O_RDONLY | O_CLOEXEC);
    out = open(to, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    failed = fstat(in, &status);
    size = status.st_size;
    failed |= fallocate(out, 0, 0, size);
    target = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, out, 0);
    source = mmap(NULL, size, PROT_READ, MAP_SHARED, in, 0);
    if (source == MAP_FAILED || target == MAP_FAILED)
        return -1;
    madvise(source, size, MADV_SEQUENTIAL);
    if (streaming)
        stream(target, source, size);
    else
        memcpy(target, source, size);
    return failed || munmap(source, size) || munmap(target, size) || close_both();
}

static int mmap_to_mmap(const char *from, const char *to) { return map_both(from, to, 0); }
static int mmap_to_mmap_split(const char *from, const char *to) { return map_both(from, to, 0); }
static int mmap_to_mmap_streaming(const char *from, const char *to) { return map_both(from, to, 1); }

static int past_cache(const char *from, const char *to, int more)
{
    size_t bytes, padded;
    char *block;
    off_t at;
    int failed = open_both(from, to, O_DIRECT, O_DIRECT | more);
    bytes = size < 1 << 20 ? (size + PAGE - 1) / PAGE * PAGE : 1 << 20;
    block = room(bytes);
    for (at = 0; at < size;) {
        ssize_t count = pread(in, block, bytes, at);
        if (count <= 0)
            return -1;
        padded = (count + PAGE - 1) / PAGE * PAGE;
        memset(block + count, 0, padded - count);
        if (pwrite(out, block, padded, at) != (ssize_t)padded)
            return -1;
        at += count;
    }
    leave(block, bytes);
    if (size % PAGE != 0)
        failed |= ftruncate(out, size);
    return failed || close_both();
}

static int direct(const char *from, const char *to) { return past_cache(from, to, 0); }
/* One block leaves nothing to read ahead. */
static int direct_double_buffered(const char *from, const char *to) { return past_cache(from, to, 0); }
static int direct_write_through(const char *from, const char *to) { return past_cache(from, to, O_DSYNC); }

static int write_through(const char *from, const char *to)
{
    return open_both(from, to, 0, O_DSYNC) || fallocate(out, 0, 0, size) || pour(4 << 20) || close_both();
}

static int uncached(const char *from, const char *to)
{
    int failed = open_both(from, to, 0, 0);
    size_t bytes = capped(256 << 10);
    char *buffer = room(bytes);
    struct iovec piece = {buffer, bytes};
    ssize_t count;
    while ((count = preadv2(in, &piece, 1, -1, 0x80)) > 0) {
        struct iovec filled = {buffer, count};
        if (pwritev2(out, &filled, 1, -1, 0x80) != count)
            return -1;
    }
    leave(buffer, bytes);
    return failed || count || close_both();
}

static int parallel_ranges(const char *from, const char *to)
{
    loff_t a = 0, b = 0;
    cpu_set_t processors;
    int failed = open_both(from, to, 0, 0) || ftruncate(out, size);
    failed |= sched_getaffinity(0, sizeof processors, &processors);
    while (a < size)
        if (copy_file_range(in, &a, out, &b, size - a, 0) <= 0)
            return -1;
    return failed || close_both();
}

static char *mapping;

static void *populate(void *unused)
{
    off_t start;
    for (start = 0; start < size; start += 1 << 20) {
        posix_fadvise(in, start + (32 << 20), 1 << 20, POSIX_FADV_WILLNEED);
        madvise(mapping + start, size - start < 1 << 20 ? size - start : 1 << 20, MADV_POPULATE_READ);
    }
    return unused;
}

static int presized_mmap_populate_ahead(const char *from, const char *to)
{
    pthread_t thread;
    pthread_attr_t attributes;
    struct stat status;
    off_t start;
    int alone;
    in = open(from, O_RDONLY | O_CLOEXEC);
    fstat(in, &status);
    size = status.st_size;
    posix_fadvise(in, 0, 32 << 20, POSIX_FADV_WILLNEED);
    mapping = mmap(NULL, size, PROT_READ, MAP_SHARED, in, 0);
    if (mapping != MAP_FAILED)
        madvise(mapping, size, MADV_SEQUENTIAL);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    /* Nothing lies ahead of the first 1 MiB. */
    alone = size <= 1 << 20;
    if (mapping == MAP_FAILED || (!alone && pthread_create(&thread, &attributes, populate, NULL) != 0))
        return -1;
    out = open(to, NEW, 0666);
    if (fallocate(out, 0, 0, size) != 0 || (alone && madvise(mapping, size, MADV_POPULATE_READ) != 0))
        return -1;
    for (start = 0; start < size; start += 1 << 20) {
        ssize_t count = size - start < 1 << 20 ? size - start : 1 << 20;
        if (write(out, mapping + start, count) != count)
            return -1;
    }
    return (!alone && pthread_join(thread, NULL)) || munmap(mapping, size) || close_both();
}

static const struct {
    const char *name;
    int (*copy)(const char *from, const char *to);
} functions[] = {
    {"c_stdio", c_stdio},
    {"c_stdio_large_buffer", c_stdio_large_buffer},
    {"small_buffer", small_buffer},
    {"posix_layer", posix_layer},
    {"read_write_64K", read_write_64K},
    {"read_write_256K", read_write_256K},
    {"read_write_1M", read_write_1M},
    {"hinted_8k", hinted_8k},
    {"hinted_large_buffer", hinted_large_buffer},
    {"no_access_time", no_access_time},
    {"read_ahead", read_ahead},
    {"one_call", one_call},
    {"std_copy", std_copy},
    {"sendfile", sendfile_},
    {"splice", splice_},
    {"presized_splice", presized_splice},
    {"presized_128K", presized_128K},
    {"presized_1M", presized_1M},
    {"presized_truncate", presized_truncate},
    {"presized_keep_size", presized_keep_size},
    {"mmap_write", mmap_write},
    {"mmap_write_populate", mmap_write_populate},
    {"presized_mmap_write", presized_mmap_write},
    {"presized_mmap_read_ahead", presized_mmap_read_ahead},
    {"mmap_to_mmap", mmap_to_mmap},
    {"mmap_to_mmap_split", mmap_to_mmap_split},
    {"mmap_to_mmap_streaming", mmap_to_mmap_streaming},
    {"direct", direct},
    {"direct_double_buffered", direct_double_buffered},
    {"direct_write_through", direct_write_through},
    {"write_through", write_through},
    {"uncached", uncached},
    {"parallel_ranges", parallel_ranges},
    {"presized_mmap_populate_ahead", presized_mmap_populate_ahead},
};

int main(int count, char **words)
{
    struct timespec begin, end;
    size_t nth;
    int word;
    for (nth = 0; nth < sizeof functions / sizeof *functions; nth++) {
        if (count != 4 || strcmp(words[1], functions[nth].name) != 0)
            continue;
        while ((word = getchar()) != EOF) {
            clock_gettime(CLOCK_MONOTONIC, &begin);
            if (word == 'c' && functions[nth].copy(words[2], words[3]) != 0)
                return 1;
            clock_gettime(CLOCK_MONOTONIC, &end);
            printf("%.3f\n", (end.tv_sec - begin.tv_sec) * 1e6 + (end.tv_nsec - begin.tv_nsec) / 1e3);
            fflush(stdout);
        }
        return 0;
    }
    return 2;
}
