//! Locals with more alignment than the stack has, in a leaf and in a function that calls.
var seed: c_int = 3;

noinline fn first(values: []align(64) c_int) c_int {
    values[0] += 1;
    return values[0] + @as(c_int, @intCast(@intFromPtr(values.ptr) % 64));
}

noinline fn aligned(n: c_int) c_int {
    var values: [8]c_int align(64) = @splat(n);
    return first(&values) + values[7];
}

export fn @"test"() c_int {
    return aligned(@as(*volatile c_int, &seed).*) + aligned(9);
}
