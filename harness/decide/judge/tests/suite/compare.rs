//! Comparison of two rows: differences, and the rule that each breaks.

use judge::compare::{self, Shared};
use spec::RuleId;
use types::{Abi, CfaRule, ExprId, Field, PacKey, Pc, Reg, UnwindRow, ValueRule};

const RBP: Reg = Reg(6);
const RSP: Reg = Reg(7);

/// `cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]`.
const ROW: UnwindRow = UnwindRow {
    start: Pc(0x1000),
    end: Pc(0x1010),
    cfa: CfaRule::Register { reg: RBP, offset: 16 },
    ra: ValueRule::AtCfa(-8),
    fp: ValueRule::AtCfa(-16),
    signed: false,
    key: PacKey::A,
    signed_with_pc: false,
    sp: None,
    signal: false,
};

/// Differences between rows of AMD64.
fn differences(sframe: &UnwindRow, eh_frame: &UnwindRow) -> Vec<RuleId> {
    compare::differences(Abi::Amd64.facts(), sframe, eh_frame)
}

const OPAQUE: ValueRule = ValueRule::Expression(ExprId(0));

fn with(change: impl FnOnce(&mut UnwindRow)) -> UnwindRow {
    let mut row = ROW;
    change(&mut row);
    row
}

#[test]
fn equal_rows_do_not_differ() {
    assert_eq!(differences(&ROW, &ROW), [""; 0]);
}

/// Ranges differ wherever one table splits a row that the other merges; this is not a difference in
/// meaning.
#[test]
fn the_range_of_a_row_is_not_compared() {
    let shorter = with(|row| row.end = Pc(0x1004));
    assert_eq!(differences(&ROW, &shorter), [""; 0]);
}

#[test]
fn each_difference_breaks_its_own_rule() {
    let cases = [
        ("cfi/cfa-differs", with(|row| row.cfa = CfaRule::Memory { reg: RBP, offset: 16 })),
        ("cfi/ra-differs", with(|row| row.ra = ValueRule::AtCfa(-24))),
        ("cfi/ra-differs", with(|row| row.ra = ValueRule::SameValue)),
        ("cfi/fp-differs", with(|row| row.fp = ValueRule::SameValue)),
        ("cfi/fp-differs", with(|row| row.fp = ValueRule::AtCfa(-24))),
        ("cfi/signed-differs", with(|row| row.signed = true)),
    ];
    for (rule, other) in cases {
        assert_eq!(differences(&ROW, &other), [rule], "{other:?}");
        assert_eq!(differences(&other, &ROW), [rule], "the other way round: {other:?}");
    }
}

/// The key is in the function's FDE and in its CIE: it has no effect unless a row is signed.
#[test]
fn keys_differ_where_rows_are_signed() {
    let signed = |key| with(|row| (row.signed, row.key) = (true, key));
    assert_eq!(differences(&signed(PacKey::A), &signed(PacKey::B)), ["cfi/key-differs"]);
    assert_eq!(differences(&ROW, &with(|row| row.key = PacKey::B)), [""; 0]);
    let with_pc = with(|row| (row.signed, row.signed_with_pc) = (true, true));
    assert_eq!(differences(&signed(PacKey::A), &with_pc), ["cfi/signed-differs"], "no row can say it");
    assert_eq!(differences(&ROW, &with(|row| row.signed_with_pc = true)), [""; 0], "not signed at all");
}

