; Two functions call one another by calls that must be tail calls, one of them after an ordinary call.

define i32 @odd(i32 %n, i64 %a, i64 %b, i64 %c, i32 %sum) noinline uwtable {
  %last = icmp eq i32 %n, 0
  br i1 %last, label %end, label %more
more:
  %low = trunc i64 %c to i32
  %new = add i32 %sum, %low
  %less = sub i32 %n, 1
  %result = musttail call i32 @even(i32 %less, i64 %a, i64 %b, i64 0, i32 %new)
  ret i32 %result
end:
  ret i32 %sum
}

define i32 @even(i32 %n, i64 %a, i64 %b, i64 %c, i32 %sum) noinline uwtable {
  %last = icmp eq i32 %n, 0
  br i1 %last, label %end, label %more
more:
  %less = sub i32 %n, 1
  %wide = zext i32 %n to i64
  %kept = call i32 @kept(i32 %sum)
  %result = musttail call i32 @odd(i32 %less, i64 %a, i64 %b, i64 %wide, i32 %kept)
  ret i32 %result
end:
  ret i32 %sum
}

define i32 @kept(i32 %x) noinline uwtable {
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @test() uwtable {
  %result = call i32 @even(i32 6, i64 7, i64 8, i64 0, i32 3)
  ret i32 %result
}
