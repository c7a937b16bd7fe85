//! Causes of findings.

use results::{Blame, Finding, Source, WrongRow};
use results::{Cause, without_numbers};
use spec::RuleId;
use types::{Abi, CfaRule, Claim, Equations, Location, Reg, ValueRule};

fn row(reg: u16, offset: i64, fp: ValueRule) -> Claim {
    let cfa = CfaRule::Register { reg: Reg(reg), offset };
    Claim::Row(
        Equations {
            abi: Abi::Amd64,
            cfa,
            ra: Location::Rule(ValueRule::AtCfa(-8)),
            fp: Location::Rule(fp),
            sp: None,
            signed_by: None,
            signed_with_pc: false,
            signal: false,
        },
        None,
    )
}

fn found(function: &str, rows: &[(Claim, Claim)]) -> Finding {
    let mut found = Finding::new(RuleId::RowCfaMatchesTruth, Blame::Assembler, function, "");
    for (sframe, eh_frame) in rows.iter().cloned() {
        found.evidence.rows.push(WrongRow {
            ranges: vec![(1, 2)],
            wrong: Source::Sframe,
            right: Some(Source::EhFrame),
            sframe,
            eh_frame,
            truth: None,
            before: None,
            after: None,
        });
    }
    found
}

#[test]
fn functions_and_numbers_make_no_difference_and_registers_do() {
    let same = ValueRule::SameValue;
    let one = Cause::from_finding(&found("f", &[(row(7, 16, same), row(7, 8, same))]));
    let other =
        Cause::from_finding(&found("g", &[(row(7, 48, same), row(7, 32, same)), (row(7, 24, same), row(7, 8, same))]));
    assert_eq!(one, other);
    assert_eq!(one.first().expect("a cause").shape, "cfa=rsp+N where rsp+N");
    let saved = ValueRule::AtCfa(-16);
    let two =
        Cause::from_finding(&found("h", &[(row(7, 16, same), row(6, 16, same)), (row(7, 16, same), row(7, 8, saved))]));
    let second = two.last().expect("two causes");
    assert_eq!(second.difference(), "cfa=rsp+N, expected rsp+N; fp=same, expected [cfa-N]");
    let shapes: Vec<String> = two.into_iter().map(|cause| cause.shape).collect();
    assert_eq!(shapes, ["cfa=rsp+N where rbp+N", "cfa=rsp+N where rsp+N, fp=same where [cfa-N]"]);
}

#[test]
fn what_is_no_row_is_told_by_its_words() {
    let words = Finding::new(RuleId::CfiRefused, Blame::EhFrame, "f", "a CIE of version 7 at 0x40");
    let causes = Cause::from_finding(&words);
    let cause = causes.first().expect("a cause");
    assert_eq!(cause.title(), "eh-frame: cfi/refused: a CIE of version N at N");
    assert_eq!(cause.fingerprint().len(), 16);
}

#[test]
fn digits_of_names_stay() {
    assert_eq!(without_numbers("ra=[cfa-16] r15+8 0x40 x29 v2"), "ra=[cfa-N] r15+N N x29 v2");
}
