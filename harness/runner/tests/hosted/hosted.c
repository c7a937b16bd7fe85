/* Makes the system calls that hosted programs make, and prints what they give. Its structures and numbers come from the kernel's own
   headers of each target: the harness has written them down a second time. Without a C library, so that it stays small. How it is
   built is in README.md beside it. */
#include <asm/fcntl.h>
#include <asm/ioctls.h>
#include <linux/mman.h>
#include <asm/poll.h>
#include <asm/signal.h>
#include <asm/stat.h>
#include <asm/statfs.h>
#include <asm/unistd.h>
#include <linux/eventpoll.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/stat.h>
#include <linux/sysinfo.h>
#include <linux/time.h>
#include <linux/uio.h>

#include "calls.h"

#define AT_REMOVEDIR 0x200
#define AT_EMPTY_PATH 0x1000

void *memset(void *to, int value, word count)
{
    for (byte *p = to; count--;) *p++ = value;
    return to;
}

static word length(const char *text)
{
    word count = 0;
    while (text[count]) count++;
    return count;
}

static int same(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static void text(const char *said) { call3(__NR_write, 1, said, length(said)); }

static void number(long value)
{
    char digits[24], *p = digits + 23;
    word left = value < 0 ? -value : value;
    *p = 0;
    do *--p = '0' + left % 10; while (left /= 10);
    if (value < 0) *--p = '-';
    text(" ");
    text(p);
}

/* A name and numbers, up to one that ends them. */
#define END 0x7fffffffffffffffL
static void say(const char *name, const long *values)
{
    text(name);
    while (*values != END) number(*values++);
    text("\n");
}
#define SAY(name, ...) say(name, (const long[]){__VA_ARGS__, END})

static char buffer[8192];
static byte page[4096];

static int open_at(const char *path, int flags) { return call4(__NR_openat, AT_FDCWD, path, flags, 0640); }

static word map(word at, word size, long prot, long flags, long file)
{
#ifdef __s390x__
    word arguments[6] = {at, size, prot, flags, file, 0};
    return call1(__NR_mmap, arguments);
#else
    return call6(__NR_mmap, at, size, prot, flags, file, 0);
#endif
}

static void files(void)
{
    struct stat about;
    struct statx more;
    struct statfs home;
    int in = open_at("/in/data.txt", O_RDONLY);
    call2(__NR_fstat, in, &about);
    SAY("fstat", in, about.st_size, about.st_mode, about.st_nlink, about.st_blksize, about.st_blocks, about.st_mtime);
    SAY("read", call3(__NR_read, in, buffer, 5), buffer[0], buffer[4], call3(__NR_lseek, in, 0, SEEK_CUR));
    SAY("pread", call4(__NR_pread64, in, buffer, 100, 6), buffer[0], call3(__NR_lseek, in, -3, SEEK_END));
    const char *mapped = (const char *)map(0, 4096, PROT_READ, MAP_PRIVATE, in);
    SAY("mmap", mapped[0], mapped[6], mapped[4095]);
    SAY("write to what is read", call3(__NR_write, in, buffer, 1));
    SAY("flags", open_at("/in/data.txt", O_DIRECTORY), open_at("/none", 0), open_at("/in/data.txt/x", 0));
    SAY("mkdir", call3(__NR_mkdirat, AT_FDCWD, "/new", 0777), call3(__NR_mkdirat, AT_FDCWD, "/new/", 0777));
    int out = open_at("/new/a", O_CREAT | O_EXCL | O_RDWR);
    struct iovec parts[2] = {{"one ", 4}, {"two", 3}};
    SAY("writev", out, call3(__NR_writev, out, parts, 2), open_at("/new/a", O_CREAT | O_EXCL | O_RDWR));
    SAY("pwrite", call4(__NR_pwrite64, out, "T", 1, 4), call2(__NR_ftruncate, out, 10));
    SAY("rename", call5(__NR_renameat2, AT_FDCWD, "/new/a", AT_FDCWD, "/new/b", 0), open_at("/new/a", 0));
    SAY("symlink", call3(__NR_symlinkat, "b", AT_FDCWD, "/new/link"), open_at("/new/link", O_NOFOLLOW),
        call4(__NR_readlinkat, AT_FDCWD, "/new/link", buffer, 100), buffer[0]);
    SAY("link", call5(__NR_linkat, AT_FDCWD, "/new/b", AT_FDCWD, "/new/c", 0));
    SAY("newfstatat", call4(__NR_newfstatat, AT_FDCWD, "/new/link", &about, 0), about.st_size, about.st_nlink, about.st_mode);
    SAY("statx", call5(__NR_statx, out, "", AT_EMPTY_PATH, 0x7ff, &more), more.stx_size, more.stx_nlink, more.stx_mode,
        more.stx_blocks, more.stx_mtime.tv_sec, more.stx_rdev_major);
    call4(__NR_newfstatat, AT_FDCWD, "/dev/null", &about, 0);
    SAY("device", about.st_mode, about.st_rdev);
    call2(__NR_statfs, "/", &home);
    SAY("statfs", home.f_type, home.f_bsize, home.f_blocks, home.f_bavail, home.f_namelen);
    int folder = open_at("/new", O_DIRECTORY);
    long got = call3(__NR_getdents64, folder, buffer, sizeof buffer);
    for (char *at = buffer; at < buffer + got; at += *(unsigned short *)(at + 16)) text(at + 19), number(at[18]), text("\n");
    SAY("getdents", call3(__NR_getdents64, folder, buffer, sizeof buffer));
    SAY("unlink", call3(__NR_unlinkat, AT_FDCWD, "/new", 0), call3(__NR_unlinkat, AT_FDCWD, "/new", AT_REMOVEDIR),
        call3(__NR_unlinkat, AT_FDCWD, "/new/b", 0));
    SAY("fchdir", call1(__NR_fchdir, folder), call2(__NR_getcwd, buffer, 100), buffer[1], call2(__NR_getcwd, buffer, 2));
    SAY("chdir", call1(__NR_chdir, ".."), call2(__NR_getcwd, buffer, 100), call1(__NR_chdir, "/in/data.txt"));
    SAY("devices", call3(__NR_write, open_at("/dev/full", O_WRONLY), "x", 1), call3(__NR_read, open_at("/dev/zero", 0), buffer, 9),
        call3(__NR_write, open_at("/dev/null", O_WRONLY), "x", 1), call3(__NR_ioctl, 1, TCGETS, buffer));
    int copy = call3(__NR_fcntl, out, F_DUPFD, 40);
    SAY("dup", copy, call3(__NR_dup3, out, 50, O_CLOEXEC), call3(__NR_fcntl, 50, F_GETFD, 0), call3(__NR_lseek, copy, 2, SEEK_SET),
        call3(__NR_lseek, out, 0, SEEK_CUR), call3(__NR_fcntl, out, F_GETFL, 0) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
    SAY("close", call1(__NR_close, copy), call1(__NR_close, copy));
}

static void pipes(void)
{
    int ends[2], ready = 0;
    SAY("pipe2", call2(__NR_pipe2, ends, O_NONBLOCK), call3(__NR_read, ends[0], buffer, 9));
    struct pollfd looked[3] = {{ends[0], POLLIN, 77}, {ends[1], POLLOUT, 77}, {99, POLLIN, 77}};
    struct timespec second = {1, 5};
    SAY("ppoll", call4(__NR_ppoll, looked, 3, &second, 0), looked[0].revents, looked[1].revents, looked[2].revents);
    SAY("write", call3(__NR_write, ends[1], "abc", 3), call3(__NR_ioctl, ends[0], FIONREAD, &ready), ready);
    struct epoll_event event = {EPOLLIN, 0x1122334455667788}, there[2];
    int epoll = call1(__NR_epoll_create1, 0);
    SAY("epoll", call4(__NR_epoll_ctl, epoll, EPOLL_CTL_ADD, ends[0], &event),
        call6(__NR_epoll_pwait, epoll, there, 2, -1, 0, 8), there[0].events, there[0].data == event.data);
    word set[16] = {1ul << ends[0] | 1ul << ends[1]};
    SAY("pselect", call6(__NR_pselect6, 10, set, 0, 0, &second, 0), set[0] == 1ul << ends[0]);
    SAY("read", call3(__NR_read, ends[0], buffer, 9), buffer[2], call1(__NR_close, ends[1]), call3(__NR_read, ends[0], buffer, 9));
    int event_file = call2(__NR_eventfd2, 3, 0);
    word count = 4;
    SAY("eventfd", call3(__NR_write, event_file, &count, 8), call3(__NR_read, event_file, &count, 8), count);
}

static void memory(void)
{
    word old = call1(__NR_brk, 0), top = call1(__NR_brk, old + 0x300000);
    byte *heap = (byte *)old;
    heap[0x200000] = 7;
    SAY("brk", top - old, heap[0x200000], call1(__NR_brk, old) - old, call1(__NR_brk, top) - old, heap[0x200000]);
    byte *pages = (byte *)map(0, 0x5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    pages[0x1000] = 1, pages[0x2000] = 2, pages[0x4fff] = 4;
    SAY("munmap", call2(__NR_munmap, pages + 0x1000, 0x1000), pages[0x2000], call3(__NR_write, 1, pages + 0x1000, 1));
    SAY("fixed", map((word)pages + 0x1000, 0x2000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1) - (word)pages,
        pages[0x1000], pages[0x2000], pages[0x4fff]);
    /* Across what are three mappings by now. */
    memset(pages, 'x', 0x5000);
    int out = open_at("/tmp/across", O_CREAT | O_RDWR);
    SAY("across", call3(__NR_write, out, pages + 0x800, 0x4000), call3(__NR_madvise, pages, 0x5000, MADV_DONTNEED), pages[0x1800],
        call4(__NR_pread64, out, pages + 0x100, 0x4000, 0), pages[0x1800]);
    byte *none = (byte *)map(0, 1ul << 36, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    SAY("mprotect", call3(__NR_mprotect, none + 0x10000, 0x2000, PROT_READ | PROT_WRITE), none[0x11fff] = 9,
        call2(__NR_munmap, none, 1ul << 36));
    byte *small = (byte *)map(0, 0x1000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    small[5] = 55;
    byte *large = (byte *)call4(__NR_mremap, small, 0x1000, 0x9000, 1);
    SAY("mremap", large[5], large[0x8fff], map(0, 0x1000, PROT_WRITE, MAP_SHARED, out));
}

static void process(void)
{
    struct timespec before, after, wanted = {2, 500000000};
    call2(__NR_clock_gettime, 0, &before);
    call2(__NR_nanosleep, &wanted, 0);
    call2(__NR_clock_gettime, 0, &after);
    long slept = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
    SAY("clock", before.tv_sec, slept >= 2500 && slept < 2600);
    static int lock = 5;
    struct timespec soon = {0, 1};
    SAY("futex", call3(__NR_futex, &lock, FUTEX_WAKE, 1), call4(__NR_futex, &lock, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 4, 0),
        call4(__NR_futex, &lock, FUTEX_WAIT, 5, &soon));
    struct { void *handler; word flags; void *restorer; word mask; } action = {(void *)1, 0x10000000, 0, 0x42}, told = {0};
    call4(__NR_rt_sigaction, SIGUSR1, &action, 0, 8);
    SAY("sigaction", call4(__NR_rt_sigaction, SIGUSR1, 0, &told, 8), (long)told.handler, told.flags, told.mask,
        call4(__NR_rt_sigaction, SIGKILL, &action, 0, 8));
    word set = 1ul << (SIGTERM - 1), old = 9;
    SAY("sigprocmask", call4(__NR_rt_sigprocmask, SIG_BLOCK, &set, &old, 8), old, call2(__NR_kill, 0, SIGTERM),
        call2(__NR_rt_sigpending, &old, 8), old, call2(__NR_kill, 77, SIGTERM));
    stack_t stack = {page, 0, sizeof page}, was = {0};
    call2(__NR_sigaltstack, &stack, &was);
    SAY("sigaltstack", was.ss_flags, call2(__NR_sigaltstack, 0, &was), was.ss_sp == page, was.ss_flags, was.ss_size);
    struct sysinfo about;
    call1(__NR_sysinfo, &about);
    SAY("sysinfo", about.totalram, about.freeram, about.procs, about.mem_unit);
    word limits[2], cpus[16] = {0};
    SAY("prlimit", call4(__NR_prlimit64, 0, 7, 0, limits), limits[0], call3(__NR_sched_getaffinity, 0, sizeof cpus, cpus), cpus[0]);
    SAY("refused", call3(__NR_socket, 1, 1, 0), call4(__NR_wait4, -1, 0, 0, 0), call3(__NR_getrandom, buffer, 16, 0),
        call1(__NR_set_tid_address, 0), call0(__NR_getpid));
}

void start(word *stack)
{
    char **arguments = (char **)(stack + 1);
    const char *what = stack[0] > 1 ? arguments[1] : "";
    int ends[2];
    static int lock;
    if (same(what, "fork")) call5(__NR_clone, 17, 0, 0, 0, 0);
    if (same(what, "thread"))
#ifdef __s390x__
        call5(__NR_clone, page + 4096, 0x10f00, 0, 0, 0);
#else
        call5(__NR_clone, 0x10f00, page + 4096, 0, 0, 0);
#endif
    if (same(what, "execve")) call3(__NR_execve, "/bin/true", 0, 0);
    if (same(what, "futex")) call4(__NR_futex, &lock, FUTEX_WAIT, 0, 0);
    if (same(what, "pipe")) call2(__NR_pipe2, ends, 0), call3(__NR_read, ends[0], buffer, 1);
    if (same(what, "poll")) call4(__NR_ppoll, 0, 0, 0, 0);
    if (same(what, "abort")) call2(__NR_kill, 0, SIGABRT);
    if (same(what, "broken")) call2(__NR_pipe2, ends, 0), call1(__NR_close, ends[0]), call3(__NR_write, ends[1], "x", 1);
    if (same(what, "cat"))
        for (long got; (got = call3(__NR_read, 0, buffer, sizeof buffer)) > 0;) call3(__NR_write, 1, buffer, got);
    if (!*what) files(), pipes(), memory(), process();
    call1(__NR_exit_group, 7);
}