/// `.sframe` has no rule for the caller's SP: it is the CFA less the ABI's distance.
#[test]
fn a_rule_for_sp_must_say_what_follows_from_the_cfa() {
    let sp = |rule| with(|row| row.sp = Some(rule));
    for (rule, differs) in [
        (ValueRule::CfaPlus(0), false),
        (ValueRule::CfaPlus(8), true),
        (ValueRule::Undefined, true),
        (ValueRule::Register { reg: Reg(12), offset: 0 }, true),
        (ValueRule::Register { reg: RBP, offset: 16 }, false),
        (ValueRule::SameValue, true),
        (ValueRule::AtCfa(-24), false),
        (OPAQUE, false),
    ] {
        let expected = if differs { vec![RuleId::CfiSpDiffers] } else { Vec::new() };
        assert_eq!(differences(&ROW, &sp(rule)), expected, "{rule:?}");
    }
    let unmoved = UnwindRow { cfa: CfaRule::Register { reg: RSP, offset: 0 }, ..sp(ValueRule::SameValue) };
    assert_eq!(differences(&UnwindRow { sp: None, ..unmoved.clone() }, &unmoved), [""; 0]);
    // Functions of s390x save r15 with the other registers; the CFA is 160 bytes above the caller's
    // SP.
    for (rule, differs) in [
        (ValueRule::AtCfa(-40), false),
        (ValueRule::CfaPlus(-160), false),
        (ValueRule::CfaPlus(0), true),
        (ValueRule::Register { reg: Reg(18), offset: 0 }, false),
        (ValueRule::Register { reg: Reg(18), offset: 8 }, true),
        (ValueRule::SameValue, true),
        (ValueRule::Undefined, true),
    ] {
        let expected = if differs { vec![RuleId::CfiSpDiffers] } else { Vec::new() };
        assert_eq!(compare::differences(Abi::S390x.facts(), &ROW, &sp(rule)), expected, "{rule:?}");
    }
}

#[test]
fn several_differences_are_all_named() {
    let other = with(|row| {
        row.cfa = CfaRule::Register { reg: RSP, offset: 24 };
        row.ra = ValueRule::AtCfa(-24);
        row.fp = ValueRule::SameValue;
        row.signed = true;
    });
    let expected = ["cfi/cfa-differs", "cfi/ra-differs", "cfi/fp-differs", "cfi/signed-differs"];
    assert_eq!(differences(&ROW, &other), expected);
}

#[test]
fn a_slot_named_by_cfa_or_by_its_base_register_is_the_same() {
    let by_register = with(|row| row.fp = ValueRule::Memory { reg: RBP, offset: 0 });
    assert_eq!(differences(&ROW, &by_register), [""; 0], "[cfa-16] is [rbp+0] where the CFA is rbp+16");
    let beside = with(|row| row.fp = ValueRule::Memory { reg: RBP, offset: 8 });
    assert_eq!(differences(&ROW, &beside), ["cfi/fp-differs"]);
    let other_base = with(|row| row.fp = ValueRule::Memory { reg: RSP, offset: 0 });
    assert_eq!(differences(&ROW, &other_base), ["cfi/fp-differs"]);
    let loaded = with(|row| row.fp = ValueRule::Register { reg: RBP, offset: 0 });
    assert_eq!(differences(&ROW, &loaded), ["cfi/fp-differs"], "the value rbp is not the word at rbp");
}

#[test]
fn a_value_named_by_cfa_or_by_its_base_register_is_the_same() {
    let by_cfa = with(|row| row.fp = ValueRule::CfaPlus(-16));
    let by_register = with(|row| row.fp = ValueRule::Register { reg: RBP, offset: 0 });
    assert_eq!(differences(&by_cfa, &by_register), [""; 0]);
}

#[test]
fn no_caller_in_both_leaves_nothing_to_compare() {
    let outermost = with(|row| row.ra = ValueRule::Undefined);
    let other = with(|row| {
        row.ra = ValueRule::Undefined;
        row.cfa = CfaRule::Unspecified;
        row.fp = ValueRule::SameValue;
        row.signed = true;
    });
    assert_eq!(differences(&outermost, &other), [""; 0]);
}

#[test]
fn no_caller_in_one_only_is_a_difference_about_ra_and_nothing_else() {
    let outermost = with(|row| {
        row.ra = ValueRule::Undefined;
        row.cfa = CfaRule::Unspecified;
        row.fp = ValueRule::SameValue;
    });
    assert_eq!(differences(&outermost, &ROW), ["cfi/ra-differs"]);
    assert_eq!(differences(&ROW, &outermost), ["cfi/ra-differs"]);
}

