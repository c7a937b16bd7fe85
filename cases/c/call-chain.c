/* Six functions, each calling the next; the innermost has no frame. Nothing but calls and returns. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 3;

KEEP int leaf(int a) { return a * 3 + 1; }
KEEP int fifth(int a) { return leaf(a) + leaf(a + 1); }
KEEP int fourth(int a) { return fifth(a) + 1; }
KEEP int third(int a) { return fourth(a) + fourth(a ^ 1); }
KEEP int second(int a) { return third(a) + seed; }
KEEP int first(int a) { return second(a) - second(seed); }

int test(void) { return first(seed + 4); }
