__attribute__((noinline)) long never(volatile long *p) { return *p; }
__attribute__((noinline)) long once(long x, volatile long *p) { return x + *p; }
__attribute__((noinline)) long twice(long x, volatile long *p) { return x - *p; }

__attribute__((noinline)) long test_between(volatile long *p)
{
    long x = *p;
    if (never(p))
        return once(x, p);
    return twice(x, p);
}

int test(void)
{
    volatile long zero = 0;
    return test_between(&zero);
}
