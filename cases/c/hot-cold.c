/* Unlikely paths, which compilers move out of the function: into a part of its own with the frame already built, whose table begins in the
   middle of things. One part returns, one jumps back, one never comes back, one is reached before there is a frame. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

#define COLD __attribute__((cold))
#define unlikely(x) __builtin_expect(!!(x), 0)

volatile int seed = 6, errors;

KEEP int leaf(int a) { return a + 3; }
COLD KEEP int report(int a) { return errors = leaf(a); }
COLD KEEP int report_many(int a)
{
    int first = report(a);
    return first + report(errors);
}

KEEP int comes_back(int a)
{
    int x = leaf(a), y = leaf(x), z = leaf(y);
    if (unlikely(z > 100)) {
        report(x);
        y += report_many(y + z);
    }
    return x * y + leaf(z);
}

KEEP int returns(int a)
{
    int x = leaf(a);
    if (unlikely(x > 50)) {
        int y = report_many(x);
        return y + report(y) + x;
    }
    return leaf(x) * x;
}

KEEP int before_a_frame(int a)
{
    if (unlikely(a > 60))
        return report_many(a) * 2 + report(a + 1);
    return a + 1;
}

COLD KEEP int cold_throughout(int a) { return report(a) * 2 + returns(a); }

int test(void)
{
    int sum = cold_throughout(seed);
    for (int n = 0; n < 120; n += 30)
        sum += comes_back(n) + returns(n) + before_a_frame(n);
    return sum;
}
