// A nested function and a delegate, which keep the frame of their host alive or reach it through a context.
module nested;

import core.volatile : volatileLoad;

__gshared uint three = 3;

int seed() { return cast(int) volatileLoad(&three); }

pragma(inline, false) int apply(scope int delegate(int) f, int a) { return f(a) + f(a + 1); }

extern (C) int test()
{
    int total = 1;
    pragma(inline, false) int add(int n)
    {
        int deeper(int m) { return m * 2 + total; }
        total += n;
        return deeper(n);
    }
    return apply(&add, seed()) + add(4) + total;
}
