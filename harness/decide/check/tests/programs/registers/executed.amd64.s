# Executed code shows the place of each register that a call preserves: `f` stores six of them, in an
# order of its own, and its callers give each a value of its own.
# check: execute
# link:
#
# case: right
# with rbx: -16
# with r12: -24
# with r13: -32
# with r14: -40
# with r15: -48
# with restore: .cfi_restore rbx
# with last: .cfi_restore_state
# expect: clean, exited 0
#
# case: rbx one slot too low
# with rbx: -24
# with r12: -24
# with r13: -32
# with r14: -40
# with r15: -48
# with restore: .cfi_restore rbx
# with last: .cfi_restore_state
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x401038..0x40106a and 1 more ranges
#
# case: r12 one slot too high
# with rbx: -16
# with r12: -16
# with r13: -32
# with r14: -40
# with r15: -48
# with restore: .cfi_restore rbx
# with last: .cfi_restore_state
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x40103a..0x401069 and 1 more ranges
#
# case: r13 and r14 swapped
# with rbx: -16
# with r12: -24
# with r13: -40
# with r14: -32
# with r15: -48
# with restore: .cfi_restore rbx
# with last: .cfi_restore_state
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x40103c..0x401067 and 1 more ranges
#
# case: r15 below the frame
# with rbx: -16
# with r12: -24
# with r13: -32
# with r14: -40
# with r15: -56
# with restore: .cfi_restore rbx
# with last: .cfi_restore_state
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x401040..0x401063 and 1 more ranges
#
# case: the popped word is still in the red zone
# with rbx: -16
# with r12: -24
# with r13: -32
# with r14: -40
# with r15: -48
# with restore:
# with last: .cfi_restore_state
# expect: clean, exited 0
#
# case: the state of an earlier return stays
# with rbx: -16
# with r12: -24
# with r13: -32
# with r14: -40
# with r15: -48
# with restore: .cfi_restore rbx
# with last: .cfi_def_cfa_offset 48
# expect: error, exited 0
# expect: error eh-frame/register-matches-truth at 0x40106b..0x401079
	.globl _start
	.type _start, @function
_start:	.cfi_startproc
	.cfi_undefined rip
	mov $0x1111, %ebx
	mov $0x2222, %r12d
	mov $0x3333, %r13d
	mov $0x4444, %r14d
	mov $0x5555, %r15d
	xor %edi, %edi
	call f
	mov $1, %edi
	call f
	mov $60, %eax
	xor %edi, %edi
	syscall
	.cfi_endproc
	.size _start, .-_start
	.type f, @function
f:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, {rbx}
	push %r12
	.cfi_def_cfa_offset 24
	.cfi_offset r12, {r12}
	push %r13
	.cfi_def_cfa_offset 32
	.cfi_offset r13, {r13}
	push %r14
	.cfi_def_cfa_offset 40
	.cfi_offset r14, {r14}
	push %r15
	.cfi_def_cfa_offset 48
	.cfi_offset r15, {r15}
	mov $6, %ebx
	mov $7, %r12d
	mov $8, %r13d
	mov $9, %r14d
	mov $10, %r15d
	.cfi_remember_state
	test %edi, %edi
	jne 1f
	pop %r15
	.cfi_restore r15
	.cfi_def_cfa_offset 40
	pop %r14
	.cfi_restore r14
	.cfi_def_cfa_offset 32
	pop %r13
	.cfi_restore r13
	.cfi_def_cfa_offset 24
	pop %r12
	.cfi_restore r12
	.cfi_def_cfa_offset 16
	pop %rbx
	{restore}
	.cfi_def_cfa_offset 8
	ret
	{last}
1:	mov $11, %ebx
	pop %r15
	.cfi_restore r15
	.cfi_def_cfa_offset 40
	pop %r14
	.cfi_restore r14
	.cfi_def_cfa_offset 32
	pop %r13
	.cfi_restore r13
	.cfi_def_cfa_offset 24
	pop %r12
	.cfi_restore r12
	.cfi_def_cfa_offset 16
	pop %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size f, .-f
