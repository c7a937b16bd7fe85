//! All verdicts, from plain values: an answer, the true frame, and its limits.

use judge::verdict::{Bounds, verdict};
use types::{Answer, Caller, Fault, Field, Frame, LeftBy, PacKey, Pc, Reg, UndecidedCause, Verdict};

const BOUNDS: Bounds =
    Bounds { start: 0x7000, end: 0x8000, sp: 0x7f00, caller_sp_minus_cfa: 0, ra_is_gone: false, is_innermost: false };

const FRAME: Frame = Frame {
    ra: Pc(0x40_1234),
    raw_ra: 0x40_1234,
    signed_by: None,
    signed_with_pc: false,
    cfa: 0x7f10,
    fp: 0x7f80,
    left_by: LeftBy::Call,
    number: 0,
};

/// The completely right answer about [`FRAME`].
const RIGHT: Caller = Caller {
    cfa: 0x7f10,
    ra: 0x40_1234,
    raw_ra: 0x40_1234,
    signed_by: None,
    signed_with_pc: false,
    fp: Ok(Some(0x7f80)),
    sp: 0x7f10,
    signal: false,
};

const SIGNED_FRAME: Frame = Frame { raw_ra: 0x005a_0000_0040_1234, signed_by: Some(PacKey::B), ..FRAME };
const SIGNED_RIGHT: Caller = Caller { raw_ra: 0x005a_0000_0040_1234, signed_by: Some(PacKey::B), ..RIGHT };

fn caller(caller: Caller) -> Verdict {
    verdict(&Ok(Answer::Caller(caller)), Some(&FRAME), &BOUNDS)
}

fn fault(fault: Fault) -> Verdict {
    verdict(&Err(fault), Some(&FRAME), &BOUNDS)
}

#[test]
fn every_value_right_agrees() {
    assert_eq!(caller(RIGHT), Verdict::Agree);
    assert_eq!(verdict(&Ok(Answer::Caller(SIGNED_RIGHT)), Some(&SIGNED_FRAME), &BOUNDS), Verdict::Agree);
}

#[test]
fn one_wrong_value_is_named() {
    assert_eq!(caller(Caller { cfa: 0x7f08, ..RIGHT }), Verdict::Wrong(Field::Cfa));
    assert_eq!(caller(Caller { ra: 0x40_1238, raw_ra: 0x40_1238, ..RIGHT }), Verdict::Wrong(Field::Ra));
    assert_eq!(caller(Caller { fp: Ok(Some(0)), ..RIGHT }), Verdict::Wrong(Field::Fp));
}

/// A table that has a rule for SP can be wrong about it while everything else is right.
#[test]
fn the_sp_that_the_caller_goes_on_with_is_judged_last() {
    assert_eq!(caller(Caller { sp: 0x7f18, ..RIGHT }), Verdict::Wrong(Field::Sp));
    assert_eq!(caller(Caller { sp: 0x7f18, fp: Ok(None), ..RIGHT }), Verdict::Wrong(Field::Sp));
    assert_eq!(caller(Caller { sp: 0x7f18, fp: Ok(Some(0)), ..RIGHT }), Verdict::Wrong(Field::Fp));
}

/// PAuth_LR: a row must state that the PC is part of the signature.
#[test]
fn a_signature_with_the_pc_is_another() {
    let with_pc = Caller { signed_with_pc: true, ..SIGNED_RIGHT };
    let frame = Frame { signed_with_pc: true, ..SIGNED_FRAME };
    let verdict = |frame, caller| verdict(&Ok(Answer::Caller(caller)), Some(frame), &BOUNDS);
    assert_eq!(verdict(&frame, with_pc), Verdict::Agree);
    assert_eq!(verdict(&frame, SIGNED_RIGHT), Verdict::Wrong(Field::Signed));
    assert_eq!(verdict(&SIGNED_FRAME, with_pc), Verdict::Wrong(Field::Signed));
    assert_eq!(verdict(&frame, Caller { cfa: 0x7f08, ..with_pc }), Verdict::Wrong(Field::Cfa));
    assert_eq!(verdict(&frame, Caller { signed_by: Some(PacKey::A), ..with_pc }), Verdict::Wrong(Field::Signed));
}

#[test]
fn a_plain_copy_of_a_signed_return_address_is_right_if_the_row_says_that_it_is_plain() {
    let verdict = |caller| verdict(&Ok(Answer::Caller(caller)), Some(&SIGNED_FRAME), &BOUNDS);
    let plain = SIGNED_FRAME.ra.0;
    let copy = Caller { ra: plain, raw_ra: plain, signed_by: None, ..SIGNED_RIGHT };
    assert_ne!(plain, SIGNED_FRAME.raw_ra);
    assert_eq!(verdict(copy), Verdict::Agree);
    assert_eq!(verdict(Caller { signed_by: SIGNED_RIGHT.signed_by, ..copy }), Verdict::Wrong(Field::Signed));
    assert_eq!(verdict(Caller { signed_by: None, ..SIGNED_RIGHT }), Verdict::Wrong(Field::Signed));
}

