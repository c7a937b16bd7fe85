//! Charges for each pair of verdicts on the two tables.

use judge::blame::{Charge, Origin, Table, Verdicts, alike, charges};
use judge::compare::Shared;
use judge::tables::origin;
use results::Blame;
use types::{Answer, Caller, Fault, Field, ImageSection, PacKey, UndecidedCause, Verdict};

use crate::eh_frame_hdr::{TEXT, hdr, image};

const RIGHT: Option<Verdict> = Some(Verdict::Agree);
const WRONG: Option<Verdict> = Some(Verdict::Wrong(Field::Cfa));
const WRONG_OTHERWISE: Option<Verdict> = Some(Verdict::Wrong(Field::Ra));
const MISSING: Option<Verdict> = Some(Verdict::Missing);
const UNDECIDED: Option<Verdict> = Some(Verdict::Undecided(UndecidedCause::OtherStack));
const REFUSED: Option<Verdict> = Some(Verdict::Refused(Fault::Expression));

const ORIGINS: [Origin; 4] = [Origin::Object, Origin::Linked, Origin::LinkerMade, Origin::Rewritten];

fn charged(sframe: Option<Verdict>, eh_frame: Option<Verdict>, alike: bool, origin: Origin) -> Vec<Charge> {
    shared_charged(sframe, eh_frame, alike, Shared::default(), origin)
}

fn shared_charged(
    sframe: Option<Verdict>,
    eh_frame: Option<Verdict>,
    alike: bool,
    shared: Shared,
    origin: Origin,
) -> Vec<Charge> {
    charges(&Verdicts { sframe, eh_frame, alike, shared }, origin).into_iter().flatten().collect()
}

const ALL_SHARED: Shared = Shared { cfa: true, signing: true, ra: true, fp: true, sp: true };

fn one(table: Table, blame: Blame, verdict: Option<Verdict>) -> Vec<Charge> {
    vec![Charge { table, blame, verdict: verdict.expect("a verdict") }]
}

#[test]
fn right_and_right_charges_nobody() {
    for origin in ORIGINS {
        assert_eq!(charged(RIGHT, RIGHT, true, origin), []);
        assert_eq!(charged(RIGHT, RIGHT, false, origin), [], "right in two ways");
    }
}

#[test]
fn sframe_alone_wrong_charges_who_made_it() {
    assert_eq!(charged(WRONG, RIGHT, false, Origin::Object), one(Table::Sframe, Blame::Assembler, WRONG));
    assert_eq!(charged(WRONG, RIGHT, false, Origin::Linked), one(Table::Sframe, Blame::AssemblerOrLinker, WRONG));
    assert_eq!(charged(WRONG, RIGHT, false, Origin::LinkerMade), one(Table::Sframe, Blame::Linker, WRONG));
    assert_eq!(charged(WRONG, RIGHT, false, Origin::Rewritten), one(Table::Sframe, Blame::PostProcessor, WRONG));
}

#[test]
fn without_eh_frame_only_the_linkers_own_code_shows_who_made_the_row() {
    for (origin, blame) in [
        (Origin::Object, Blame::Undetermined),
        (Origin::Linked, Blame::Undetermined),
        (Origin::LinkerMade, Blame::Linker),
    ] {
        assert_eq!(charged(WRONG, None, false, origin), one(Table::Sframe, blame, WRONG));
    }
}

#[test]
fn eh_frame_alone_in_a_file_charges_who_wrote_it_last() {
    for (origin, blame) in [
        (Origin::Object, Blame::Compiler),
        (Origin::Linked, Blame::Compiler),
        (Origin::LinkerMade, Blame::Linker),
        (Origin::Rewritten, Blame::PostProcessor),
    ] {
        assert_eq!(charged(None, WRONG, false, origin), one(Table::EhFrame, blame, WRONG));
    }
}

#[test]
fn both_wrong_alike_charges_the_compiler_once() {
    for origin in [Origin::Object, Origin::Linked] {
        assert_eq!(charged(WRONG, WRONG, true, origin), one(Table::Sframe, Blame::Compiler, WRONG));
    }
}

