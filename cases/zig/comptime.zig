//! Functions made at compile time, and a call through a table of them.
var seed: usize = 2;

fn scaled(comptime n: c_int) fn (c_int) c_int {
    return struct {
        fn call(a: c_int) c_int {
            var work: [n * 8]c_int = undefined;
            for (&work, 0..) |*item, i| item.* = a + @as(c_int, @intCast(i));
            return last(&work);
        }
    }.call;
}

noinline fn last(values: []const c_int) c_int {
    return values[values.len - 1];
}

const table = [_]*const fn (c_int) c_int{ scaled(1), scaled(2), scaled(16) };

export fn @"test"() c_int {
    const n = @as(*volatile usize, &seed).*;
    return table[n](5) + table[n - 1](3) + table[0](1);
}
