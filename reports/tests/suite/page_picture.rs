//! The picture of a frame: where CFA, return address and FP come to stand. Expectations are worked out from the rows by hand.

use model::{Abi, Aspect, Blame, Claim, Finding, Reg, RuleId, Shape, ValueRule, Values};
use reports::page::picture::{Line, Picture, Standing};

use crate::support::{self, RBP, RSP};
use crate::typed::{self, BELOW_CFA};

const SAME: ValueRule = ValueRule::SameValue;
const SP: Reg = Abi::Aarch64.facts().sp;

fn values(cfa: u64, ra: u64, fp: u64, row: Claim) -> Option<Values> {
    Some(support::values(cfa, ra, fp, row))
}

fn unexecuted(row: Claim) -> Option<Values> {
    Some(Values::of_row(row))
}

/// A row of AMD64 whose return address is in the word below the CFA.
fn row(base: Reg, offset: i64, fp: ValueRule) -> Claim {
    typed::row(Abi::Amd64, (base, offset), BELOW_CFA, fp)
}

fn word(reg: Reg, offset: i64) -> ValueRule {
    ValueRule::Memory { reg, offset }
}

fn finding(rule: RuleId, field: Aspect, [truth, sframe, eh_frame]: [Option<Values>; 3]) -> Finding {
    let mut found = Finding::new(rule, Blame::Assembler, "", Shape::Rule);
    found.field = field;
    (found.truth, found.sframe, found.eh_frame) = (truth, sframe, eh_frame);
    found
}

/// A push was missed: `.sframe` still has the CFA 8 bytes above SP.
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

#[test]
fn a_stale_row_stands_one_word_low() {
    let text = Picture::of(&stale()).expect("a picture").text();
    let wanted = [
        "                          truth  .sframe  .eh_frame",
        "0x7010  CFA+0             CFA             CFA",
        "0x7008  CFA-8   0x401000  RA     CFA!     RA",
        "0x7000  CFA-16  0x7100    SP FP  RA!      FP",
        ".sframe: FP still in its register (0x7100)",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), wanted, "\n{text}");
}

#[test]
fn the_words_of_a_large_frame_are_not_all_drawn() {
    let mut found = stale();
    found.truth = values(0x7810, 0x40_1000, 0x7100, row(RSP, 2064, ValueRule::AtCfa(-16)));
    let picture = Picture::of(&found).expect("a picture");
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
fn registers_follow_from_a_row_that_was_evaluated() {
    // The CFA is rbp+16 = 0x7010: rbp is 0x7000, and [rbp+8] the word at 0x7008.
    let based = typed::row(Abi::Amd64, (RBP, 16), word(RBP, 8), word(RBP, 0));
    let found = finding(RuleId::RowRaMatchesTruth, Aspect::Ra, [None, values(0x7010, 1, 2, based), None]);
    let picture = Picture::of(&found).expect("a picture");
    let text = picture.text();
    assert!(text.contains("0x7008  CFA-8   0x1         RA!"), "{text}");
    assert!(text.contains("0x7000  CFA-16  0x2         FP"), "{text}");
}

#[test]
fn an_fp_that_is_still_in_its_register_says_where_a_row_reads() {
    // After `pop %rbp` a row still loads FP from [rbp]: rbp has the caller's value, 0x7040, and the word there is another's.
    let found = finding(
        RuleId::RowFpMatchesTruth,
        Aspect::Fp,
        [values(0x7010, 1, 0x7040, row(RSP, 8, SAME)), values(0x7010, 1, 0, row(Reg(10), 0, word(RBP, 0))), None],
    );
    let text = Picture::of(&found).expect("a picture").text();
    let read = text.lines().find(|line| line.starts_with("0x7040")).expect("a word there");
    assert_eq!(read.split_whitespace().collect::<Vec<_>>(), ["0x7040", "CFA+48", "0x0", "FP!"]);
    // r11 is FP on s390x only.
    let other = finding(
        RuleId::RowFpMatchesTruth,
        Aspect::Fp,
        [values(0x7010, 1, 0x7040, row(RSP, 8, SAME)), values(0x7010, 1, 0, row(RSP, 8, word(Reg(11), 0))), None],
    );
    let text = Picture::of(&other).expect("a picture").text();
    assert!(text.contains(".sframe: FP in [r11+0] (0x0)!"), "{text}");
}

#[test]
fn without_execution_rows_are_placed_by_their_common_register() {
    let on_sp = |offset| unexecuted(typed::row(Abi::Aarch64, (SP, offset), BELOW_CFA, SAME));
    let sources = [None, on_sp(0), on_sp(16)];
    let picture = Picture::of(&finding(RuleId::CfiCfaDiffers, Aspect::Cfa, sources)).expect("a picture");
    assert_eq!(picture.base.as_deref(), Some("sp"));
    let text = picture.text();
    assert!(text.contains("sp+16") && text.contains("sp-8"), "{text}");
    let cfa = |source| picture.marks.iter().find(|mark| mark.source == source && mark.what == "CFA").expect("placed");
    assert_eq!((cfa(1).standing, cfa(2).standing), (Standing::Wrong, Standing::Sound));
}

#[test]
fn rows_with_nothing_in_common_have_no_picture() {
    let on = |base| unexecuted(typed::row(Abi::Aarch64, (base, 0), SAME, SAME));
    let sources = [None, on(SP), on(Reg(9))];
    assert_eq!(Picture::of(&finding(RuleId::CfiCfaDiffers, Aspect::Cfa, sources)), None);
    assert_eq!(Picture::of(&finding(RuleId::ElfSegment, Aspect::Structure, [None, None, None])), None);
    assert_eq!(
        Picture::of(&finding(
            RuleId::CfiCfaDiffers,
            Aspect::Cfa,
            [None, unexecuted(Claim::Nothing), unexecuted(Claim::NoRow)]
        )),
        None
    );
}

#[test]
fn a_place_between_words_has_its_bytes() {
    let mut found = stale();
    found.sframe = values(0x700c, 0, 0, row(RSP, 12, SAME));
    let picture = Picture::of(&found).expect("a picture");
    assert!(picture.text().contains("CFA+4!"), "{}", picture.text());
}

#[test]
fn the_outermost_frame_has_no_place_in_truth() {
    let row = typed::row(Abi::Aarch64, (SP, 0), SAME, SAME);
    let sources = [unexecuted(Claim::BeganHere), values(0x7000, 0, 0, row), None];
    let text = Picture::of(&finding(RuleId::RowOutermost, Aspect::Ra, sources)).expect("a picture").text();
    assert!(text.contains("truth: no caller: execution began here\n"), "{text}");
    assert!(text.contains(".sframe: RA still in its register (0x0)!"), "{text}");
}

#[test]
fn extreme_numbers_are_placed_without_overflow() {
    let row = typed::row(Abi::Aarch64, (SP, i64::MIN), ValueRule::AtCfa(i64::MAX), word(SP, i64::MIN));
    for cfa in [0, 1, u64::MAX] {
        let sources = [(); 3].map(|()| values(cfa, cfa, cfa, row.clone()));
        assert!(Picture::of(&finding(RuleId::RowCfaMatchesTruth, Aspect::Cfa, sources)).is_some());
    }
}
