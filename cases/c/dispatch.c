/* Control that goes by address: a table of functions, a switch with a jump table, and computed gotos. Every target is an entry of its own for
   branch target identification, inside a frame that is already built. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 5;

KEEP int plus(int a) { return a + 11; }
KEEP int minus(int a) { return a - 3; }
KEEP int times(int a) { return plus(a) * 2; }
KEEP int halves(int a) { return minus(a) / 2; }

static int (*const table[4])(int) = {plus, minus, times, halves};

KEEP int by_table(int count)
{
    int sum = 0;
    for (int n = 0; n < count; n++)
        sum = table[n & 3](sum + n);
    return sum;
}

KEEP int by_switch(int which, int a)
{
    switch (which) {
    case 0: return plus(a);
    case 1: return minus(a) + plus(a);
    case 2: a = times(a); break;
    case 3: a = plus(a) - a; break;
    case 4: return a;
    case 5: a = halves(a); /* fall through */
    case 6: a = halves(a) + 3; break;
    case 7: return times(a + 1) + minus(a);
    case 8: a += plus(a) * times(a); break;
    default: return 0;
    }
    return plus(a) + a;
}

KEEP int by_goto(const unsigned char *code)
{
    static void *const label[] = {&&stop, &&add, &&twice, &&less};
    int sum = 1;
    goto *label[*code++];
add:
    sum = plus(sum);
    goto *label[*code++];
twice:
    sum = times(sum);
    goto *label[*code++];
less:
    sum = minus(sum);
    goto *label[*code++];
stop:
    return sum;
}

static const unsigned char code[] = {1, 2, 3, 3, 1, 2, 0};

int test(void)
{
    int sum = by_table(seed + 3) + by_goto(code);
    for (int n = 0; n < 10; n++)
        sum += by_switch(n, seed);
    return sum;
}
