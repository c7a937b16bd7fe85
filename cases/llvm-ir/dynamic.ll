; Space of a size that is not known, released by llvm.stackrestore, in a frame whose alignment is larger than the stack's.

declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

define i32 @fill(ptr %p, i32 %n) noinline uwtable {
  store volatile i32 %n, ptr %p
  %got = load volatile i32, ptr %p
  ret i32 %got
}

define i32 @grow(i32 %n) noinline uwtable {
entry:
  %aligned = alloca [16 x i32], align 64
  store volatile i32 %n, ptr %aligned
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %saved = call ptr @llvm.stacksave.p0()
  %words = mul i32 %i, 24
  %space = alloca i32, i32 %words, align 4
  %got = call i32 @fill(ptr %space, i32 %i)
  %more = add i32 %sum, %got
  call void @llvm.stackrestore.p0(ptr %saved)
  %next = add i32 %i, 1
  %again = icmp sle i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %place = ptrtoint ptr %aligned to i64
  %low = and i64 %place, 63
  %off = trunc i64 %low to i32
  %result = add i32 %more, %off
  ret i32 %result
}

define i32 @test() uwtable {
  %result = call i32 @grow(i32 4)
  ret i32 %result
}
