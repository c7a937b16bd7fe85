# Personality routine and language-specific data area of an object: each field that leads elsewhere
# breaks the rule of its part.
# check: static
# show: messages
#
# with personality: routine
# with lsda: .Larea
# with base: 0xff
# with types: 0x9b
# with further: 0
# with sites: 1
# with start: .Lb - f
# with length: .Le - .Lb
# with pad: .Lp - f
# with action: 1
# with filter: 1
# with next: 1
# with type: type - .
#
# case: right
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: a routine without type table or actions
# with action: 0
# expect: undecided, not executed
# expect: undecided nothing-judged
#
# case: the word after that of the routine holds a type
# with personality: routine + 8
# expect: error, not executed
# expect: error eh-frame/personality : the personality pointer of the CIE at 0x0 leads to _ZTIi, which is not known as a personality routine
# expect: undecided nothing-judged
#
# case: four bytes into the word
# with personality: routine + 4
# expect: error, not executed
# expect: error eh-frame/personality : the personality pointer of the CIE at 0x0 leads to the address at 0x14044, where there is no word
# expect: undecided nothing-judged
#
# case: a word that holds the address of data
# with personality: other
# expect: error, not executed
# expect: error eh-frame/personality : the personality pointer of the CIE at 0x0 leads to 0x14058, which is not code
# expect: undecided nothing-judged
#
# case: a pointer that is code but no word
# with personality: f
# expect: error, not executed
# expect: error eh-frame/personality : the personality pointer of the CIE at 0x0 leads to 0xc35b00000000e853, which is not code
# expect: undecided nothing-judged
#
# case: an area that begins 4 bytes later
# with lsda: .Larea + 4
# expect: error, not executed
# expect: error eh-frame/lsda-encoding at .text+0x0..0x12 : the LSDA of f: a pointer that has no encoding of a fixed size and base
# expect: undecided nothing-judged
#
# case: an area in data
# with lsda: data
# expect: error, not executed
# expect: error eh-frame/lsda-pointer at .text+0x0..0x12 : the LSDA pointer of f leads to 0x14058, which is not in .gcc_except_table
# expect: undecided nothing-judged
#
# case: no encoding of LPStart
# with base: 0x05
# expect: error, not executed
# expect: error eh-frame/lsda-encoding at .text+0x0..0x12 : the LSDA of f: a pointer that has no encoding of a fixed size and base
# expect: undecided nothing-judged
#
# case: LPStart in data
# with base: 0x1b; .long data - .
# expect: error, not executed
# expect: error eh-frame/lsda-encoding at .text+0x0..0x12 : the LSDA of f: LPStart is 0x14058, which is not code
# expect: error eh-frame/lsda-landing-pads at .text+0x0..0x12 : the LSDA of f: the landing pad of call site .text+0x1..0x6 is 0x14060, where no instruction of the function begins
# expect: undecided nothing-judged
#
# case: no encoding of types
# with types: 0x05
# expect: error, not executed
# expect: error eh-frame/lsda-encoding at .text+0x0..0x12 : the LSDA of f: types have no encoding of a fixed size
# expect: undecided nothing-judged
#
# case: types that are not indirect
# with types: 0x1b
# expect: error, not executed
# expect: error eh-frame/lsda-actions at .text+0x0..0x12 : the LSDA of f: a type leads to 0x14048, where there is none
# expect: undecided nothing-judged
#
# case: types after the section
# with further: 0x1000
# expect: error, not executed
# expect: error eh-frame/lsda-encoding at .text+0x0..0x12 : the LSDA of f: the type table passes the end of the section
# expect: undecided nothing-judged
#
# case: no encoding of call sites
# with sites: 0x05
# expect: error, not executed
# expect: error eh-frame/lsda-encoding at .text+0x0..0x12 : the LSDA of f: call sites have no encoding of offsets
# expect: undecided nothing-judged
#
# case: call sites of 4 bytes
# with sites: 3
# expect: error, not executed
# expect: error eh-frame/lsda-call-sites at .text+0x0..0x12 : the LSDA of f: the last call site passes the end of its table
# expect: undecided nothing-judged
#
# case: a call site inside an instruction
# with start: .Lb - f + 1
# expect: error, not executed
# expect: error eh-frame/lsda-call-sites at .text+0x0..0x12 : the LSDA of f: call site .text+0x2..0x7 begins or ends inside an instruction
# expect: undecided nothing-judged
#
# case: a call site that ends inside an instruction
# with length: .Le - .Lb - 1
# expect: error, not executed
# expect: error eh-frame/lsda-call-sites at .text+0x0..0x12 : the LSDA of f: call site .text+0x1..0x5 begins or ends inside an instruction
# expect: undecided nothing-judged
#
# case: a call site that reaches into the next
# with length: .Lq - .Lb
# expect: error, not executed
# expect: error eh-frame/lsda-call-sites at .text+0x0..0x12 : the LSDA of f: call site .text+0x8..0x10 begins before the end of the one before it
# expect: undecided nothing-judged
#
# case: a call site after the function
# with length: 0x100
# expect: error, not executed
# expect: error eh-frame/lsda-call-sites at .text+0x0..0x12 : the LSDA of f: call site .text+0x1..0x101 passes the end of the function (and 1 others like it)
# expect: undecided nothing-judged
#
# case: a landing pad inside an instruction
# with pad: .Lp - f + 1
# expect: error, not executed
# expect: error eh-frame/lsda-landing-pads at .text+0x0..0x12 : the LSDA of f: the landing pad of call site .text+0x1..0x6 is f+0x9, where no instruction of the function begins
# expect: undecided nothing-judged
#
# case: a landing pad after the function
# with pad: .Lq - f + 2
# expect: error, not executed
# expect: error eh-frame/lsda-landing-pads at .text+0x0..0x12 : the LSDA of f: the landing pad of call site .text+0x1..0x6 is 0x10012, where no instruction of the function begins
# expect: undecided nothing-judged
#
# case: an action after the section
# with action: 40
# expect: error, not executed
# expect: error eh-frame/lsda-actions at .text+0x0..0x12 : the LSDA of f: an action outside the action table
# expect: undecided nothing-judged
#
# case: a type that is an action
# with filter: 3
# expect: error, not executed
# expect: error eh-frame/lsda-actions at .text+0x0..0x12 : the LSDA of f: a type outside the type table
# expect: undecided nothing-judged
#
# case: a next action before the table
# with next: -8
# expect: error, not executed
# expect: error eh-frame/lsda-actions at .text+0x0..0x12 : the LSDA of f: an action outside the action table
# expect: undecided nothing-judged
#
# case: a type between two words
# with type: type - . + 4
# expect: error, not executed
# expect: error eh-frame/lsda-actions at .text+0x0..0x12 : the LSDA of f: a type leads to the address at 0x1404c, where there is no word, where there is none
# expect: undecided nothing-judged
#
# case: a type that is no std::type_info
# with type: other - .
# expect: error, not executed
# expect: error eh-frame/lsda-actions at .text+0x0..0x12 : the LSDA of f: a type leads to 0x14058, where there is none
# expect: undecided nothing-judged
	.text
	.type f, @function
