# A module of a kernel, with the tables of `ld -r`: a static key, an access that may fault, an
# alternative and .init.text; a wrong row of each is found as in other code.
# check: explore
# link: -r
# with key: 328
# with fixup: 320
# with init: 320
#
# case: right
# expect: clean, 19 of 19 reached
#
# case: wrong behind the static key
# with key: 344
# expect: error, 19 of 19 reached
# expect: error eh-frame/cfa-matches-truth at .text.one+0x32..0x36
#
# case: wrong in the fixup
# with fixup: 336
# expect: error, 19 of 19 reached
# expect: error eh-frame/cfa-matches-truth at .text.one+0x3a..0x42
#
# case: wrong in .init.text
# with init: 336
# expect: error, 19 of 19 reached
# expect: error eh-frame/cfa-matches-truth at .init.text+0xa..0x16
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.cfi_startproc
	stmg %r12, %r15, 96(%r15)
	.cfi_offset %r12, -64
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
1:	brcl 0, 2f
	brasl %r14, one_leaf
3:	lg %r1, 160(%r15)
5:	aghi %r2, 1
6:	brcl 0, 0
7:	lmg %r12, %r15, 256(%r15)
	.cfi_remember_state
	.cfi_restore %r12
	.cfi_restore %r13
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_restore_state
2:	aghi %r15, -8
	.cfi_def_cfa_offset {key}
	aghi %r15, 8
	.cfi_def_cfa_offset 320
	j 5b
8:	.cfi_def_cfa_offset {fixup}
	lghi %r2, 0
	j 5b
	.cfi_endproc
	.size one, .-one

	.type one_leaf, @function
one_leaf:
	.cfi_startproc
	lghi %r2, 2
	br %r14
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .init.text,"ax",@progbits
	.type one_init, @function
one_init:
	.cfi_startproc
	stmg %r14, %r15, 112(%r15)
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset {init}
	brasl %r14, one
	lmg %r14, %r15, 272(%r15)
	.cfi_restore %r14
	.cfi_restore %r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size one_init, .-one_init

	.section __jump_table,"aw",@progbits
	.long 1b - ., 2b - .
	.quad key - .
	.section __ex_table,"a",@progbits
	.long 3b - ., 8b - .
	.short 2, 0
	.section .altinstructions,"a",@progbits
	.long 6b - ., 9f - .
	.long 0x30000082
	.byte 7b - 6b
	.section .altinstr_replacement,"ax",@progbits
9:	brcl 0, 0
	.data
key:	.quad 0
