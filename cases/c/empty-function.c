/* A function that cannot be reached has no instruction, and so the next one begins at the same address. Optimising compilers leave the label
   and its call frame information. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 1;

KEEP int leaf(int a) { return a + 1; }
KEEP void unreachable_function(void) { __builtin_unreachable(); }
KEEP int behind(int a) { return leaf(a) + leaf(a + 1); }

int test(void) { return behind(seed); }
