/* Functions of a variable number of arguments: the register arguments are spilled into a save area in the prologue, further ones are read
   from the caller's frame. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

volatile int seed = 4;

KEEP int leaf(int a) { return a ^ 1; }

KEEP int total(int count, ...)
{
    __builtin_va_list list;
    int sum = 0;
    __builtin_va_start(list, count);
    while (count-- > 0)
        sum += leaf(__builtin_va_arg(list, int));
    __builtin_va_end(list);
    return sum;
}

/* The list itself is handed on. */
KEEP int from_list(int count, __builtin_va_list list)
{
    int product = 1;
    while (count-- > 0)
        product *= leaf(__builtin_va_arg(list, int));
    return product;
}

KEEP int multiplied(int count, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, count);
    int product = from_list(count, list);
    __builtin_va_end(list);
    return product;
}

int test(void)
{
    int s = seed;
    return total(3, s, s + 1, s + 2) + total(10, 1, 2, 3, 4, 5, 6, s, 8, 9, 10) + multiplied(9, 3, 1, 3, 1, 3, 1, 1, 1, s);
}
