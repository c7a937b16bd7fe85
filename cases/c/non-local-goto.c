/* __builtin_setjmp and __builtin_longjmp: several frames end at once, and the function that receives the jump goes on with its own frame. The
   compiler saves every register there, for none can be trusted afterwards. A compiler that has neither for its target returns the ordinary
   way. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 4;
volatile int jumped;
void *place[5];

#if defined(__clang__) && defined(__aarch64__)
#define LANDING() 0
#define JUMP() (jumped = 1)
#else
#define LANDING() __builtin_setjmp(place)
#define JUMP() (jumped = 1, __builtin_longjmp(place, 1))
#endif

KEEP int leaf(int a) { return a + 1; }

KEEP void thrower(int a)
{
    volatile int words[30];
    words[a] = leaf(a);
    if (words[a] == 5)
        JUMP();
}

KEEP int middle(int a)
{
    int x = leaf(a);
    thrower(a);
    return x + leaf(x);
}

KEEP int catcher(int a)
{
    volatile int sum = leaf(a);
    if (LANDING() == 0)
        sum += middle(a) + 20;
    if (jumped)
        sum = 40;
    return sum + leaf(sum);
}

int test(void) { return catcher(seed - 1) * 2 + catcher(seed); }
