/* Other calling conventions in the same program. AMD64: functions of the Microsoft ABI save xmm6 to xmm15 and leave 32 bytes for their callee;
   AArch64: functions of the vector ABI save the whole of q8 to q23. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

#if defined(__x86_64__)
#define OTHER __attribute__((ms_abi))
#else
#define OTHER __attribute__((aarch64_vector_pcs))
#endif

volatile int seed = 6;

KEEP int leaf(int a) { return a + 4; }
OTHER KEEP int other_leaf(int a, int b, int c, int d, int e, int f) { return a + b - c + d - e + f; }
OTHER KEEP int other(int a, int b) { return leaf(a) + other_leaf(a, b, 3, 4, 5, 6); }
KEEP int and_back(int a) { return other(a, leaf(a)) + leaf(a); }

int test(void) { return and_back(seed); }
