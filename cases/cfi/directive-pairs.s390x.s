# Each CFI directive after each other one, in four states. A function has a state and two directives, an instruction after each; none is executed.
	.text
	.macro at_entry
	.endm
	.macro in_frame
	.cfi_def_cfa_offset 176
	.cfi_offset %r11, -72
	.cfi_offset %r14, -48
	nopr
	.endm
	.macro on_fp
	.cfi_def_cfa %r11, 176
	.cfi_offset %r11, -72
	.cfi_offset %r14, -48
	nopr
	.endm
	.macro remembered
	.cfi_def_cfa_offset 176
	nopr
	.cfi_remember_state
	.cfi_def_cfa_offset 192
	.cfi_offset %r11, -80
	.cfi_offset %r14, -48
	nopr
	.endm
	.macro cfa_offset
	.cfi_def_cfa_offset 208
	.endm
	.macro cfa_wide
	.cfi_def_cfa_offset 40000
	.endm
	.macro cfa_adjust
	.cfi_adjust_cfa_offset 8
	.endm
	.macro cfa_register_fp
	.cfi_def_cfa_register %r11
	.endm
	.macro cfa_sp
	.cfi_def_cfa %r15, 224
	.endm
	.macro cfa_fp
	.cfi_def_cfa %r11, 176
	.endm
	.macro fp_saved
	.cfi_offset %r11, -72
	.endm
	.macro fp_moved
	.cfi_offset %r11, -80
	.endm
	.macro fp_rel
	.cfi_rel_offset %r11, -16
	.endm
	.macro fp_restored
	.cfi_restore %r11
	.endm
	.macro fp_same
	.cfi_same_value %r11
	.endm
	.macro ra_undefined
	.cfi_undefined %r14
	.endm
	.macro ra_saved
	.cfi_offset %r14, -56
	.endm
	.macro ra_restored
	.cfi_restore %r14
	.endm
	.macro ra_same
	.cfi_same_value %r14
	.endm
	.macro other_saved
	.cfi_offset %r6, -88
	.endm
	.macro other_undefined
	.cfi_undefined %r6
	.endm
	.macro remember
	.cfi_remember_state
	.endm
	.macro nothing
	.cfi_escape 0
	.endm
	.macro fp_register
	.cfi_register %r11, %r1
	.endm
	.macro ra_register
	.cfi_register %r14, %r1
	.endm
	.macro cfa_scratch
	.cfi_def_cfa %r1, 24
	.endm
	.macro cfa_register_scratch
	.cfi_def_cfa_register %r1
	.endm
	.macro function state, one, two
	.type \state\()__\one\()__\two, @function
\state\()__\one\()__\two:
	.cfi_startproc
	nopr
	\state
	\one
	nopr
	\two
	nopr
	.ifc \state, remembered
	.cfi_restore_state
	nopr
	.endif
	.cfi_endproc
	.size \state\()__\one\()__\two, .-\state\()__\one\()__\two
	.endm
	.irp state, at_entry, in_frame, on_fp, remembered
	.irp one, cfa_offset, cfa_wide, cfa_adjust, cfa_register_fp, cfa_sp, cfa_fp, fp_saved, fp_moved, fp_rel, fp_restored, fp_same, ra_undefined, ra_saved, ra_restored, ra_same, other_saved, other_undefined, remember, nothing, fp_register, ra_register
	.irp two, cfa_offset, cfa_wide, cfa_adjust, cfa_register_fp, cfa_sp, cfa_fp, fp_saved, fp_moved, fp_rel, fp_restored, fp_same, ra_undefined, ra_saved, ra_restored, ra_same, other_saved, other_undefined, remember, nothing, fp_register, ra_register, cfa_scratch, cfa_register_scratch
	function \state, \one, \two
	.endr
	.endr
	.endr
	# A CFA that is neither on SP nor on FP has no offset or register to change alone.
	.irp state, at_entry, in_frame, on_fp, remembered
	.irp one, cfa_scratch, cfa_register_scratch
	.irp two, cfa_sp, cfa_fp, fp_saved, fp_moved, fp_rel, fp_restored, fp_same, ra_undefined, ra_saved, ra_restored, ra_same, other_saved, other_undefined, remember, nothing, fp_register, ra_register, cfa_scratch
	function \state, \one, \two
	.endr
	.endr
	.endr
	.section .note.GNU-stack,"",@progbits
