/* Calls with more arguments than there are registers for: they are pushed, and the CFA moves with each. Values that are chosen on the way and
   needed behind the call make a compiler copy registers in between. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile long seed = 6;

KEEP long passes_on(long a) { return a + seed; }

KEEP long ten(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

KEEP long five(long a, long b, long c, long d, long e) { return a + 2 * b + 3 * c + 4 * d + 5 * e; }

KEEP long pushes(long a, long b, long c, long d, long e, long f)
{
    long x = passes_on(a);
    x += ten(x, c ? 8 : 18, e ? 9 : 15, d ? 7 : 14, c ? 8 : 14, c, f, b, d ? d : 2, 5);
    passes_on(x);
    return x + five(e, d, b, c, f);
}

int test(void) { return (int)(pushes(seed, 1, 2, 0, 4, seed) & 127); }
