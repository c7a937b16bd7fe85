# Executed code shows the place of each register that a call preserves, floating-point ones included:
# the lower halves of v8 to v15.
# check: execute
# link:
#
# case: right
# with x19: -32
# with x20: -24
# with d8: -16
# with d9: -8
# with late:
# expect: clean, exited 0
#
# case: x19 and x20 swapped
# with x19: -24
# with x20: -32
# with d8: -16
# with d9: -8
# with late:
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x4000a8..0x4000c8
#
# case: d8 and d9 swapped
# with x19: -32
# with x20: -24
# with d8: -8
# with d9: -16
# with late:
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x4000ac..0x4000c8
#
# case: a rule is left after the frame was popped
# with x19: -32
# with x20: -24
# with d8: -16
# with d9: -8
# with late: .cfi_offset x19, -32
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x4000c8..0x4000cc
	.globl _start
	.type _start, %function
_start:	.cfi_startproc
	.cfi_undefined x30
	mov x19, 0x1111
	mov x20, 0x2222
	mov x0, 0x3333
	fmov d8, x0
	mov x0, 0x4444
	fmov d9, x0
	bl f
	mov x8, 93
	mov x0, 0
	svc 0
	.cfi_endproc
	.size _start, .-_start
	.type f, %function
f:	.cfi_startproc
	stp x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset x29, -48
	.cfi_offset x30, -40
	stp x19, x20, [sp, 16]
	.cfi_offset x19, {x19}
	.cfi_offset x20, {x20}
	stp d8, d9, [sp, 32]
	.cfi_offset d8, {d8}
	.cfi_offset d9, {d9}
	mov x19, 1
	mov x20, 2
	fmov d8, x19
	fmov d9, x20
	ldp x19, x20, [sp, 16]
	ldp d8, d9, [sp, 32]
	ldp x29, x30, [sp], 48
	.cfi_restore x19
	.cfi_restore x20
	.cfi_restore d8
	.cfi_restore d9
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	{late}
	ret
	.cfi_endproc
	.size f, .-f
