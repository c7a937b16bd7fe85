//! What repairs are called.

use results::{RepairAction, RepairEdit};
use spec::RuleId;

fn edit(action: RepairAction, directive: &str, place: &str, form: &str) -> RepairEdit {
    let verb = form.split(' ').next().unwrap_or_default();
    RepairEdit {
        action,
        directive: directive.to_owned(),
        edit: format!("{verb} {directive} {place}"),
        pc: 2,
        after: Some(1),
        from: place.starts_with("before").then_some(3),
        place: "f+0x2".to_owned(),
        normal_form: form.to_owned(),
        frame: "CFA by SP, FP saved".to_owned(),
    }
}

#[test]
fn a_title_says_which_directive_is_missing_late_or_wrong() {
    use RepairAction::{Change, Delete, Insert, Move};
    for (action, directive, place, form, title, of_any) in [
        (
            Insert,
            ".cfi_restore %rbp",
            "after pop %rbp",
            "insert .cfi_restore FP after pop FP",
            "missing `.cfi_restore %rbp` after `pop %rbp`",
            "missing `.cfi_restore FP` after `pop FP`",
        ),
        (
            Move,
            ".cfi_def_cfa_offset 16",
            "before mov %rax, %rbx",
            "move .cfi_adjust_cfa_offset N before mov %R, S",
            "late `.cfi_def_cfa_offset 16`, expected before `mov %rax, %rbx`",
            "late `.cfi_adjust_cfa_offset N`, expected before `mov %R, S`",
        ),
        (
            Change,
            ".cfi_offset %rbp, -16",
            "after push %rbp",
            "change .cfi_offset FP, -N after push FP",
            "wrong operand after `push %rbp`: expected `.cfi_offset %rbp, -16`",
            "wrong operand after `push FP`: expected `.cfi_offset FP, -N`",
        ),
        (
            Delete,
            ".cfi_restore_state",
            "at the entry",
            "delete .cfi_restore_state at the entry",
            "wrong `.cfi_restore_state` at the entry",
            "wrong `.cfi_restore_state` at the entry",
        ),
    ] {
        let edit = edit(action, directive, place, form);
        assert_eq!((edit.title().as_str(), edit.title_of_any().as_str()), (title, of_any));
    }
}

/// Whichever field showed it.
#[test]
fn the_rule_is_that_of_the_field_that_the_directive_changes() {
    for (form, rule) in [
        ("insert .cfi_restore FP after pop FP", RuleId::RowFpMatchesTruth),
        ("insert .cfi_register RA, R after mov R, RA", RuleId::RowRaMatchesTruth),
        ("move .cfi_adjust_cfa_offset N after push S", RuleId::RowCfaMatchesTruth),
        ("insert .cfi_negate_ra_state after autiasp", RuleId::RowSignedMatchesTruth),
    ] {
        assert_eq!(edit(RepairAction::Insert, "", "", form).rule(RuleId::RowCfaMatchesTruth), rule, "{form}");
    }
    let of_eh_frame = edit(RepairAction::Delete, "", "", "delete .cfi_escape of S after nop");
    assert_eq!(of_eh_frame.rule(RuleId::EhFrameCfaMatchesTruth), RuleId::EhFrameRegisterMatchesTruth);
}
