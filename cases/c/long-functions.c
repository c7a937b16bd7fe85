/* Functions of more than 256 and of more than 65,536 bytes: row starts of two and of four bytes. Both move the stack near their ends too. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 1;
volatile unsigned long cell;

/* Constants that have nothing in common, so that each store takes 12 bytes or more on every machine; and a branch after each 64, for
   compilers are slow where thousands of statements are one block. */
#define STORE(n) cell = (n) * 0x9e3779b97f4a7c15;
#define STORE_4(n) STORE(n) STORE((n) + 5000) STORE((n) + 10000) STORE((n) + 15000)
#define STORE_16(n) STORE_4(n) STORE_4((n) + 1) STORE_4((n) + 2) STORE_4((n) + 3)
#define STORE_64(n) STORE_16(n) STORE_16((n) + 4) STORE_16((n) + 8) STORE_16((n) + 12) if (seed == 77) return 3;
#define STORE_256(n) STORE_64(n) STORE_64((n) + 16) STORE_64((n) + 32) STORE_64((n) + 48)
#define STORE_1024(n) STORE_256(n) STORE_256((n) + 64) STORE_256((n) + 128) STORE_256((n) + 192)
#define STORE_4096(n) STORE_1024(n) STORE_1024((n) + 256) STORE_1024((n) + 512) STORE_1024((n) + 768)

KEEP int leaf(int a) { return a + (int)(cell & 15); }

KEEP int above_256(int a)
{
    if (a == 0)
        return 1;
    int sum = leaf(a);
    STORE_64(100)
    sum += leaf(sum);
    if (sum == 12)
        return 2;
    return sum + leaf(a) + leaf(sum);
}

KEEP int above_65536(int a)
{
    if (a == 0)
        return 1;
    int sum = leaf(a);
    STORE_4096(1)
    STORE_1024(30001)
    STORE_1024(60001)
    sum += leaf(sum);
    if (sum == 12)
        return 2;
    return sum + leaf(a) + leaf(sum);
}

int test(void)
{
    return above_256(seed) + above_256(seed - 1) + above_65536(seed) + above_65536(seed - 1);
}
