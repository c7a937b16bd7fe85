__attribute__((noinline)) long next(long a)
{
    static volatile long number;
    return a + number++;
}

__attribute__((noinline)) long ten(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
    return a + b + c + d + e + f + g + h + i + j;
}

__attribute__((noinline)) long five(long a, long b, long c, long d, long e)
{
    return a + b + c + d + e;
}

__attribute__((noinline)) long pushes(long a, long b, long c, long d, long e, long f)
{
    long x = next(a);
    x += ten(x, c ? 8 : 18, e ? 9 : 15, d ? 7 : 14, c ? 8 : 14, c, f, b, d ? d : 2, 5);
    next(x);
    return x + five(e, d, b, c, f);
}

int test(void)
{
    return (int)pushes(1, 2, 3, 4, 5, 6) & 127;
}
