# Each CFI directive after each other one, in four states. A function has a state and two directives, an instruction after each; none is executed.
	.text
	.macro at_entry
	.endm
	.macro in_frame
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	nop
	.endm
	.macro on_fp
	.cfi_def_cfa x29, 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	nop
	.endm
	.macro remembered
	.cfi_def_cfa_offset 16
	nop
	.cfi_remember_state
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -8
	nop
	.endm
	.macro cfa_offset
	.cfi_def_cfa_offset 48
	.endm
	.macro cfa_wide
	.cfi_def_cfa_offset 40000
	.endm
	.macro cfa_adjust
	.cfi_adjust_cfa_offset 8
	.endm
	.macro cfa_register_fp
	.cfi_def_cfa_register x29
	.endm
	.macro cfa_sp
	.cfi_def_cfa sp, 64
	.endm
	.macro cfa_fp
	.cfi_def_cfa x29, 16
	.endm
	.macro fp_saved
	.cfi_offset x29, -16
	.endm
	.macro fp_moved
	.cfi_offset x29, -32
	.endm
	.macro fp_rel
	.cfi_rel_offset x29, -16
	.endm
	.macro fp_restored
	.cfi_restore x29
	.endm
	.macro fp_same
	.cfi_same_value x29
	.endm
	.macro ra_undefined
	.cfi_undefined x30
	.endm
	.macro ra_saved
	.cfi_offset x30, -40
	.endm
	.macro ra_restored
	.cfi_restore x30
	.endm
	.macro ra_same
	.cfi_same_value x30
	.endm
	.macro other_saved
	.cfi_offset x19, -88
	.endm
	.macro other_undefined
	.cfi_undefined x19
	.endm
	.macro remember
	.cfi_remember_state
	.endm
	.macro nothing
	.cfi_escape 0
	.endm
	.macro ra_signed
	.cfi_negate_ra_state
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
	.irp one, cfa_offset, cfa_wide, cfa_adjust, cfa_register_fp, cfa_sp, cfa_fp, fp_saved, fp_moved, fp_rel, fp_restored, fp_same, ra_undefined, ra_saved, ra_restored, ra_same, other_saved, other_undefined, remember, nothing, ra_signed
	.irp two, cfa_offset, cfa_wide, cfa_adjust, cfa_register_fp, cfa_sp, cfa_fp, fp_saved, fp_moved, fp_rel, fp_restored, fp_same, ra_undefined, ra_saved, ra_restored, ra_same, other_saved, other_undefined, remember, nothing, ra_signed
	function \state, \one, \two
	.endr
	.endr
	.endr
	.section .note.GNU-stack,"",@progbits
