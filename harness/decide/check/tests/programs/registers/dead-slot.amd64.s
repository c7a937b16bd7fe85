# Where SP has passed a slot by more than the red zone, a rule that reads it is wrong, whatever a
# callee did before that was not explored.
# check: explore
#
# case: restored
# with restore: .cfi_restore rbx
# expect: clean, 8 of 8 reached
#
# case: not restored
# with restore:
# expect: error, 8 of 8 reached
# expect: error eh-frame/register-matches-truth at .text+0x1d..0x1e
	.globl f
	.type f, @function
f:	.cfi_startproc
	sub $264, %rsp
	.cfi_def_cfa_offset 272
	call other
	push %rbx
	.cfi_def_cfa_offset 280
	.cfi_offset rbx, -280
	mov %rsp, %rbx
	call other
	pop %rbx
	.cfi_def_cfa_offset 272
	{restore}
	add $264, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size f, .-f
