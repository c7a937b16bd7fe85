# .cfi_remember_state is the very first directive, before any instruction; the early return needs no frame.
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
	.cfi_remember_state
	cghi %r2, 0
	je 1f
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lghi %r11, 20
	agr %r2, %r11
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r11, 88(%r15)
	.cfi_restore %r11
	br %r14
1:	.cfi_restore_state
	lghi %r2, 4
	br %r14
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