#[test]
fn both_wrong_in_different_ways_makes_two_findings() {
    let found = charged(WRONG, WRONG_OTHERWISE, false, Origin::Object);
    let expected = [one(Table::EhFrame, Blame::Compiler, WRONG_OTHERWISE), one(Table::Sframe, Blame::Assembler, WRONG)];
    assert_eq!(found, expected.concat());
    // The same field with different values is not alike.
    assert_eq!(charged(WRONG, WRONG, false, Origin::Linked).len(), 2);
}

/// `.eh_frame` restores SP by its own rule, which may fault if the CFA is already wrong.
#[test]
fn one_wrong_rule_in_both_rows_charges_the_directives_whatever_was_answered() {
    for (origin, blame) in
        [(Origin::Object, Blame::Compiler), (Origin::Linked, Blame::Compiler), (Origin::LinkerMade, Blame::Linker)]
    {
        let shared = Shared { cfa: true, ..Shared::default() };
        for eh_frame in [WRONG_OTHERWISE, WRONG, REFUSED] {
            let found = shared_charged(WRONG, eh_frame, false, shared, origin);
            assert_eq!(found, one(Table::Sframe, blame, WRONG), "{eh_frame:?} {origin:?}");
        }
        // The walk by .sframe could not continue, the one by .eh_frame continued wrongly, by the
        // same rule.
        let found = shared_charged(REFUSED, WRONG, false, shared, origin);
        assert_eq!(found, one(Table::EhFrame, blame, WRONG), "{origin:?}");
        // .sframe's answer by the same rule is right: a rule that it does not have is wrong.
        let found = shared_charged(RIGHT, WRONG_OTHERWISE, false, ALL_SHARED, origin);
        assert_eq!(found, one(Table::EhFrame, blame, WRONG_OTHERWISE), "{origin:?}");
    }
}

#[test]
fn another_wrong_rule_of_eh_frame_alone_is_a_finding_of_its_own() {
    let wrong_fp = Some(Verdict::Wrong(Field::Fp));
    let shared = Shared { fp: true, cfa: true, ..Shared::default() };
    let found = shared_charged(wrong_fp, WRONG_OTHERWISE, false, shared, Origin::Object);
    let expected =
        [one(Table::Sframe, Blame::Compiler, wrong_fp), one(Table::EhFrame, Blame::Compiler, WRONG_OTHERWISE)];
    assert_eq!(found, expected.concat());
    // If that is shared too, it is one bug.
    let found = shared_charged(wrong_fp, WRONG_OTHERWISE, false, ALL_SHARED, Origin::Object);
    assert_eq!(found, one(Table::Sframe, Blame::Compiler, wrong_fp));
}

#[test]
fn a_rule_that_the_rows_do_not_share_is_charged_as_ever() {
    let shared = Shared { cfa: false, ..ALL_SHARED };
    assert_eq!(shared_charged(WRONG, WRONG_OTHERWISE, false, shared, Origin::Object).len(), 2);
    let found = shared_charged(WRONG, RIGHT, false, shared, Origin::Object);
    assert_eq!(found, one(Table::Sframe, Blame::Assembler, WRONG));
}

/// The same rule of the same row, right by `.eh_frame`: the difference comes from the registers
/// found earlier in the walks, and `.sframe`'s were wrong.
#[test]
fn a_shared_rule_that_is_right_in_one_walk_is_the_fault_of_the_other_table() {
    let found = shared_charged(WRONG, RIGHT, false, ALL_SHARED, Origin::Object);
    assert_eq!(found, one(Table::Sframe, Blame::Assembler, WRONG));
}

#[test]
fn a_shared_rule_is_undecided_for_both_or_neither() {
    for origin in ORIGINS {
        assert_eq!(shared_charged(WRONG, UNDECIDED, false, ALL_SHARED, origin), []);
        assert_eq!(shared_charged(UNDECIDED, WRONG, false, ALL_SHARED, origin), []);
    }
}

#[test]
fn eh_frame_alone_wrong_charges_its_path() {
    for origin in ORIGINS {
        assert_eq!(charged(RIGHT, WRONG, false, origin), one(Table::EhFrame, Blame::EhFrame, WRONG));
    }
}

