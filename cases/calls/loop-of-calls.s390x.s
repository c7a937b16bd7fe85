# A loop calls two leaf functions 200 times, each at one place with one return address.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	brasl %r14, spin
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type spin, @function
spin:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lghi %r12, 200
	lghi %r2, 0
1:	brasl %r14, up
	bras %r14, down # the short form of the call
	brctg %r12, 1b
	lmg %r12, %r15, 256(%r15)
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size spin, .-spin

	.type up, @function
up:
	.cfi_startproc
	aghi %r2, 2
	br %r14
	.cfi_endproc
	.size up, .-up

	.type down, @function
down:
	.cfi_startproc
	aghi %r2, -1
	br %r14
	.cfi_endproc
	.size down, .-down

	.section .note.GNU-stack,"",@progbits