f:	.cfi_startproc
	.cfi_personality 0x9b, {personality}
	.cfi_lsda 0x1b, {lsda}
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
.Lb:	call g
.Le:	pop %rbx
	.cfi_def_cfa_offset 8
	ret
.Lp:	mov %rax, %rdi
	.cfi_def_cfa_offset 16
	call h
.Lq:	ud2
	.cfi_endproc
	.size f, . - f
	.section .gcc_except_table, "a", @progbits
	.p2align 2
.Larea:	.byte {base}
	.byte {types}
	.uleb128 .Ltypes - .La + {further}
.La:	.byte {sites}
	.uleb128 .Lsites_end - .Lsites
.Lsites:
	.uleb128 {start}
	.uleb128 {length}
	.uleb128 {pad}
	.uleb128 {action}
	.uleb128 .Lp - f
	.uleb128 .Lq - .Lp
	.uleb128 0
	.uleb128 0
.Lsites_end:
	.sleb128 {filter}
	.sleb128 {next}
	.sleb128 2
	.sleb128 0
	.p2align 2
	.long 0
	.long {type}
.Ltypes:
	.section .data.rel.local.DW.ref.__gxx_personality_v0, "aw", @progbits
	.p2align 3
routine: .quad __gxx_personality_v0
type:	.quad _ZTIi
other:	.quad data
data:	.quad 0x1234
