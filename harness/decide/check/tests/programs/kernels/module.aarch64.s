# A module of a kernel, with the tables of `ld -r`: a static key, an access that may fault, an
# alternative and .init.text; a wrong row of each is found as in other code.
# check: explore
# as: --gsframe
# link: -r
# with key: 48
# with fixup: 32
# with init: 16
#
# case: right
# expect: clean, 17 of 17 reached
# expect: warning elf/section-type
# expect: warning header/obsolete-version
# expect: warning header/sorted-in-object
# expect: info row/repeats at .text.one+0x2c..0x34
#
# case: wrong behind the static key
# with key: 64
# expect: error, 17 of 17 reached
# expect: error row/cfa-matches-truth at .text.one+0x24..0x28
# expect: warning elf/section-type
# expect: warning header/obsolete-version
# expect: warning header/sorted-in-object
# expect: info row/repeats at .text.one+0x2c..0x34
#
# case: wrong in the fixup
# with fixup: 48
# expect: error, 17 of 17 reached
# expect: error row/cfa-matches-truth at .text.one+0x2c..0x34
# expect: warning elf/section-type
# expect: warning header/obsolete-version
# expect: warning header/sorted-in-object
#
# case: wrong in .init.text
# with init: 32
# expect: error, 17 of 17 reached
# expect: error row/cfa-matches-truth at .init.text+0x4..0xc
# expect: warning elf/section-type
# expect: warning header/obsolete-version
# expect: warning header/sorted-in-object
# expect: info row/repeats at .text.one+0x2c..0x34
	.section .text.one,"ax",%progbits
	.globl one
	.type one, %function
one:
	.cfi_startproc
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
1:	nop
	bl one_leaf
3:	ldr w1, [sp, #16]
5:	add w0, w0, #1
6:	nop
7:	ldp x29, x30, [sp], #32
	.cfi_remember_state
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_restore_state
2:	sub sp, sp, #16
	.cfi_def_cfa_offset {key}
	add sp, sp, #16
	.cfi_def_cfa_offset 32
	b 5b
8:	.cfi_def_cfa_offset {fixup}
	mov w0, #0
	b 5b
	.cfi_endproc
	.size one, .-one

	.type one_leaf, %function
one_leaf:
	.cfi_startproc
	nop
	mov w0, #2
	ret
	.cfi_endproc
	.size one_leaf, .-one_leaf

	.section .init.text,"ax",%progbits
	.type one_init, %function
one_init:
	.cfi_startproc
	stp x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset {init}
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl one
	ldp x29, x30, [sp], #16
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size one_init, .-one_init

	.section __jump_table,"aw",%progbits
	.word 1b - ., 2b - .
	.xword key - .
	.section __ex_table,"a",%progbits
	.word 3b - ., 8b - .
	.hword 1, 0
	.section .altinstructions,"a",%progbits
	.word 6b - ., 9f - .
	.hword 5
	.byte 4, 4
	.section .altinstr_replacement,"ax",%progbits
9:	mov w1, w0
	.data
key:	.xword 0
