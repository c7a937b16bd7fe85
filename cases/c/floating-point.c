/* Floating point values that live across calls: AArch64 saves d8 to d15 and s390x f8 to f15 beside the general registers; AMD64 has no such
   register and spills them. On s390x the low half of the frame then begins with floating point slots. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile double seed = 1.5;
volatile int whole = 4;

KEEP double leaf(double a) { return a + 0.5; }
KEEP int whole_leaf(int a) { return a + 1; }

KEEP double all_live(double a, double b, double c, double d)
{
    double p = leaf(a), q = leaf(b), r = leaf(c), s = leaf(d), t = leaf(p), u = leaf(q), v = leaf(r), w = leaf(s);
    return leaf(p) * q + r * leaf(s) + t * u - v * leaf(w) + a * b + c * d;
}

KEEP double mixed(double a, int n)
{
    double sum = a;
    for (int i = 0; i < n; i++)
        sum = sum * a + whole_leaf(i) + leaf(sum);
    return sum;
}

/* More arguments than registers, of both kinds. */
KEEP double many(double a, int i, double b, int j, double c, int k, double d, int l, double e, double f, double g, double h, double m)
{
    return leaf(a) + b * c + d * e + f * g - leaf(h) + m + whole_leaf(i) * j - k * l;
}

int test(void)
{
    double x = seed;
    return (int)(all_live(x, 2, 3, 4) + mixed(x, whole) + many(x, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9)) + 300;
}
