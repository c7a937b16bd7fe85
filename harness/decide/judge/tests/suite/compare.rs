//! Comparison of two rows, written as they are printed: differences, the rule that each breaks, and
//! the fields that both give by the same rule.

use judge::compare::{self, Shared};
use types::{Abi, Claim, Equations, Field, Location, PacKey, Pc, UnwindRow};

/// `.sframe`'s row in all comparisons, unless another is given.
const ROW: &str = "cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]";

/// The row of a text; `B:` in front is of a function with that key, `pc:` of one whose signature
/// has the PC.
fn row(abi: Abi, text: &str) -> UnwindRow {
    let (key, text) = text.strip_prefix("B:").map_or((PacKey::A, text), |rest| (PacKey::B, rest));
    let (with_pc, text) = text.strip_prefix("pc:").map_or((false, text), |rest| (true, rest));
    let Claim::Row(equations, None) = Claim::read(abi, text) else { panic!("{text}: no row") };
    let Equations { cfa, ra, fp, sp, signed_by, signed_with_pc, signal, .. } = equations;
    let (Location::Rule(ra), Location::Rule(fp)) = (ra, fp) else { panic!("{text}: no rule") };
    let (start, end) = (Pc(0x1000), Pc(0x1010));
    let (signed, key, signed_with_pc) = (signed_by.is_some(), signed_by.unwrap_or(key), signed_with_pc || with_pc);
    UnwindRow { start, end, cfa, ra, fp, signed, key, signed_with_pc, sp, signal }
}

/// The broken rules, without their group and `-differs`.
fn differences(abi: Abi, sframe: &str, eh_frame: &str) -> String {
    let found = compare::differences(abi.facts(), &row(abi, sframe), &row(abi, eh_frame));
    let word = |rule: &spec::RuleId| {
        rule.name().strip_prefix("cfi/").and_then(|name| name.strip_suffix("-differs")).map(str::to_owned)
    };
    found.iter().map(|rule| word(rule).expect("a rule of `cfi/`")).collect::<Vec<_>>().join(" ")
}

/// Rows of AMD64, each beside [`ROW`], with the rules broken in either order.
#[test]
fn each_difference_breaks_its_own_rule() {
    for (other, expected) in [
        (ROW, ""),
        ("cfa=[rbp+16] ra=[cfa-8] fp=[cfa-16]", "cfa"),
        ("cfa=rbp+16 ra=[cfa-24] fp=[cfa-16]", "ra"),
        ("cfa=rbp+16 ra=same fp=[cfa-16]", "ra"),
        ("cfa=rbp+16 ra=[cfa-8] fp=same", "fp"),
        ("cfa=rbp+16 ra=[cfa-8] fp=[cfa-24]", "fp"),
        ("cfa=rbp+16 ra=[cfa-8] fp=[cfa-16] signed:A", "signed"),
        ("cfa=rsp+24 ra=[cfa-24] fp=same signed:A", "cfa ra fp signed"),
        // The key is of a function, and has no effect unless a row is signed.
        ("B:cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]", ""),
        ("pc:cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]", ""),
        // [cfa-16] is [rbp] where the CFA is rbp+16; the value of rbp is not the word at rbp.
        ("cfa=rbp+16 ra=[cfa-8] fp=[rbp]", ""),
        ("cfa=rbp+16 ra=[cfa-8] fp=[rbp+8]", "fp"),
        ("cfa=rbp+16 ra=[cfa-8] fp=[rsp]", "fp"),
        ("cfa=rbp+16 ra=[cfa-8] fp=rbp", "fp"),
        // No caller in one only is a difference about RA and nothing else.
        ("cfa=none ra=undefined fp=same", "ra"),
        // Only execution can judge an expression, which hides no other difference.
        ("cfa=expression ra=[cfa-8] fp=[cfa-16]", ""),
        ("cfa=rbp+16 ra=expression fp=[cfa-16]", ""),
        ("cfa=rbp+16 ra=[cfa-8] fp=expression", ""),
        ("cfa=expression ra=[cfa-24] fp=[cfa-16]", "ra"),
        ("cfa=rbp+16 ra=[cfa-8] fp=undefined", "fp"),
    ] {
        assert_eq!(differences(Abi::Amd64, ROW, other), expected, "{other}");
        assert_eq!(differences(Abi::Amd64, other, ROW), expected, "the other way round: {other}");
    }
}

