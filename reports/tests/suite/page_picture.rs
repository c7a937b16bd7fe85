//! The picture of a frame: positions of CFA, return address and FP. Expected values are derived
//! from the rows by hand.

use reports::page::picture::{Agreement, Line, Picture};
use results::{Blame, Finding, Shape, Values};
use spec::RuleId;
use types::{Abi, Aspect, Claim, Reg, ValueRule};

use crate::support::{self, RBP, RSP};
use crate::typed::{self, BELOW_CFA};
use testing::printed;

const SAME: ValueRule = ValueRule::SameValue;
const SP: Reg = Abi::Aarch64.facts().sp;

fn values(cfa: u64, ra: u64, fp: u64, row: Claim) -> Option<Values> {
    Some(support::values(cfa, ra, fp, row))
}

fn unexecuted(row: Claim) -> Option<Values> {
    Some(Values::from_row(row))
}

/// A row of AMD64 with the return address in the word below the CFA.
fn row(base: Reg, offset: i64, fp: ValueRule) -> Claim {
    typed::row(Abi::Amd64, (base, offset), BELOW_CFA, fp)
}

fn word(reg: Reg, offset: i64) -> ValueRule {
    ValueRule::Memory { reg, offset }
}

fn finding(rule: RuleId, field: Aspect, [truth, sframe, eh_frame]: [Option<Values>; 3]) -> Finding {
    let mut found = Finding::new(rule, Blame::Assembler, "", Shape::Rule);
    found.evidence.field = field;
    (found.evidence.truth, found.evidence.sframe, found.evidence.eh_frame) = (truth, sframe, eh_frame);
    found
}

/// A row without the last push: `.sframe` still has the CFA 8 bytes above SP.
fn stale() -> Finding {
    let right = row(RSP, 16, ValueRule::AtCfa(-16));
    finding(
        RuleId::RowCfaMatchesTruth,
        Aspect::Cfa,
        [
            values(0x7010, 0x40_1000, 0x7100, right.clone()),
            values(0x7008, 0x7100, 0x7100, row(RSP, 8, SAME)),
            values(0x7010, 0x40_1000, 0x7100, right),
        ],
    )
}

/// Two unexecuted rows with CFAs 16 bytes apart.
fn at_rest() -> Finding {
    let on_sp = |offset| unexecuted(typed::row(Abi::Aarch64, (SP, offset), BELOW_CFA, SAME));
    finding(RuleId::CfiCfaDiffers, Aspect::Cfa, [None, on_sp(0), on_sp(16)])
}

#[test]
fn pictures_are_read() {
    let mut between = stale();
    between.evidence.sframe = values(0x700c, 0, 0, row(RSP, 12, SAME));
    // The CFA is rbp+16 = 0x7010: rbp is 0x7000, and [rbp+8] the word at 0x7008.
    let based = typed::row(Abi::Amd64, (RBP, 16), word(RBP, 8), word(RBP, 0));
    let evaluated = finding(RuleId::RowRaMatchesTruth, Aspect::Ra, [None, values(0x7010, 1, 2, based), None]);
    let fp = |wrong| {
        let truth = values(0x7010, 1, 0x7040, row(RSP, 8, SAME));
        finding(RuleId::RowFpMatchesTruth, Aspect::Fp, [truth, values(0x7010, 1, 0, wrong), None])
    };
    let outermost = values(0x7000, 0, 0, typed::row(Abi::Aarch64, (SP, 0), SAME, SAME));
    let outermost = finding(RuleId::RowOutermost, Aspect::Ra, [unexecuted(Claim::BeganHere), outermost, None]);
    let texts = [
        ("A push was missed: the row of .sframe stands one word low.", stale()),
        ("A CFA between two words.", between),
        ("Registers follow from a row that was evaluated.", evaluated),
        // rbp has the caller's value, 0x7040, and the word there is unrelated.
        ("After pop %rbp a row still loads FP from [rbp].", fp(row(Reg(10), 0, word(RBP, 0)))),
        ("FP is loaded from a register that is FP on s390x only.", fp(row(RSP, 8, word(Reg(11), 0)))),
        ("Nothing was executed: rows are placed by the register that they share.", at_rest()),
        ("Execution began here.", outermost),
    ];
    let texts = texts.map(|(what, found)| format!("{what}\n\n{}", Picture::new(&found).expect("a picture").text()));
    printed!("pictures.txt", &texts.join("\n"));
}

#[test]
fn the_words_of_a_large_frame_are_not_all_drawn() {
    let mut found = stale();
    found.evidence.truth = values(0x7810, 0x40_1000, 0x7100, row(RSP, 2064, ValueRule::AtCfa(-16)));
    let picture = Picture::new(&found).expect("a picture");
    assert!(picture.lines.len() < 14, "{}", picture.text());
    let drawn: i128 = picture
        .lines
        .iter()
        .map(|line| match line {
            Line::Word { .. } => 8,
            Line::Gap(bytes) => *bytes,
        })
        .sum();
    // From SP at 0x7000 to the end of the word at 0x7810.
    assert_eq!(drawn, 0x818, "{}", picture.text());
}

#[test]
fn without_execution_rows_are_placed_by_their_common_register() {
    let picture = Picture::new(&at_rest()).expect("a picture");
    assert_eq!(picture.base.as_deref(), Some("sp"));
    let cfa = |source| picture.marks.iter().find(|mark| mark.source == source && mark.what == "CFA").expect("placed");
    assert_eq!((cfa(1).standing, cfa(2).standing), (Agreement::Wrong, Agreement::Sound));
}

#[test]
fn rows_with_nothing_in_common_have_no_picture() {
    let on = |base| unexecuted(typed::row(Abi::Aarch64, (base, 0), SAME, SAME));
    let sources = [None, on(SP), on(Reg(9))];
    assert_eq!(Picture::new(&finding(RuleId::CfiCfaDiffers, Aspect::Cfa, sources)), None);
    assert_eq!(Picture::new(&finding(RuleId::ElfSegment, Aspect::Structure, [None, None, None])), None);
    assert_eq!(
        Picture::new(&finding(
            RuleId::CfiCfaDiffers,
            Aspect::Cfa,
            [None, unexecuted(Claim::Nothing), unexecuted(Claim::NoRow)]
        )),
        None
    );
}

#[test]
fn extreme_numbers_are_placed_without_overflow() {
    let row = typed::row(Abi::Aarch64, (SP, i64::MIN), ValueRule::AtCfa(i64::MAX), word(SP, i64::MIN));
    for cfa in [0, 1, u64::MAX] {
        let sources = [(); 3].map(|()| values(cfa, cfa, cfa, row.clone()));
        assert!(Picture::new(&finding(RuleId::RowCfaMatchesTruth, Aspect::Cfa, sources)).is_some());
    }
}