#[test]
fn an_expression_without_a_simpler_form_is_left_to_execution() {
    let cfa = with(|row| row.cfa = CfaRule::Expression(ExprId(0)));
    let ra = with(|row| row.ra = OPAQUE);
    let fp = with(|row| row.fp = OPAQUE);
    for opaque in [cfa, ra, fp] {
        assert_eq!(differences(&ROW, &opaque), [""; 0], "{opaque:?}");
        assert_eq!(differences(&opaque, &ROW), [""; 0], "{opaque:?}");
    }
}

#[test]
fn an_opaque_value_hides_no_other_difference() {
    let other = with(|row| {
        row.cfa = CfaRule::Expression(ExprId(0));
        row.ra = ValueRule::AtCfa(-24);
    });
    assert_eq!(differences(&ROW, &other), ["cfi/ra-differs"]);
}

/// An undefined FP cannot be expressed in SFrame: a row can only leave it unchanged.
#[test]
fn an_fp_that_cfi_leaves_undefined_has_no_place_in_sframe() {
    let undefined = with(|row| row.fp = ValueRule::Undefined);
    assert_eq!(differences(&with(|row| row.fp = ValueRule::SameValue), &undefined), [""; 0]);
    assert_eq!(differences(&ROW, &undefined), ["cfi/fp-differs"], "a slot where there is none");
    assert_eq!(differences(&undefined, &ROW), ["cfi/fp-differs"], "but SFrame must not drop what CFI has");
}

const FIELDS: [Field; 7] =
    [Field::Outermost, Field::DeadStack, Field::Cfa, Field::Signed, Field::Ra, Field::Fp, Field::Sp];

/// The fields that two rows give by the same rules.
fn shared(a: &UnwindRow, b: &UnwindRow) -> Vec<Field> {
    FIELDS.into_iter().filter(|field| Shared::new(Abi::Amd64.facts(), a, b).has(*field)).collect()
}

#[test]
fn equal_rows_share_every_field() {
    assert_eq!(shared(&ROW, &ROW), FIELDS);
}

#[test]
fn a_field_is_shared_with_all_that_it_comes_from() {
    use Field::{Cfa, DeadStack, Fp, Outermost, Ra, Signed, Sp};
    let cases = [
        // A rule relative to another CFA is another location.
        (with(|row| row.cfa = CfaRule::Register { reg: RSP, offset: 16 }), vec![Signed]),
        (with(|row| row.ra = ValueRule::SameValue), vec![Cfa, Signed, Fp, Sp]),
        (with(|row| row.fp = ValueRule::SameValue), vec![Outermost, Cfa, Signed, Ra, Sp]),
        (with(|row| row.signed = true), vec![Outermost, DeadStack, Cfa, Ra, Fp, Sp]),
        // A key has no effect on a row that is not signed; the same location may be written in two
        // ways.
        (with(|row| row.key = PacKey::B), FIELDS.to_vec()),
        (with(|row| row.fp = ValueRule::Memory { reg: RBP, offset: 0 }), FIELDS.to_vec()),
        (with(|row| row.signal = true), FIELDS.to_vec()),
    ];
    for (other, expected) in cases {
        assert_eq!(shared(&ROW, &other), expected, "{other:?}");
        assert_eq!(shared(&other, &ROW), expected, "the other way round: {other:?}");
    }
}

#[test]
fn expressions_share_nothing() {
    let opaque = with(|row| (row.ra, row.fp) = (OPAQUE, OPAQUE));
    assert_eq!(shared(&opaque, &opaque), [Field::Cfa, Field::Signed, Field::Sp]);
    let opaque = with(|row| row.cfa = CfaRule::Expression(ExprId(0)));
    assert_eq!(shared(&opaque, &opaque), [Field::Signed]);
}
