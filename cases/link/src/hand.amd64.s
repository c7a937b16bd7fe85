# hand() and its .sframe section, written by hand; FIXED_FP is the header's fixed offset of FP; SORTED sets that
# flag, MAGIC is in place of the magic number, SECTION_BASED unsets PCREL (V3); NONE puts as many
# relocations that do nothing before the others, AFTER after them; EMPTY leaves the section empty,
# BARE has no relocation (V3).
	.section .text.hand,"ax",@progbits
	.globl hand
	.type hand, @function
hand:
	.ifndef FIXED_FP
	.cfi_startproc
	.endif
	movl $1, %eax
	ret
	.ifndef FIXED_FP
	.cfi_endproc
	.endif
.Lend:
	.size hand, .-hand

	.ifndef CONTROL
	.ifndef SORTED
	.set SORTED, 0
	.endif
	.ifndef SECTION_BASED
	.set SECTION_BASED, 0
	.endif
	.ifndef FIXED_FP
	.set FIXED_FP, 0
	.endif
	.set GNU_TYPE, SFRAME_PCREL
	.ifndef .gasversion.
	.set GNU_TYPE, 1	# LLVM's assembler has no other type for this section.
	.endif
	.if GNU_TYPE
	.section .sframe,"a",@0x6ffffff4
	.else
	.section .sframe,"a",@progbits
	.endif
	.ifndef EMPTY
	.balign 8
.Ltable_start:
	.ifdef NONE
	.rept NONE
	.reloc .Ltable_start, R_X86_64_NONE
	.endr
	.endif
	.ifdef AFTER
	.rept AFTER
	.reloc .Lrows, R_X86_64_NONE
	.endr
	.endif
	.ifndef MAGIC
	.set MAGIC, 0xdee2
	.endif
	.short MAGIC
	.byte SFRAME_VERSION
	.byte 4 * SFRAME_PCREL * (1 - SECTION_BASED) + SORTED
	.ifdef ABI
	.byte ABI
	.else
	.byte 3
	.endif
	.byte FIXED_FP, -8, 0
	.long 1, 1, .Lrows_end - .Lrows, 0, .Lrows - .Ltable
.Ltable:
	.if SFRAME_VERSION == 3
	.ifdef BARE
	.quad 0x1000
	.elseif SECTION_BASED
	.quad hand - .Ltable_start
	.else
	.quad hand - .
	.endif
	.long .Lend - hand, 0
	.else
	.long hand - .
	.long .Lend - hand, 0, 1
	.byte 0
	.if SFRAME_VERSION == 2
	.byte 0
	.short 0
	.endif
	.endif
.Lrows:
	.if SFRAME_VERSION == 3
	.short 1
	.byte 0, 0, 0
	.endif
	.byte 0, 3, 8
.Lrows_end:
	.endif
	.endif

	.section .note.GNU-stack,"",@progbits
