/* __builtin_setjmp and __builtin_longjmp: several frames end at once, and the function that receives the jump goes on with its own frame. The
   compiler saves every register there, for none can be trusted afterwards. */
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
/* The same by hand: clang has neither builtin there. */
#define LANDING()                                                                                  \
    ({                                                                                             \
        __label__ landed;                                                                          \
        int is_back = 0;                                                                           \
        __asm__ goto("adrp x9, place\n\tadd x9, x9, :lo12:place\n\tadr x10, %l[landed]\n\t"        \
                     "mov x11, sp\n\tstp x29, x10, [x9]\n\tstr x11, [x9, #16]"                     \
                     : : : EACH, "memory", "cc" : landed);                                         \
        if (0) {                                                                                   \
        landed:                                                                                    \
            is_back = 1;                                                                           \
        }                                                                                          \
        is_back;                                                                                   \
    })
#define EACH                                                                                       \
    "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", \
        "x15", "x16", "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30"
#define JUMP()                                                                                     \
    (jumped = 1, ({                                                                                \
         __asm__ volatile("adrp x9, place\n\tadd x9, x9, :lo12:place\n\tldr x11, [x9, #16]\n\t"     \
                          "mov sp, x11\n\tldp x29, x10, [x9]\n\tbr x10" : : : "memory");           \
     }))
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
