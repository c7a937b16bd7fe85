/* Functions of more than 256 and of more than 65,536 bytes: row starts of two and of four bytes. Both move the stack near their ends too. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int cell, seed = 1;

#define STORE(n) cell = (n);
#define STORE_4(n) STORE(n) STORE((n) + 1000) STORE((n) + 2000) STORE((n) + 3000)
#define STORE_16(n) STORE_4(n) STORE_4((n) + 1) STORE_4((n) + 2) STORE_4((n) + 3)
#define STORE_64(n) STORE_16(n) STORE_16((n) + 4) STORE_16((n) + 8) STORE_16((n) + 12)
#define STORE_256(n) STORE_64(n) STORE_64((n) + 16) STORE_64((n) + 32) STORE_64((n) + 48)
#define STORE_1024(n) STORE_256(n) STORE_256((n) + 64) STORE_256((n) + 128) STORE_256((n) + 192)
#define STORE_4096(n) STORE_1024(n) STORE_1024((n) + 256) STORE_1024((n) + 512) STORE_1024((n) + 768)

KEEP int leaf(int a) { return a + cell; }

KEEP int three_hundred(int a)
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

KEEP int sixty_six_thousand(int a)
{
    if (a == 0)
        return 1;
    int sum = leaf(a);
    STORE_4096(0)
    STORE_4096(8000)
    STORE_1024(16000)
    sum += leaf(sum);
    if (sum == 12)
        return 2;
    return sum + leaf(a) + leaf(sum);
}

int test(void)
{
    return three_hundred(seed) + three_hundred(seed - 1) + sixty_six_thousand(seed) + sixty_six_thousand(seed - 1);
}
