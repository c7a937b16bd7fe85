; A function of a convention that preserves nearly all registers, with a slow path in which it calls.

define i32 @slow(i32 %x) noinline uwtable {
  %y = mul i32 %x, 3
  ret i32 %y
}

define preserve_mostcc i32 @most(i32 %x) noinline uwtable {
  %small = icmp slt i32 %x, 4
  br i1 %small, label %fast, label %calls
fast:
  ret i32 %x
calls:
  %y = call i32 @slow(i32 %x)
  %z = add i32 %y, 1
  ret i32 %z
}

define i32 @test() uwtable {
  %a = call preserve_mostcc i32 @most(i32 3)
  %b = call preserve_mostcc i32 @most(i32 9)
  %sum = add i32 %a, %b
  ret i32 %sum
}
