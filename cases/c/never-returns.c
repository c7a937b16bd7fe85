/* Functions that end in a call that never returns: the return address is the first byte after the function, and belongs to another one. The
   program leaves through the innermost of them. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

#define NORETURN __attribute__((noreturn))

volatile int seed = 42;

KEEP int leaf(int a) { return a / 2; }

NORETURN KEEP void leave(int status)
{
#if defined(__x86_64__)
    __asm__ volatile("syscall" : : "a"(60), "D"(status) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long number __asm__("x8") = 93;
    register long first __asm__("x0") = status;
    __asm__ volatile("svc #0" : : "r"(number), "r"(first) : "memory");
#else
    register long first __asm__("2") = status;
    __asm__ volatile("svc 1" : : "r"(first) : "memory");
#endif
    for (;;)
        ;
}

NORETURN KEEP void give_up(int status)
{
    int kept = leaf(status);
    if (kept > 1000)
        leave(1);
    leave(leaf(status) + leaf(kept));
}

NORETURN KEEP void give_up_with_a_frame(int status)
{
    volatile int words[100];
    words[status] = leaf(status);
    give_up(words[status] + leaf(words[status]));
}

KEEP int sometimes(int a)
{
    if (__builtin_expect(a == 42, 0))
        give_up_with_a_frame(a);
    return leaf(a) + 1;
}

int test(void) { return sometimes(seed - 1) + sometimes(seed); }
