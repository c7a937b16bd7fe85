# A module of a kernel, with the tables of `ld -r`: a static key, an access that may fault, an
# alternative and .init.text; a wrong row of each is found as in other code.
# check: explore
# as: --gsframe
# link: -r
# with key: 24
# with fixup: 16
# with init: 32
#
# case: right
# expect: clean, 17 of 17 reached
# expect: warning elf/section-type
# expect: warning header/obsolete-version
# expect: warning header/sorted-in-object
# expect: info row/repeats at .text.one+0x23..0x27
#
# case: wrong behind the static key
# with key: 40
# expect: error, 17 of 17 reached
# expect: error row/cfa-matches-truth at .text.one+0x1d..0x21
# expect: warning elf/section-type
# expect: warning header/obsolete-version
# expect: warning header/sorted-in-object
# expect: info row/repeats at .text.one+0x23..0x27
#
# case: wrong in the fixup
# with fixup: 32
# expect: error, 17 of 17 reached
# expect: error row/cfa-matches-truth at .text.one+0x23..0x27
# expect: warning elf/section-type
# expect: warning header/obsolete-version
# expect: warning header/sorted-in-object
#
# case: wrong in .init.text
# with init: 48
# expect: error, 17 of 17 reached
# expect: error row/cfa-matches-truth at .init.text+0x4..0xd
# expect: warning elf/section-type
# expect: warning header/obsolete-version
# expect: warning header/sorted-in-object
# expect: info row/repeats at .text.one+0x23..0x27
	.section .text.one,"ax",@progbits
	.globl one
	.type one, @function
one:
	.cfi_startproc
4:	.byte 0x0f, 0x1f, 0x44, 0, 0
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
1:	.byte 0x0f, 0x1f, 0x44, 0, 0
	call one_leaf
3:	movl (%rsp), %ebx
5:	addl $1, %eax
6:	nop
	nop
	nop
7:	popq %rbx
	.cfi_remember_state
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
2:	pushq $0
	.cfi_def_cfa_offset {key}
	addq $8, %rsp
	.cfi_def_cfa_offset 16
	jmp 5b
8:	.cfi_def_cfa_offset {fixup}
	xorl %eax, %eax
	jmp 5b
	.cfi_endproc
	.size one, .-one

	.type one_leaf, @function
one_leaf:
	.cfi_startproc
	movl $2, %eax
	ret
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .init.text,"ax",@progbits
	.type one_init, @function
one_init:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset {init}
	call one
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size one_init, .-one_init

	.section __mcount_loc,"a",@progbits
	.quad 4b
	.section __jump_table,"aw",@progbits
	.long 1b - ., 2b - .
	.quad key - .
	.section __ex_table,"a",@progbits
	.long 3b - ., 8b - ., 3
	.section .altinstructions,"a",@progbits
	.long 6b - ., 9f - .
	.long 0x2b
	.byte 7b - 6b, 10f - 9f
	.section .altinstr_replacement,"ax",@progbits
9:	leal (%rax), %eax
10:
	.data
key:	.quad 0
