/* A function that calls itself, twice too, and two that call each other; each frame holds a link that the innermost one follows back, so
   that no compiler can turn the recursion into a loop. */
/* KEEP: a function of its own at every level of optimisation, called as written. */
#ifdef __clang__
#define KEEP __attribute__((noinline))
#else
#define KEEP __attribute__((noipa))
#endif

struct link { struct link *up; int value; };

volatile int seed = 12;

KEEP int follow(struct link *at)
{
    int sum = 0;
    for (; at; at = at->up)
        sum += at->value;
    return sum;
}

KEEP int itself(struct link *up, int depth)
{
    struct link here;
    here.up = up;
    here.value = depth;
    if (depth == 0)
        return follow(&here);
    return itself(&here, depth - 1) + here.value;
}

KEEP int odd(struct link *up, int depth);

KEEP int even(struct link *up, int depth)
{
    struct link here;
    here.up = up;
    here.value = depth;
    return depth == 0 ? follow(&here) : odd(&here, depth - 1) + 1;
}

KEEP int odd(struct link *up, int depth)
{
    struct link here;
    volatile int wide[20];
    here.up = up;
    here.value = -depth;
    wide[depth] = depth;
    return depth == 0 ? 0 : even(&here, depth - 1) + wide[depth];
}

KEEP int twice(int depth)
{
    volatile int kept = depth;
    return depth < 2 ? kept : twice(depth - 1) + twice(depth - 2) + kept;
}

int test(void) { return itself(0, seed) + even(0, seed) + twice(seed / 2); }
