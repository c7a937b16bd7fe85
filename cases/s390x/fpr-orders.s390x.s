# RA and FP go to floating point registers in both orders, one of them only, and one to a register while the other
# goes to the stack.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined %r14
	aghi %r15, -160
	.cfi_adjust_cfa_offset 160
	lghi %r11, 0
	lghi %r2, 6
	brasl %r14, outer
	svc 1
	.cfi_endproc
	.size _start, .-_start

	.type outer, @function
outer:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, ra_then_fp
	brasl %r14, ra_alone
	brasl %r14, ra_on_stack
	brasl %r14, fp_on_stack
	aghi %r15, 160
	.cfi_def_cfa_offset 160
	lg %r14, 112(%r15)
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size outer, .-outer

	.type ra_then_fp, @function
ra_then_fp:
	.cfi_startproc
	ldgr %f6, %r14
	.cfi_register %r14, %f6
	lghi %r14, 1
	ldgr %f1, %r11
	.cfi_register %r11, %f1
	lghi %r11, 1
	agr %r2, %r11
	agr %r2, %r14
	lgdr %r11, %f1
	.cfi_restore %r11
	lgdr %r14, %f6
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size ra_then_fp, .-ra_then_fp

	.type ra_alone, @function
ra_alone:
	.cfi_startproc
	ldgr %f15, %r14
	.cfi_register %r14, %f15
	lghi %r14, 1
	agr %r2, %r14
	lgdr %r14, %f15
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size ra_alone, .-ra_alone

	.type ra_on_stack, @function
ra_on_stack:
	.cfi_startproc
	ldgr %f0, %r11
	.cfi_register %r11, %f0
	lghi %r11, 1
	stg %r14, 112(%r15)
	.cfi_offset %r14, -48
	lghi %r14, 0
	agr %r2, %r11
	lg %r14, 112(%r15)
	.cfi_restore %r14
	lgdr %r11, %f0
	.cfi_restore %r11
	br %r14
	.cfi_endproc
	.size ra_on_stack, .-ra_on_stack

	.type fp_on_stack, @function
fp_on_stack:
	.cfi_startproc
	ldgr %f0, %r14
	.cfi_register %r14, %f0
	lghi %r14, 1
	stg %r11, 88(%r15)
	.cfi_offset %r11, -72
	lghi %r11, 0
	agr %r2, %r14
	lg %r11, 88(%r15)
	.cfi_restore %r11
	lgdr %r14, %f0
	.cfi_restore %r14
	br %r14
	.cfi_endproc
	.size fp_on_stack, .-fp_on_stack

	.section .note.GNU-stack,"",@progbits
