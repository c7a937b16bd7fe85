/* Locals aligned more strictly than the stack: SP is rounded down in the prologue, so the distance to the CFA is known only at run time.
   GCC for AMD64 keeps the CFA in r10, and then in memory below the frame pointer, when arguments lie on the stack or SP moves later on. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 6;

KEEP int touch(volatile char *bytes, int count)
{
    for (int n = 0; n < count; n += 16)
        bytes[n] = (char)n;
    return (int)((unsigned long)bytes % 64) + bytes[16];
}

KEEP int aligned(int a)
{
    volatile char bytes[192] __attribute__((aligned(64)));
    return touch(bytes, 192) + a;
}

KEEP int aligned_page(int a)
{
    volatile char bytes[64] __attribute__((aligned(4096)));
    return touch(bytes, 64) + touch(bytes, 64) + a;
}

KEEP int aligned_and_dynamic(int a)
{
    volatile char bytes[128] __attribute__((aligned(128)));
    int sum = touch(bytes, 128);
    volatile char *more = __builtin_alloca(a * 16);
    more[0] = 1;
    return sum + touch(bytes, 128) + more[0];
}

KEEP int aligned_with_arguments(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    volatile char bytes[64] __attribute__((aligned(64)));
    int sum = touch(bytes, 64) + a + b + c;
    return sum + touch(bytes, 64) + d + e + f + g * h + i + j;
}

/* An early return before anything is aligned. */
KEEP int aligned_late(int a)
{
    if (a < 4)
        return a;
    volatile char bytes[64] __attribute__((aligned(64)));
    return touch(bytes, 64) + aligned_late(a - 4);
}

int test(void)
{
    return aligned(seed) + aligned_page(seed) + aligned_and_dynamic(seed)
        + aligned_with_arguments(seed, 1, 2, 3, 4, 5, 6, 7, 8, 9) + aligned_late(seed + 3);
}
