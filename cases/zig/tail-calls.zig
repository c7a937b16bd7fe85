//! Calls that must be tail calls, between two functions.
var seed: c_int = 3;

noinline fn even(n: c_int, sum: c_int) c_int {
    if (n == 0) return sum;
    return @call(.always_tail, odd, .{ n - 1, sum * 2 });
}

noinline fn odd(n: c_int, sum: c_int) c_int {
    if (n == 0) return sum + 1;
    return @call(.always_tail, even, .{ n - 1, sum + n });
}

export fn @"test"() c_int {
    const n = @as(*volatile c_int, &seed).*;
    return even(n + 4, 1) + odd(n, 2);
}
