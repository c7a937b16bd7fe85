# States are remembered at the address of the very change they have to hold, and restored one after the other.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 0
	brasl %r14, pick
	lgr %r12, %r2
	lghi %r2, 1
	brasl %r14, pick
	agr %r2, %r12
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type pick, @function
pick:
	.cfi_startproc
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	stg %r11, 88(%r15)
	.cfi_remember_state # before FP is said to be saved
	.cfi_offset %r11, -232
	.cfi_remember_state # and after
	lghi %r11, 9
	cghi %r2, 0
	je 1f
	lg %r11, 88(%r15)
	.cfi_restore %r11
	aghi %r15, 160
	.cfi_adjust_cfa_offset -160
	lghi %r2, 6
	br %r14
1:	.cfi_restore_state
	lgr %r2, %r11
	lg %r11, 88(%r15)
	nopr
	.cfi_restore_state
	aghi %r15, 160
	.cfi_adjust_cfa_offset -160
	br %r14
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
