//! The meaning of rows: the only code that turns words into rules and computes offsets.
//!
//! Default rows hold CFA, RA, FP in this order, without RA if the header fixes it. Flex rows (V3)
//! hold control and offset pairs. Rules are [`CfaRule`] and [`ValueRule`]; an [`arch::Arch`]
//! defines what differs between ABIs.

mod aarch64;
mod amd64;
mod arch;
mod flex;
mod s390x;

use types::{Abi, CfaRule, ValueRule};

use crate::{ErrorKind, FrameRow, FuncDesc, Header, ParseError};

pub(crate) use arch::arch;
pub(crate) use flex::{FlexRow, Item};

/// Rules of a row for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Rule for the CFA.
    pub cfa: CfaRule,
    /// Rule for the return address.
    pub ra: ValueRule,
    /// Rule for the caller's FP.
    pub fp: ValueRule,
    /// AArch64: true if the return address contains a pointer authentication code.
    pub signed: bool,
}

impl Rules {
    /// Meaning of a row without words: no caller (SFrame V2 errata 2 and V3, "SFrame FRE Info
    /// Word").
    pub(crate) const NOTHING: Rules =
        Rules { cfa: CfaRule::Unspecified, ra: ValueRule::Undefined, fp: ValueRule::SameValue, signed: false };
}

/// Returns the rules of a row.
///
/// # Errors
/// Words that have no meaning on this ABI, with the offset of the wrong byte.
#[inline(always)]
pub(crate) fn rules(header: &Header, abi: Abi, function: &FuncDesc, row: &FrameRow<'_>) -> Result<Rules, ParseError> {
    // The other info bits are ignored.
    if row.info.word_count() == 0 {
        return Ok(Rules::NOTHING);
    }
    let signed = header.is_signed(row.info) && abi.facts().pointer_authentication;
    let (cfa, ra, fp) = if function.attributes.info2.flex() {
        flex::rules(header, abi, row)?
    } else {
        default_rules(header, abi, row)?
    };
    Ok(Rules { cfa, ra, fp, signed })
}

/// Positions of RA and FP among the words of a default row; `None` for RA if the header fixes it.
pub(crate) fn default_positions(header: &Header) -> (Option<u8>, u8) {
    if header.fixed_ra == 0 { (Some(1), 2) } else { (None, 1) }
}

type Three = (CfaRule, ValueRule, ValueRule);

#[inline(always)]
fn default_rules(header: &Header, abi: Abi, row: &FrameRow<'_>) -> Result<Three, ParseError> {
    let arch = arch(abi);
    let (ra_at, fp_at) = default_positions(header);
    let count = row.info.word_count();
    if count > fp_at.saturating_add(1) {
        return Err(ParseError::new(ErrorKind::WordCount(count), row.info_at));
    }
    let word = |index| row.offset_word(index);
    let first = word(0).ok_or(ParseError::new(ErrorKind::WordCount(count), row.info_at))?;
    let facts = abi.facts();
    let base = if row.info.base_is_sp() { facts.sp } else { facts.fp };
    let cfa = CfaRule::Register { reg: base, offset: facts.cfa_word.decode(first) };
    let at = |index| move |kind| ParseError::new(kind, row.word_at(index));
    let meant = |word: Option<arch::Word>, offset| match word {
        Some(meaning) => meaning(header.version(), offset),
        None => Ok(ValueRule::AtCfa(offset)),
    };
    let ra = match ra_at.and_then(|index| Some((index, word(index)?))) {
        Some((index, offset)) => meant(arch.ra_word, offset).map_err(at(index))?,
        None => ra_untracked(header, abi, row)?,
    };
    let fp = match word(fp_at) {
        Some(offset) => meant(arch.fp_word, offset).map_err(at(fp_at))?,
        None => fp_untracked(header),
    };
    Ok((cfa, ra, fp))
}

fn ra_untracked(header: &Header, abi: Abi, row: &FrameRow<'_>) -> Result<ValueRule, ParseError> {
    if header.fixed_ra != 0 {
        return Ok(ValueRule::AtCfa(i64::from(header.fixed_ra)));
    }
    arch(abi).ra_untracked.ok_or(ParseError::new(ErrorKind::NoReturnAddress, row.info_at))
}

/// Rule for FP of a row without an FP word: the header's fixed offset if it has one, else
/// unchanged.
fn fp_untracked(header: &Header) -> ValueRule {
    match header.fixed_fp {
        0 => ValueRule::SameValue,
        fixed => ValueRule::AtCfa(i64::from(fixed)),
    }
}
