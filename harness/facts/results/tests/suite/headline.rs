//! The line that heads a finding.

use spec::RuleId;
use types::{Abi, Aspect, CfaRule, Claim, Equations, Location, PacKey, Reg, ValueRule};

use results::{Blame, Finding, Shape, Source, WindowLine, WrongRow};

fn row(ra: ValueRule) -> Claim {
    let cfa = CfaRule::Register { reg: Reg(7), offset: 0 };
    let (ra, fp) = (Location::Rule(ra), Location::Rule(ValueRule::SameValue));
    let (sp, signed_by, signed_with_pc, signal) = (None, None, false, false);
    Claim::Row(Equations { abi: Abi::Amd64, cfa, ra, fp, sp, signed_by, signed_with_pc, signal }, None)
}

/// A difference of the tables about the return address.
fn differing(sframe: Claim, eh_frame: Claim, right: Option<Source>) -> Finding {
    let mut found = Finding::new(RuleId::CfiRaDiffers, Blame::Assembler, "f", Shape::Rule);
    found.evidence.field = Aspect::Ra;
    let ranges = vec![(1, 2)];
    let (wrong, truth, before, after) = (Source::Sframe, None, None, None);
    found.evidence.rows = vec![WrongRow { ranges, wrong, right, sframe, eh_frame, truth, before, after }];
    found
}

#[test]
fn a_title_says_whose_expectation_the_machine_does_not_share() {
    let rax = || row(ValueRule::Register { reg: Reg(0), offset: 0 });
    let mut found = differing(row(ValueRule::AtCfa(-8)), rax(), Some(Source::EhFrame));
    let title = |found: &Finding| found.contrast().expect("a row");
    assert_eq!(title(&found), "RA is [cfa-8], expected rax");
    // As on the page: the true frame is beside the row.
    for (truth, title_then) in [
        ("cfa=rsp ra=[cfa-8] fp=same", "RA is [cfa-8], .eh_frame has rax"),
        ("cfa=rsp ra=rax fp=same", "RA is [cfa-8], expected rax"),
    ] {
        let line = WindowLine { truth: truth.to_owned(), wrong: true, ..WindowLine::default() };
        found.shown.window = vec![WindowLine { wrong: false, truth: "cfa=rsp+8".to_owned(), ..line.clone() }, line];
        assert_eq!(title(&found), title_then);
    }
}

#[test]
fn a_title_has_neither_a_dash_nor_one_row_twice() {
    let slot = || row(ValueRule::AtCfa(-8));
    let title = |sframe, eh_frame| differing(sframe, eh_frame, None).contrast().expect("a row");
    assert_eq!(title(Claim::Nothing, slot()), "RA is missing in .sframe, [cfa-8] in .eh_frame");
    assert_eq!(title(slot(), slot()), "RA is [cfa-8] in both tables");
    // Rules alike, values not: the message has the values.
    let mut alike = differing(slot(), slot(), Some(Source::EhFrame));
    alike.shown.message = "the values".to_owned();
    assert_eq!((alike.contrast(), alike.headline()), (None, "the values".to_owned()));
}

#[test]
fn a_title_names_the_only_field_that_differs_and_else_the_row() {
    let title = |change: fn(&mut Equations)| {
        let Claim::Row(mut expected, None) = row(ValueRule::AtCfa(-8)) else { panic!("a row") };
        change(&mut expected);
        let found = differing(row(ValueRule::AtCfa(-8)), Claim::Row(expected, None), Some(Source::EhFrame));
        found.contrast().expect("a row")
    };
    assert_eq!(title(|row| row.sp = Some(ValueRule::CfaPlus(16))), "SP is cfa, expected cfa+16");
    assert_eq!(title(|row| row.fp = Location::Rule(ValueRule::AtCfa(-16))), "FP is same, expected [cfa-16]");
    assert_eq!(title(|row| row.signed_by = Some(PacKey::B)), "RA is unsigned, expected signed with key B");
    let signal = "row is not that of a signal frame, expected that of a signal frame";
    assert_eq!(title(|row| row.signal = true), signal);
    assert_eq!(
        title(|row| (row.signal, row.sp) = (true, Some(ValueRule::Undefined))),
        "row is cfa=rsp ra=[cfa-8] fp=same, expected cfa=rsp ra=[cfa-8] fp=same sp=undefined signal"
    );
}
