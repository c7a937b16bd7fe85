//! The row that has the rules of CFI, in default or flexible form, or why there is none.

use generators::code::{FrameState, default_row, flex_row};
use generators::sframe::RowSpec;
use types::{Abi, CfaRule, SframeVersion, UnwindRow, ValueRule};

use crate::reason::Reason;

/// Form of a function's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Default,
    /// SFrame V3, "Flexible FDE".
    Flexible,
}

/// The row of a version that has these rules from an offset in its function on.
pub(crate) fn row(
    abi: Abi,
    version: SframeVersion,
    form: Form,
    start: u32,
    rules: &UnwindRow,
) -> Result<RowSpec, Reason> {
    // An outermost frame is a row without words (SFrame V2 errata 2).
    if rules.ra == ValueRule::Undefined {
        return Ok(RowSpec::outermost(start));
    }
    let is_usual = |sp| match sp {
        // On s390x SP may be saved as other registers are: in the register save area, or in a
        // floating-point register.
        ValueRule::AtCfa(_) | ValueRule::Register { .. } => abi.facts().sp_is_saved,
        ValueRule::CfaPlus(offset) => offset == abi.facts().caller_sp_minus_cfa,
        _ => false,
    };
    if !rules.sp.is_none_or(is_usual) {
        return Err(Reason::StackPointer);
    }
    if rules.signed_with_pc {
        return Err(Reason::SignedWithPc);
    }
    let encoded = |frame: &FrameState| match form {
        _ if !is_place(abi, frame.ra) || !is_place(abi, frame.fp) => None,
        // A word 0 is no offset.
        Form::Default if frame.ra == ValueRule::AtCfa(0) => None,
        Form::Default => default_row(abi, version, start, frame),
        Form::Flexible => flex_row(abi, start, frame),
    };
    let frame = FrameState { cfa: rules.cfa, ra: rules.ra, fp: rules.fp, signed: rules.signed };
    encoded(&frame).ok_or_else(|| reason(abi, form, &frame, |frame| encoded(frame).is_some()))
}

/// Returns true if a row can express the location of a value. No control word has the CFA itself,
/// and AMD64's return-address column is no register.
fn is_place(abi: Abi, rule: ValueRule) -> bool {
    let facts = abi.facts();
    match rule {
        ValueRule::CfaPlus(_) => false,
        ValueRule::Register { reg, .. } => facts.link_register || reg != facts.ra,
        _ => true,
    }
}

/// The first rule of a frame that no row has.
fn reason(abi: Abi, form: Form, frame: &FrameState, is_encoded: impl Fn(&FrameState) -> bool) -> Reason {
    let facts = abi.facts();
    match (frame.cfa, form) {
        (CfaRule::Register { reg, .. }, _) if reg == facts.sp || reg == facts.fp => {}
        (CfaRule::Register { .. }, Form::Default) => return Reason::CfaRegister,
        (CfaRule::Register { .. } | CfaRule::Memory { .. }, Form::Flexible) => {}
        _ => return Reason::CfaExpression,
    }
    let FrameState { ra, fp, .. } = FrameState::at_entry(abi);
    let saved = ValueRule::AtCfa(-8);
    if !is_encoded(&FrameState { ra, fp, ..*frame }) {
        Reason::Offset
    } else if !is_encoded(&FrameState { fp, ..*frame }) {
        Reason::ReturnAddress
    } else if is_encoded(&FrameState { ra: saved, ..*frame }) {
        Reason::FramePointerAlone
    } else {
        Reason::FramePointer
    }
}