#[test]
fn a_wrong_cfa_hides_what_is_read_relative_to_it() {
    let all_wrong = Caller { cfa: 1, ra: 2, raw_ra: 2, signed_by: Some(PacKey::A), fp: Ok(Some(3)), ..RIGHT };
    assert_eq!(caller(all_wrong), Verdict::Wrong(Field::Cfa));
    assert_eq!(caller(Caller { cfa: 0x7f10, ..all_wrong }), Verdict::Wrong(Field::Signed));
    assert_eq!(caller(Caller { cfa: 0x7f10, signed_by: None, ..all_wrong }), Verdict::Wrong(Field::Ra));
}

#[test]
fn a_claim_about_signing_is_judged_in_itself() {
    let signed =
        |by| verdict(&Ok(Answer::Caller(Caller { signed_by: by, ..SIGNED_RIGHT })), Some(&SIGNED_FRAME), &BOUNDS);
    assert_eq!(signed(Some(PacKey::B)), Verdict::Agree);
    assert_eq!(signed(Some(PacKey::A)), Verdict::Wrong(Field::Signed), "the other key");
    assert_eq!(signed(None), Verdict::Wrong(Field::Signed), "plain, but it is signed");
    let claims = Caller { signed_by: Some(PacKey::A), ..RIGHT };
    assert_eq!(caller(claims), Verdict::Wrong(Field::Signed), "signed, but it is plain");
}

#[test]
fn a_signed_address_is_right_only_with_its_authentication_code() {
    let other_code = Caller { raw_ra: 0x0011_0000_0040_1234, ..SIGNED_RIGHT };
    assert_eq!(verdict(&Ok(Answer::Caller(other_code)), Some(&SIGNED_FRAME), &BOUNDS), Verdict::Wrong(Field::Ra));
}

#[test]
fn no_claim_about_fp_is_no_error() {
    assert_eq!(caller(Caller { fp: Ok(None), ..RIGHT }), Verdict::Agree);
    let unknown = Fault::UnknownRegister { reg: Reg(6) };
    let answer = Caller { fp: Err(unknown), ..RIGHT };
    assert_eq!(caller(answer), Verdict::Agree);
    // The machine has the value, and it is not read.
    let bounds = Bounds { is_innermost: true, ..BOUNDS };
    assert_eq!(verdict(&Ok(Answer::Caller(answer)), Some(&FRAME), &bounds), Verdict::Refused(unknown));
}

#[test]
fn an_fp_read_where_it_cannot_be_is_wrong() {
    let fp = |fault| caller(Caller { fp: Err(fault), ..RIGHT });
    assert_eq!(fp(Fault::DeadMemory { address: 0x7e00 }), Verdict::Wrong(Field::DeadStack));
    assert_eq!(fp(Fault::UnreadableMemory { address: 8 }), Verdict::Wrong(Field::Fp));
    assert_eq!(fp(Fault::Overflow), Verdict::Wrong(Field::Fp));
}

/// An expression that the harness cannot evaluate is a limitation of the harness: the table is not
/// shown wrong, whichever value the expression is for.
#[test]
fn an_expression_that_cannot_be_evaluated_accuses_nobody() {
    assert_eq!(fault(Fault::Expression), Verdict::Refused(Fault::Expression));
    assert_eq!(caller(Caller { fp: Err(Fault::Expression), ..RIGHT }), Verdict::Refused(Fault::Expression));
}

#[test]
fn a_fault_is_wrong_missing_or_refused() {
    assert_eq!(fault(Fault::NoFunction), Verdict::Missing);
    assert_eq!(fault(Fault::NoRow), Verdict::Missing);
    assert_eq!(fault(Fault::DeadMemory { address: 0x7e00 }), Verdict::Wrong(Field::DeadStack));
    assert_eq!(fault(Fault::UnreadableMemory { address: 8 }), Verdict::Wrong(Field::Ra));
    assert_eq!(fault(Fault::Overflow), Verdict::Wrong(Field::Cfa));
    for refused in [Fault::NoCfa, Fault::UnknownRegister { reg: Reg(14) }] {
        assert_eq!(fault(refused), Verdict::Refused(refused));
    }
}

#[test]
fn where_execution_began_there_is_no_caller() {
    let outermost = |answer| verdict(&answer, None, &BOUNDS);
    assert_eq!(outermost(Ok(Answer::Outermost)), Verdict::Agree);
    assert_eq!(outermost(Ok(Answer::Caller(RIGHT))), Verdict::Wrong(Field::Outermost));
    assert_eq!(outermost(Err(Fault::NoFunction)), Verdict::Missing);
    assert_eq!(outermost(Err(Fault::NoRow)), Verdict::Missing);
    let reads = Err(Fault::UnreadableMemory { address: 0x8000 });
    assert_eq!(outermost(reads), Verdict::Wrong(Field::Outermost), "a row that looks for a caller claims one");
}

