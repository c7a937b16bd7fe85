/* A function inside another reaches the outer one's variables through a static chain, which comes in a register of its own: GCC for AMD64
   then realigns the stack with r13 in place of r10. Where the compiler has no nested functions the chain is an argument. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 5;

KEEP int leaf(int a) { return a + 2; }

KEEP int touch(volatile char *bytes, int count)
{
    for (int n = 0; n < count; n += 16)
        bytes[n] = (char)n;
    return bytes[16];
}

#ifdef __clang__
struct outer { int sum, a; };

KEEP int inner(struct outer *chain, int b)
{
    chain->sum += leaf(b);
    return chain->sum + chain->a;
}

KEEP int inner_aligned(struct outer *chain, int b, int c, int d, int e, int f, int g, int h, int i)
{
    volatile char bytes[64] __attribute__((aligned(64)));
    return touch(bytes, 64) + chain->sum + leaf(b) + c - d + e - f + g - h + i;
}

KEEP int outer(int a)
{
    struct outer here;
    here.sum = 1;
    here.a = a;
    int first = inner(&here, a);
    int second = inner(&here, a + 1);
    return first + second + inner_aligned(&here, a, 2, 3, 4, 5, 6, 7, 8) + here.sum;
}
#else
KEEP int outer(int a)
{
    int sum = 1;
    KEEP int inner(int b)
    {
        sum += leaf(b);
        return sum + a;
    }
    KEEP int inner_aligned(int b, int c, int d, int e, int f, int g, int h, int i)
    {
        volatile char bytes[64] __attribute__((aligned(64)));
        return touch(bytes, 64) + sum + leaf(b) + c - d + e - f + g - h + i;
    }
    int first = inner(a);
    int second = inner(a + 1);
    return first + second + inner_aligned(a, 2, 3, 4, 5, 6, 7, 8) + sum;
}
#endif

int test(void) { return outer(seed); }
