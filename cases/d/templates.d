// Functions made at compile time, lazy arguments, and a tail call between instances.
module templates;

import core.volatile : volatileLoad;

__gshared uint three = 3;

int seed() { return cast(int) volatileLoad(&three); }

pragma(inline, false) int down(int n)(int a)
{
    static if (n == 0) return a * seed();
    else return down!(n - 1)(a + n);
}

pragma(inline, false) int first(lazy int a, lazy int b) { return seed() > 1 ? a + 1 : b; }

extern (C) int test() { return down!5(seed()) + first(down!2(1), down!3(1)); }
