/* Frames of 200, 4,000, 40,000 and 200,000 bytes: offsets of one, two and four bytes in the rows, and on the machines with short immediates
   a prologue that lowers SP in several steps. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 9;

KEEP int touch(volatile char *bytes, int count)
{
    int step = count / 8;
    for (int n = 0; n < count; n += step)
        bytes[n] = (char)seed;
    return bytes[0] + bytes[step];
}

KEEP int frame_200(int a)
{
    volatile char bytes[200];
    return touch(bytes, 200) + a;
}

KEEP int frame_4000(int a)
{
    volatile char bytes[4000];
    return touch(bytes, 4000) + frame_200(a);
}

KEEP int frame_40000(int a)
{
    volatile char bytes[40000];
    int sum = touch(bytes, 40000);
    return sum + frame_4000(a) + touch(bytes, 4000);
}

KEEP int frame_200000(int a)
{
    volatile char bytes[200000];
    return touch(bytes, 200000) + frame_40000(a) + bytes[25000];
}

/* No call: on AMD64 the first 128 bytes lie below SP, in the red zone. */
KEEP int leaf_frame(int a)
{
    volatile char bytes[300];
    bytes[a] = (char)a;
    bytes[299] = (char)seed;
    return bytes[a] + bytes[299];
}

KEEP int red_zone(int a)
{
    volatile int words[8];
    for (int n = 0; n < 8; n++)
        words[n] = a + n;
    return words[a & 7] + words[7];
}

int test(void) { return frame_200000(seed) + leaf_frame(seed) + red_zone(seed); }
