# At the address where a state is restored the offset is adjusted and a register saved as well: directives after the
# restoration counts on top of it.
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
	.cfi_remember_state
	stg %r11, 88(%r15)
	.cfi_offset %r11, -232
	aghi %r15, -16
	.cfi_adjust_cfa_offset 16
	cghi %r2, 0
	je 1f
	lghi %r11, 30
	agr %r2, %r11
	lg %r11, 104(%r15)
	.cfi_restore %r11
	aghi %r15, 176
	.cfi_adjust_cfa_offset -176
	br %r14
1:	.cfi_restore_state
	.cfi_adjust_cfa_offset 16
	.cfi_offset %r11, -232
	lghi %r11, 2
	lgr %r2, %r11
	lg %r11, 104(%r15)
	.cfi_restore %r11
	aghi %r15, 176
	.cfi_adjust_cfa_offset -176
	br %r14
	.cfi_endproc
	.size pick, .-pick

	.section .note.GNU-stack,"",@progbits
