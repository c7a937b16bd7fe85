# A function ends in a call that never returns, and the function that it calls is the next one: the call leads to the next
# instruction.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 70
	brasl %r14, give_up
	lghi %r2, 1 # not reached
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type give_up, @function
give_up:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -256
	.cfi_def_cfa_offset 416
	aghi %r2, 3
	brasl %r14, finish
	.cfi_endproc
	.size give_up, .-give_up

	.type finish, @function
finish:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -168
	.cfi_def_cfa_offset 328
	stg %r2, 160(%r15)
	brasl %r14, leaf
	ag %r2, 160(%r15)
	svc 1
	.cfi_endproc
	.size finish, .-finish

	.type leaf, @function
leaf:
	.cfi_startproc
	lghi %r2, 4
	br %r14
	.cfi_endproc
	.size leaf, .-leaf

	.section .note.GNU-stack,"",@progbits
