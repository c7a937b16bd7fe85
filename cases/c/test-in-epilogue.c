/* Two tail calls after one test: their epilogues begin alike, so that a compiler may begin them before the test. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile long seed = 6;

KEEP long never(long x) { return x & (seed - 6); }

KEEP long nor_now(long x, long y) { return (x ^ y) & (seed - 6); }

KEEP long once(long x, long y) { return x + y; }

KEEP long twice(long x, long y) { return x + 2 * y; }

KEEP long thrice(long x, long y) { return x + 3 * y; }

KEEP long test_between(const long *a, long b)
{
    long x = *a;
    if (never(b))
        return once(x, b);
    if (nor_now(b, 0))
        return twice(x, b);
    return thrice(x, b);
}

int test(void)
{
    long x = seed - 1;
    return (int)test_between(&x, seed + 1);
}
