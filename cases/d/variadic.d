// Typed variadic functions, and structs by value in registers and on the stack.
module variadic;

import core.volatile : volatileLoad;

__gshared uint three = 3;

int seed() { return cast(int) volatileLoad(&three); }

struct Large { int[12] values; }

pragma(inline, false) int sum(int[] values...)
{
    int result;
    foreach (value; values) result += value;
    return result;
}

pragma(inline, false) int taken(Large large, int a, int b, int c, int d, int e, int f, int g)
{
    return large.values[3] + large.values[11] + a + b + c + d + e + f + g;
}

extern (C) int test()
{
    Large large;
    large.values[3] = seed();
    large.values[11] = 4;
    return sum(seed(), 2, 3, 4) + taken(large, 1, 2, 3, 4, 5, 6, seed());
}