#[test]
fn a_function_that_was_not_called_is_judged_as_if_it_had_been() {
    let uncalled = |answer| verdict(&answer, Some(&Frame { left_by: LeftBy::Nothing, ..FRAME }), &BOUNDS);
    assert_eq!(uncalled(Ok(Answer::Outermost)), Verdict::Agree);
    assert_eq!(uncalled(Ok(Answer::Caller(Caller { ra: 0, raw_ra: 0, ..RIGHT }))), Verdict::Agree, "no caller");
    assert_eq!(uncalled(Ok(Answer::Caller(Caller { ra: 1, raw_ra: 1, ..RIGHT }))), Verdict::Wrong(Field::Ra));
    assert_eq!(uncalled(Ok(Answer::Caller(Caller { cfa: 0, ..RIGHT }))), Verdict::Wrong(Field::Cfa));
    assert_eq!(uncalled(Ok(Answer::Caller(Caller { fp: Ok(Some(1)), ..RIGHT }))), Verdict::Wrong(Field::Fp));
}

#[test]
fn a_caller_that_exists_must_not_be_denied() {
    assert_eq!(verdict(&Ok(Answer::Outermost), Some(&FRAME), &BOUNDS), Verdict::Wrong(Field::Ra));
}

#[test]
fn a_frame_on_another_stack_is_not_judged() {
    let wrong = Ok(Answer::Caller(Caller { ra: 1, raw_ra: 1, ..RIGHT }));
    let verdict = |cfa| verdict(&wrong, Some(&Frame { cfa, ..FRAME }), &BOUNDS);
    assert_eq!(verdict(0x6fff), Verdict::Undecided(UndecidedCause::OtherStack));
    assert_eq!(verdict(0x8001), Verdict::Undecided(UndecidedCause::OtherStack));
    assert_eq!(verdict(0x8000), Verdict::Wrong(Field::Cfa), "the CFA of the first frame is the stack's end");
}

#[test]
fn a_frame_that_sp_has_passed_is_not_judged() {
    let wrong = Ok(Answer::Caller(Caller { fp: Ok(Some(1)), ..RIGHT }));
    let verdict = |sp| verdict(&wrong, Some(&FRAME), &Bounds { sp, ..BOUNDS });
    assert_eq!(verdict(0x7f18), Verdict::Undecided(UndecidedCause::Abandoned));
    assert_eq!(verdict(0x7f10), Verdict::Wrong(Field::Fp), "SP at the CFA: about to return");
}

/// SP at the CFA of an AMD64 frame: its return address is in a register, or is not used any more.
#[test]
fn a_frame_whose_return_address_is_gone_is_not_judged() {
    let wrong = Ok(Answer::Caller(Caller { cfa: FRAME.cfa + 8, ..RIGHT }));
    let verdict = |sp| verdict(&wrong, Some(&FRAME), &Bounds { sp, ra_is_gone: true, ..BOUNDS });
    assert_eq!(verdict(0x7f10), Verdict::Undecided(UndecidedCause::Abandoned));
    assert_eq!(verdict(0x7f08), Verdict::Wrong(Field::Cfa), "another frame than the innermost");
}

/// s390x ELF ABI 1.6, 1.2.2: the CFA is 160 above the caller's SP, so SP passes the frame 160 below
/// its CFA.
#[test]
fn sp_passes_an_s390x_frame_below_its_cfa() {
    let bounds = |sp| Bounds { sp, caller_sp_minus_cfa: -160, ..BOUNDS };
    let wrong = Ok(Answer::Caller(Caller { fp: Ok(Some(1)), ..RIGHT }));
    assert_eq!(verdict(&wrong, Some(&FRAME), &bounds(0x7f10 - 160)), Verdict::Wrong(Field::Fp));
    assert_eq!(verdict(&wrong, Some(&FRAME), &bounds(0x7f10 - 152)), Verdict::Undecided(UndecidedCause::Abandoned));
}

#[test]
fn a_right_answer_agrees_even_in_doubt() {
    let abandoned = Bounds { sp: 0x7ff0, ..BOUNDS };
    assert_eq!(verdict(&Ok(Answer::Caller(RIGHT)), Some(&FRAME), &abandoned), Verdict::Agree);
}

#[test]
fn fields_have_the_names_of_the_contract() {
    let fields = [Field::Outermost, Field::DeadStack, Field::Cfa, Field::Signed, Field::Ra, Field::Fp];
    let names = fields.map(|field| field.aspect().name());
    assert_eq!(names, ["ra", "ra", "cfa", "ra", "ra", "fp"]);
    assert_ne!(UndecidedCause::OtherStack.name(), UndecidedCause::Abandoned.name());
}
