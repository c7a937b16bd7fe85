/* Calls as the last act of a function, which optimising compilers turn into jumps with the frame already gone: direct, through a pointer,
   after using a frame, with stack arguments of the same size, and between two functions that jump to and fro. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 7;

KEEP int leaf(int a) { return a * 5 + 2; }
KEEP int direct(int a) { return leaf(a + 1); }
KEEP int after_a_call(int a)
{
    int sum = leaf(a) + leaf(a + 1);
    return direct(sum);
}

static int (*volatile target)(int) = after_a_call;
KEEP int indirect(int a)
{
    int sum = leaf(a);
    return target(sum);
}

KEEP int with_stack(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    return leaf(a + b - c + d - e + f - g + h - i + j);
}
KEEP int same_stack(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    int first = leaf(a);
    return with_stack(j, i, h, g, f, e, d, c, b, first);
}

KEEP int ping(int count, int sum);
KEEP int pong(int count, int sum)
{
    volatile int words[12];
    words[count] = sum;
    return ping(count - 1, words[count] + 1);
}
KEEP int ping(int count, int sum) { return count <= 0 ? leaf(sum) : pong(count, sum + 1); }

/* One branch calls as a sibling, the other returns. */
KEEP int either(int a)
{
    if (a & 1)
        return after_a_call(a);
    return leaf(a) + leaf(a + 2);
}

int test(void)
{
    return indirect(seed) + same_stack(seed, 1, 2, 3, 4, 5, 6, 7, 8, 9) + ping(seed, 1) + either(seed) + either(seed + 1);
}
