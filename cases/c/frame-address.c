/* Functions that ask for their own frame or return address, which makes the compiler set up a frame pointer, or read the return address
   where it was saved, whatever the options say. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 11;

KEEP int leaf(const void *p) { return p != 0; }

KEEP int own_frame(int a) { return leaf(__builtin_frame_address(0)) + a; }

KEEP int return_address(int a)
{
    int sum = leaf(&a);
    return sum + leaf(__builtin_return_address(0)) + a;
}

/* A leaf: on the machines with a link register nothing is saved. */
KEEP const void *return_address_leaf(void) { return __builtin_return_address(0); }

KEEP int both(int a)
{
    volatile char *bytes = __builtin_alloca(a);
    bytes[0] = 1;
    return leaf(__builtin_frame_address(0)) + leaf(__builtin_return_address(0)) + bytes[0];
}

int test(void) { return own_frame(seed) + return_address(seed) + leaf(return_address_leaf()) + both(seed); }
