/* Frames with a frame pointer that are larger than one load of two registers can step over (504 bytes on AArch64): the epilogue
   loads FP first and raises SP afterwards. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 6;

KEEP int leaf(char *p, const void *q)
{
    *p = 1;
    return q != 0;
}

KEEP int framed_1000(int a)
{
    char room[1000];
    return leaf(room, __builtin_frame_address(0)) + room[0] + a;
}

KEEP int framed_40(int a)
{
    char room[40];
    return leaf(room, __builtin_frame_address(0)) + room[0] + a;
}

int test(void) { return framed_1000(seed) + framed_40(seed); }
