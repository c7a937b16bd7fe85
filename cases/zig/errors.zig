//! Error unions, errdefer and defer at each way out.
var seed: c_int = 3;
var count: c_int = 10;

fn get() c_int {
    return @as(*volatile c_int, &seed).*;
}

noinline fn step(n: c_int) error{ Odd, Large }!c_int {
    count += 1;
    errdefer count += n;
    if (n > 6) return error.Large;
    if (@rem(n, 2) == 1) return error.Odd;
    return n;
}

noinline fn steps(n: c_int) !c_int {
    defer count -= 3;
    var i: c_int = 0;
    var sum: c_int = 0;
    while (i < n) : (i += 1) {
        sum += step(i) catch |err| switch (err) {
            error.Odd => 2,
            error.Large => return err,
        };
    }
    return sum;
}

export fn @"test"() c_int {
    return (steps(get()) catch 1) + (steps(get() * 4) catch 7) + count;
}
