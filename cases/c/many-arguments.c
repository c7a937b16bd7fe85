/* Arguments that do not fit the registers: the caller makes room for them below its frame, or pushes them and moves SP between two rows.
   Structures travel by value on the stack, by hidden pointer, and come back through a hidden pointer. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

struct wide { long at[3]; };

volatile int seed = 2;

KEEP int leaf(int a) { return a + 1; }

KEEP int twelve(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l)
{
    return leaf(a) + b * c - d + e * f - g + h * i - j + k * leaf(l);
}

KEEP int by_value(struct wide w, int a, int b, int c, int d, int e, int f, int g, struct wide v)
{
    return (int)(w.at[0] + v.at[2]) + a - b + c - d + e - f + leaf(g);
}

KEEP struct wide made(int a)
{
    struct wide w;
    for (int n = 0; n < 3; n++)
        w.at[n] = leaf(a + n);
    return w;
}

/* Several calls with stack arguments in one expression: the arguments of one wait while the next is called. */
KEEP int nested_calls(int a)
{
    return twelve(a, leaf(a), 2, 3, 4, 5, 6, 7, 8, 9, 10, twelve(1, 2, 3, a, 5, 6, 7, 8, 9, leaf(a), 11, 12));
}

int test(void)
{
    struct wide w = made(seed);
    return nested_calls(seed) + by_value(w, 1, 2, 3, 4, 5, 6, 7, made(seed + 1));
}