/// A function that the producer refused: the directives are the first suspect.
#[test]
fn eh_frame_wrong_where_sframe_has_no_row_charges_the_compiler() {
    assert_eq!(charged(MISSING, WRONG, false, Origin::Object), one(Table::EhFrame, Blame::Compiler, WRONG));
}

#[test]
fn no_row_is_a_gap_and_charges_nobody() {
    for eh_frame in [RIGHT, MISSING, None] {
        assert_eq!(charged(MISSING, eh_frame, false, Origin::Object), []);
    }
}

#[test]
fn a_table_alone_is_judged_alone() {
    assert_eq!(charged(RIGHT, None, false, Origin::Linked), []);
    assert_eq!(charged(None, RIGHT, false, Origin::Linked), []);
    assert_eq!(charged(WRONG, None, false, Origin::Linked), one(Table::Sframe, Blame::Undetermined, WRONG));
    assert_eq!(charged(None, WRONG, false, Origin::Linked), one(Table::EhFrame, Blame::Compiler, WRONG));
}

#[test]
fn where_the_other_table_has_no_verdict_the_blame_is_undetermined() {
    for silent in [UNDECIDED, REFUSED] {
        assert_eq!(charged(WRONG, silent, false, Origin::Object), one(Table::Sframe, Blame::Undetermined, WRONG));
        assert_eq!(charged(silent, WRONG, false, Origin::Object), one(Table::EhFrame, Blame::Undetermined, WRONG));
        assert_eq!(charged(silent, silent, true, Origin::Object), []);
    }
}

const CALLER: Caller = Caller {
    cfa: 0x7010,
    ra: 0x40_1000,
    raw_ra: 0x40_1000,
    signed_by: None,
    signed_with_pc: false,
    fp: Ok(Some(1)),
    sp: 0x7010,
    signal: false,
};

#[test]
fn answers_are_alike_when_every_judged_value_is() {
    let answer = |caller: Caller| Ok(Answer::Caller(caller));
    assert!(alike(&answer(CALLER), &answer(CALLER)));
    let others = [
        Caller { cfa: 0x7018, ..CALLER },
        Caller { ra: 0x40_1001, ..CALLER },
        Caller { fp: Ok(None), ..CALLER },
        Caller { signed_by: Some(PacKey::A), ..CALLER },
    ];
    for other in others {
        assert!(!alike(&answer(CALLER), &answer(other)), "{other:?}");
    }
}

#[test]
fn faults_and_outermost_are_alike_only_with_themselves() {
    let outermost = Ok(Answer::Outermost);
    let dead = Err(Fault::DeadMemory { address: 0x7000 });
    assert!(alike(&outermost, &outermost));
    assert!(alike(&dead, &dead));
    assert!(!alike(&dead, &Err(Fault::DeadMemory { address: 0x7008 })));
    assert!(!alike(&outermost, &dead));
    assert!(!alike(&outermost, &Ok(Answer::Caller(CALLER))));
}

#[test]
fn names_are_those_of_the_contract() {
    let names = [
        (Blame::Compiler, "compiler"),
        (Blame::Assembler, "assembler"),
        (Blame::Linker, "linker"),
        (Blame::AssemblerOrLinker, "assembler-or-linker"),
        (Blame::EhFrame, "eh-frame"),
        (Blame::Consumer, "consumer"),
        (Blame::Undetermined, "undetermined"),
    ];
    for (blame, name) in names {
        assert_eq!(blame.name(), name);
        assert_eq!(blame.to_string(), name);
    }
}

#[test]
fn code_that_bolt_moved_is_of_no_linker() {
    let mut sample = image(&[(TEXT, 0x100)], hdr(&[]));
    assert_eq!(origin(&sample, TEXT), Origin::Linked);
    let note = ImageSection { name: ".note.bolt_info".to_owned(), ..sample.sections[0].clone() };
    sample.sections.push(note);
    assert_eq!(origin(&sample, TEXT), Origin::Rewritten);
    sample.sections[0].name = ".bolt.org.text".to_owned();
    assert_eq!(origin(&sample, TEXT), Origin::Linked);
}
