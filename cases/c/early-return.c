/* Paths without a frame in functions that have one: the prologue is delayed past a test, split, or one register is saved only where it is
   used (shrink-wrapping), and several epilogues follow one another. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 8;

KEEP int leaf(int a) { return a - 2; }

KEEP int before_any_frame(int a, const int *b)
{
    if (!b)
        return a;
    int x = leaf(*b), y = leaf(x);
    return x + y * leaf(a);
}

KEEP int many_ways_out(int a)
{
    int x = leaf(a);
    if (x < 0)
        return x;
    int y = leaf(x);
    if (y < 0)
        return x + y;
    int z = leaf(y);
    if (z < 0)
        return x + y - z;
    return x * y + leaf(z) * z;
}

/* Only the slow path has values to keep across calls. */
KEEP int slow_path(int a, int b, int c)
{
    int x = a + b;
    if (x > 10) {
        int p = leaf(a), q = leaf(b), r = leaf(c);
        x += p * q + r + leaf(p) * leaf(q) + leaf(r);
    }
    return x + c;
}

KEEP int loop_inside(int a)
{
    if (a < 3)
        return leaf(a);
    int sum = 0;
    for (int n = 0; n < a; n++) {
        if (sum > 30)
            return sum;
        sum += leaf(n) * leaf(sum);
    }
    return sum;
}

int test(void)
{
    int value = seed, sum = before_any_frame(value, 0) + before_any_frame(value, &value);
    for (int n = 0; n < 8; n++)
        sum += many_ways_out(n) + slow_path(n, n + 1, n + 2) + loop_inside(n);
    return sum;
}
