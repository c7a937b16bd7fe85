//! The picture of a frame: where CFA, return address and FP come to stand. Expectations are worked out from the rows by hand.

use model::{FindingLine, Values};
use reports::page::picture::{Line, Picture, Standing};

fn values(cfa: u64, ra: u64, fp: u64, row: &str) -> Option<Values> {
    Some(Values { cfa: Some(cfa), ra: Some(ra), fp: Some(fp), row: row.to_owned() })
}

fn said(row: &str) -> Option<Values> {
    Some(Values { row: row.to_owned(), ..Values::default() })
}

fn finding(rule: &str, field: &str, voices: [Option<Values>; 3]) -> FindingLine {
    let [truth, sframe, eh_frame] = voices;
    FindingLine { rule: rule.to_owned(), field: field.to_owned(), truth, sframe, eh_frame, ..FindingLine::default() }
}

/// A push was missed: `.sframe` still has the CFA 8 bytes above SP.
fn stale() -> FindingLine {
    finding(
        "row/cfa-matches-truth",
        "cfa",
        [
            values(0x7010, 0x40_1000, 0x7100, "cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]"),
            values(0x7008, 0x7100, 0x7100, "cfa=rsp+8 ra=[cfa-8] fp=same"),
            values(0x7010, 0x40_1000, 0x7100, "cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]"),
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
    found.truth = values(0x7810, 0x40_1000, 0x7100, "cfa=rsp+2064 ra=[cfa-8] fp=[cfa-16]");
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
    let found =
        finding("row/ra-matches-truth", "ra", [None, values(0x7010, 1, 2, "cfa=rbp+16 ra=[rbp+8] fp=[rbp]"), None]);
    let picture = Picture::of(&found).expect("a picture");
    let text = picture.text();
    assert!(text.contains("0x7008  CFA-8   0x1         RA!"), "{text}");
    assert!(text.contains("0x7000  CFA-16  0x2         FP"), "{text}");
}

#[test]
fn an_fp_that_is_still_in_its_register_says_where_a_row_reads() {
    // After `pop %rbp` a row still loads FP from [rbp]: rbp has the caller's value, 0x7040, and the word there is another's.
    let found = finding(
        "row/fp-matches-truth",
        "fp",
        [
            values(0x7010, 1, 0x7040, "cfa=rsp+8 ra=[cfa-8] fp=same"),
            values(0x7010, 1, 0, "cfa=r10 ra=[cfa-8] fp=[rbp]"),
            None,
        ],
    );
    let text = Picture::of(&found).expect("a picture").text();
    let read = text.lines().find(|line| line.starts_with("0x7040")).expect("a word there");
    assert_eq!(read.split_whitespace().collect::<Vec<_>>(), ["0x7040", "CFA+48", "0x0", "FP!"]);
    // r11 is FP on s390x only.
    let other = finding(
        "row/fp-matches-truth",
        "fp",
        [
            values(0x7010, 1, 0x7040, "cfa=rsp+8 ra=[cfa-8] fp=same"),
            values(0x7010, 1, 0, "cfa=rsp+8 ra=[cfa-8] fp=[r11]"),
            None,
        ],
    );
    let text = Picture::of(&other).expect("a picture").text();
    assert!(text.contains(".sframe: FP in [r11+0] (0x0)!"), "{text}");
}

#[test]
fn without_execution_rows_are_placed_by_their_common_register() {
    let voices = [None, said("cfa=sp ra=[cfa-8] fp=same"), said("cfa=sp+16 ra=[cfa-8] fp=same")];
    let picture = Picture::of(&finding("cfi/cfa-differs", "cfa", voices)).expect("a picture");
    assert_eq!(picture.base.as_deref(), Some("sp"));
    let text = picture.text();
    assert!(text.contains("sp+16") && text.contains("sp-8"), "{text}");
    let cfa = |voice| picture.marks.iter().find(|mark| mark.voice == voice && mark.what == "CFA").expect("placed");
    assert_eq!((cfa(1).standing, cfa(2).standing), (Standing::Wrong, Standing::Sound));
}

#[test]
fn rows_with_nothing_in_common_have_no_picture() {
    let voices = [None, said("cfa=sp ra=same fp=same"), said("cfa=x9 ra=same fp=same")];
    assert_eq!(Picture::of(&finding("cfi/cfa-differs", "cfa", voices)), None);
    assert_eq!(Picture::of(&finding("elf/segment", "structure", [None, None, None])), None);
    assert_eq!(Picture::of(&finding("cfi/cfa-differs", "cfa", [None, said("<b>"), said("no row")])), None);
}

#[test]
fn a_place_between_words_is_told_with_its_bytes() {
    let mut found = stale();
    found.sframe = values(0x700c, 0, 0, "cfa=rsp+12 ra=[cfa-8] fp=same");
    let picture = Picture::of(&found).expect("a picture");
    assert!(picture.text().contains("CFA+4!"), "{}", picture.text());
}

#[test]
fn the_outermost_frame_has_no_place_in_truth() {
    let voices = [said("no caller: execution began here"), values(0x7000, 0, 0, "cfa=sp ra=same fp=same"), None];
    let text = Picture::of(&finding("row/outermost", "ra", voices)).expect("a picture").text();
    assert!(text.contains("truth: no caller: execution began here\n"), "{text}");
    assert!(text.contains(".sframe: RA still in its register (0x0)!"), "{text}");
}

#[test]
fn extreme_numbers_are_placed_without_overflow() {
    let rows = ["cfa=sp-9223372036854775808 ra=[cfa+9223372036854775807] fp=[sp-9223372036854775808]"; 3];
    for cfa in [0, 1, u64::MAX] {
        let voices = rows.map(|row| values(cfa, cfa, cfa, row));
        assert!(Picture::of(&finding("row/cfa-matches-truth", "cfa", voices)).is_some());
    }
}
