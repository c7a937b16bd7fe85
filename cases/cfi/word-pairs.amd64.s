# Offsets on both sides of each width of a row's words: of the CFA, FP and the return address, each with each other. None is executed.
	.text
	.set count, 0
	.macro words cfa, fp, ra, number
	.type words_\number, @function
words_\number:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset \cfa
	nop
	.cfi_offset rip, \ra
	nop
	.cfi_offset rbp, \fp
	nop
	.cfi_def_cfa_register rbp
	nop
	.cfi_restore rbp
	.cfi_def_cfa rsp, \cfa
	nop
	.cfi_endproc
	.size words_\number, .-words_\number
	.endm
	.altmacro
	.macro numbered cfa, fp, ra, number
	words \cfa, \fp, \ra, \number
	.endm
	.irp cfa, 8, 120, 128, 136, 32760, 32768, 40000
	.irp fp, -16, -128, -136, -32768, -32776
	.irp ra, -8
	numbered \cfa, \fp, \ra, %count
	.set count, count + 1
	.endr
	.endr
	.endr
	.type rows, @function
rows:
	.cfi_startproc
	.rept 350
	nop
	.cfi_adjust_cfa_offset 8
	nop
	.cfi_adjust_cfa_offset 8
	.endr
	nop
	.cfi_endproc
	.size rows, .-rows
	.section .note.GNU-stack,"",@progbits
