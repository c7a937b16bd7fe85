// scope(exit) and destructors of structs at each way out of a loop.
module guards;

import core.volatile : volatileLoad;

__gshared uint three = 3;

int seed() { return cast(int) volatileLoad(&three); }
__gshared int count = 10;

struct Guard
{
    int step;
    ~this() { count -= step; }
}

pragma(inline, false) int guarded(int n)
{
    scope (exit) count += 2;
    foreach (i; 0 .. n)
    {
        auto guard = Guard(i);
        if (i == seed()) return count;
        if (i & 1) continue;
        count += 5;
    }
    return count * 2;
}

extern (C) int test() { return guarded(seed() + 2) + guarded(2) + count; }
