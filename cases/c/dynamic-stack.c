/* The stack pointer moves while the function runs: alloca, alloca in one branch only, and arrays of variable length made and given back in
   a loop. The CFA must come from the frame pointer. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 40;

KEEP int touch(volatile char *bytes, int count)
{
    for (int n = 0; n < count; n += 16)
        bytes[n] = (char)n;
    bytes[count - 1] = 5;
    return bytes[count - 1] + bytes[0];
}

KEEP int once(int size) { return touch(__builtin_alloca(size), size) + 1; }

KEEP int sometimes(int size)
{
    int sum = size;
    if (size > 20)
        sum += touch(__builtin_alloca(size), size);
    volatile char few[4];
    return sum + touch(few, 4);
}

KEEP int in_a_loop(int size)
{
    int sum = 0;
    for (int n = 1; n < 5; n++) {
        volatile char bytes[size * n];
        sum += touch(bytes, size * n);
    }
    return sum;
}

/* With seven or more arguments some lie in the caller's frame, and are read through the frame pointer. */
KEEP int with_arguments(int size, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    int sum = touch(__builtin_alloca(size), size);
    return sum + b + c + d + e + f + touch(__builtin_alloca(size + g), size + g) + h + i * j;
}

int test(void)
{
    return once(seed) + sometimes(seed) + sometimes(seed - 30) + in_a_loop(seed)
        + with_arguments(seed, 1, 2, 3, 4, 5, 6, 7, 8, 9);
}
