# Callee-saved registers, FP among them, are saved in orders and at places no compiler picks.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 1
	brasl %r14, odd_order
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type odd_order, @function
odd_order:
	.cfi_startproc
	stmg %r6, %r15, 48(%r15)
	.cfi_offset %r6, -112
	.cfi_offset %r7, -104
	.cfi_offset %r8, -96
	.cfi_offset %r9, -88
	.cfi_offset %r10, -80
	.cfi_offset %r11, -72
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	lgr %r11, %r2
	la %r6, 1(%r2)
	brasl %r14, slots
	agr %r2, %r6
	agr %r2, %r11
	lmg %r6, %r15, 208(%r15)
	.cfi_restore %r6
	.cfi_restore %r7
	.cfi_restore %r8
	.cfi_restore %r9
	.cfi_restore %r10
	.cfi_restore %r11
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size odd_order, .-odd_order

	.type slots, @function
slots:
	.cfi_startproc
	stg %r14, 48(%r15) # in the slots of r6 and r7
	.cfi_offset %r14, -112
	stg %r11, 56(%r15)
	.cfi_offset %r11, -104
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	la %r11, 4(%r2)
	lgr %r2, %r11
	brasl %r14, last_first
	agr %r2, %r11
	lg %r11, 216(%r15)
	.cfi_restore %r11
	lg %r14, 208(%r15)
	.cfi_restore %r14
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size slots, .-slots

	.type last_first, @function
last_first:
	.cfi_startproc
	aghi %r15, -24 # below SP there is no red zone: make room first
	.cfi_def_cfa_offset 184
	stg %r14, 16(%r15)
	.cfi_offset %r14, -168
	stg %r11, 0(%r15)
	.cfi_offset %r11, -184
	la %r11, 8(%r2)
	lghi %r14, 0
	lgr %r2, %r11
	lg %r14, 16(%r15)
	.cfi_restore %r14
	lg %r11, 0(%r15)
	.cfi_restore %r11
	aghi %r15, 24
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size last_first, .-last_first

	.section .note.GNU-stack,"",@progbits
