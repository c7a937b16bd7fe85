# Each CFI directive after each other one, in four states. A function has a state and two directives, an instruction after each; none is executed.
	.text
	.macro at_entry
	.endm
	.macro in_frame
	.cfi_def_cfa_offset 24
	.cfi_offset rbp, -16
	nop
	.endm
	.macro on_fp
	.cfi_def_cfa rbp, 24
	.cfi_offset rbp, -16
	nop
	.endm
	.macro remembered
	.cfi_def_cfa_offset 24
	nop
	.cfi_remember_state
	.cfi_def_cfa_offset 40
	.cfi_offset rbp, -32
	nop
	.endm
	.macro cfa_offset
	.cfi_def_cfa_offset 56
	.endm
	.macro cfa_wide
	.cfi_def_cfa_offset 40000
	.endm
	.macro cfa_adjust
	.cfi_adjust_cfa_offset 8
	.endm
	.macro cfa_register_fp
	.cfi_def_cfa_register rbp
	.endm
	.macro cfa_sp
	.cfi_def_cfa rsp, 72
	.endm
	.macro cfa_fp
	.cfi_def_cfa rbp, 24
	.endm
	.macro fp_saved
	.cfi_offset rbp, -16
	.endm
	.macro fp_moved
	.cfi_offset rbp, -32
	.endm
	.macro fp_rel
	.cfi_rel_offset rbp, -16
	.endm
	.macro fp_restored
	.cfi_restore rbp
	.endm
	.macro fp_same
	.cfi_same_value rbp
	.endm
	.macro ra_undefined
	.cfi_undefined rip
	.endm
	.macro ra_saved
	.cfi_offset rip, -104
	.endm
	.macro other_saved
	.cfi_offset rbx, -88
	.endm
	.macro other_undefined
	.cfi_undefined rbx
	.endm
	.macro remember
	.cfi_remember_state
	.endm
	.macro nothing
	.cfi_escape 0
	.endm
	.macro fp_register
	.cfi_register rbp, r11
	.endm
	.macro ra_register
	.cfi_register rip, r11
	.endm
	.macro cfa_scratch
	.cfi_def_cfa r11, 24
	.endm
	.macro cfa_register_scratch
	.cfi_def_cfa_register r11
	.endm
	.macro fp_loaded
	.cfi_escape 0x10, 6, 2, 0x76, 0x70
	.endm
	.macro cfa_loaded
	.cfi_escape 0x0f, 3, 0x76, 0x78, 0x06
	.endm
	.macro function state, one, two
	.type \state\()__\one\()__\two, @function
\state\()__\one\()__\two:
	.cfi_startproc
	nop
	\state
	\one
	nop
	\two
	nop
	.ifc \state, remembered
	.cfi_restore_state
	nop
	.endif
	.cfi_endproc
	.size \state\()__\one\()__\two, .-\state\()__\one\()__\two
	.endm
	.irp state, at_entry, in_frame, on_fp, remembered
	.irp one, cfa_offset, cfa_wide, cfa_adjust, cfa_register_fp, cfa_sp, cfa_fp, fp_saved, fp_moved, fp_rel, fp_restored, fp_same, ra_undefined, ra_saved, other_saved, other_undefined, remember, nothing, fp_register, ra_register, fp_loaded
	.irp two, cfa_offset, cfa_wide, cfa_adjust, cfa_register_fp, cfa_sp, cfa_fp, fp_saved, fp_moved, fp_rel, fp_restored, fp_same, ra_undefined, ra_saved, other_saved, other_undefined, remember, nothing, fp_register, ra_register, cfa_scratch, cfa_register_scratch, fp_loaded, cfa_loaded
	function \state, \one, \two
	.endr
	.endr
	.endr
	# A CFA that is neither on SP nor on FP has no offset or register to change alone.
	.irp state, at_entry, in_frame, on_fp, remembered
	.irp one, cfa_scratch, cfa_register_scratch, cfa_loaded
	.irp two, cfa_sp, cfa_fp, fp_saved, fp_moved, fp_rel, fp_restored, fp_same, ra_undefined, ra_saved, other_saved, other_undefined, remember, nothing, fp_register, ra_register, cfa_scratch, fp_loaded, cfa_loaded
	function \state, \one, \two
	.endr
	.endr
	.endr
	.section .note.GNU-stack,"",@progbits
