//! Tagged unions, optionals and slices, passed by value and returned in memory.
var seed: c_int = 3;

const Shape = union(enum) { none, square: c_int, box: struct { w: c_int, h: c_int, d: [6]c_int } };

noinline fn area(shape: Shape) ?c_int {
    return switch (shape) {
        .none => null,
        .square => |side| side * side,
        .box => |box| box.w * box.h + box.d[5],
    };
}

noinline fn made(n: c_int) Shape {
    if (n == 0) return .none;
    if (n < 3) return .{ .square = n };
    return .{ .box = .{ .w = n, .h = 2, .d = @splat(n) } };
}

noinline fn sum(shapes: []const Shape) c_int {
    var total: c_int = 0;
    for (shapes) |shape| total += area(shape) orelse 1;
    return total;
}

export fn @"test"() c_int {
    const n = @as(*volatile c_int, &seed).*;
    const shapes = [_]Shape{ made(0), made(n - 1), made(n) };
    return sum(&shapes) + sum(shapes[1..2]);
}