#[test]
fn two_other_rows() {
    for (sframe, eh_frame, expected) in [
        ("cfa=rbp+16 ra=[cfa-8] fp=same signed:A", "cfa=rbp+16 ra=[cfa-8] fp=same signed:B", "key"),
        // No row of .sframe can encode it.
        ("cfa=rbp+16 ra=[cfa-8] fp=same signed:A", "cfa=rbp+16 ra=[cfa-8] fp=same signed:A+pc", "signed"),
        ("cfa=rbp+16 ra=[cfa-8] fp=cfa-16", "cfa=rbp+16 ra=[cfa-8] fp=rbp", ""),
        ("cfa=rbp+16 ra=undefined fp=[cfa-16]", "cfa=none ra=undefined fp=same signed:A", ""),
        // A row of .sframe can only leave an undefined FP unchanged.
        ("cfa=rbp+16 ra=[cfa-8] fp=same", "cfa=rbp+16 ra=[cfa-8] fp=undefined", ""),
        ("cfa=rsp ra=[cfa-8] fp=[cfa-16]", "cfa=rsp ra=[cfa-8] fp=[cfa-16] sp=same", ""),
    ] {
        assert_eq!(differences(Abi::Amd64, sframe, eh_frame), expected, "{sframe}; {eh_frame}");
    }
}

/// Ranges differ wherever one table splits a row that the other merges.
#[test]
fn the_range_of_a_row_is_not_compared() {
    let one = row(Abi::Amd64, ROW);
    let shorter = UnwindRow { end: Pc(0x1004), ..one.clone() };
    assert_eq!(compare::differences(Abi::Amd64.facts(), &one, &shorter), [""; 0]);
}

/// `.sframe` has no rule for the caller's SP: it is the CFA less the ABI's distance. On s390x,
/// where functions save r15 with the other registers, 160 bytes.
#[test]
fn a_rule_for_sp_must_say_what_follows_from_the_cfa() {
    let [amd64, s390x] = [(Abi::Amd64, "rbp"), (Abi::S390x, "r11")];
    for ((abi, fp), sp, differs) in [
        (amd64, "cfa+0", false),
        (amd64, "cfa+8", true),
        (amd64, "undefined", true),
        (amd64, "r12", true),
        (amd64, "rbp+16", false),
        (amd64, "same", true),
        (amd64, "[cfa-24]", false),
        (amd64, "expression", false),
        (s390x, "[cfa-40]", false),
        (s390x, "cfa-160", false),
        (s390x, "cfa+0", true),
        (s390x, "reg18", false),
        (s390x, "reg18+8", true),
        (s390x, "same", true),
        (s390x, "undefined", true),
    ] {
        let sframe = format!("cfa={fp}+16 ra=[cfa-8] fp=[cfa-16]");
        let sp = sp.replace("reg18", abi.register_name(types::Reg(18)).as_deref().unwrap_or("reg18"));
        let found = differences(abi, &sframe, &format!("{sframe} sp={sp}"));
        assert_eq!(found, if differs { "sp" } else { "" }, "{abi}: {sp}");
    }
}

const FIELDS: [Field; 7] =
    [Field::Outermost, Field::DeadStack, Field::Cfa, Field::Signed, Field::Ra, Field::Fp, Field::Sp];

/// The fields that two rows give by the same rules.
fn shared(a: &UnwindRow, b: &UnwindRow) -> Vec<Field> {
    FIELDS.into_iter().filter(|field| Shared::new(Abi::Amd64.facts(), a, b).has(*field)).collect()
}

#[test]
fn a_field_is_shared_with_all_that_it_comes_from() {
    use Field::{Cfa, DeadStack, Fp, Outermost, Ra, Signed, Sp};
    let one = row(Abi::Amd64, ROW);
    for (other, expected) in [
        (ROW, &FIELDS[..]),
        // A rule relative to another CFA is another location.
        ("cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]", &[Signed]),
        ("cfa=rbp+16 ra=same fp=[cfa-16]", &[Cfa, Signed, Fp, Sp]),
        ("cfa=rbp+16 ra=[cfa-8] fp=same", &[Outermost, Cfa, Signed, Ra, Sp]),
        ("cfa=rbp+16 ra=[cfa-8] fp=[cfa-16] signed:A", &[Outermost, DeadStack, Cfa, Ra, Fp, Sp]),
        // A key has no effect on a row that is not signed; the same location may be written in two
        // ways.
        ("B:cfa=rbp+16 ra=[cfa-8] fp=[cfa-16]", &FIELDS),
        ("cfa=rbp+16 ra=[cfa-8] fp=[rbp]", &FIELDS),
        ("cfa=rbp+16 ra=[cfa-8] fp=[cfa-16] signal", &FIELDS),
    ] {
        let other_row = row(Abi::Amd64, other);
        assert_eq!(shared(&one, &other_row), expected, "{other}");
        assert_eq!(shared(&other_row, &one), expected, "the other way round: {other}");
    }
}

#[test]
fn expressions_share_nothing() {
    let opaque = row(Abi::Amd64, "cfa=rbp+16 ra=expression fp=expression");
    assert_eq!(shared(&opaque, &opaque), [Field::Cfa, Field::Signed, Field::Sp]);
    let opaque = row(Abi::Amd64, "cfa=expression ra=[cfa-8] fp=[cfa-16]");
    assert_eq!(shared(&opaque, &opaque), [Field::Signed]);
}
