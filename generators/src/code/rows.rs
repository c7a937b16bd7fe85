//! Frames as SFrame rows: in default form if possible, else in V3 in flexible form.

use types::{Abi, CfaRule, SframeVersion, ValueRule};

use super::{FrameState, Function};
use crate::arch::{arch, target};
use crate::facts::{self, Outermost};
use crate::sframe::{Control, FunctionSpec, RowSpec, Word, control};

/// The SFrame description of a function that starts at `start` (an address, or an offset from a
/// symbol).
pub fn function_rows(
    abi: Abi,
    version: SframeVersion,
    function: &Function,
    start: u64,
) -> Result<FunctionSpec, NotExpressible> {
    let size = function.code.len() as u32;
    let make = |row: &dyn Fn(u32, &FrameState) -> Option<RowSpec>| -> Result<Vec<RowSpec>, NotExpressible> {
        let one = |at: &super::FrameAt| {
            let outermost = if at.frame.ra == ValueRule::Undefined { outermost_row(version, at.offset) } else { None };
            outermost.or_else(|| row(at.offset, &at.frame)).ok_or_else(|| NotExpressible {
                function: function.name.clone(),
                offset: at.offset,
                frame: Box::new(at.frame),
            })
        };
        let mut rows: Vec<RowSpec> = function.frames.iter().map(one).collect::<Result<_, _>>()?;
        // Different frames may have equal rows: a row with an undefined return address has no other
        // content.
        rows.dedup_by(|row, before| RowSpec { start: before.start, ..row.clone() } == *before);
        Ok(rows)
    };
    let default = make(&|offset, frame| default_row(abi, version, offset, frame));
    let (flex, rows) = match default {
        Ok(rows) => (false, rows),
        Err(_) if facts::version(version).layout.has_flex() => {
            (true, make(&|offset, frame| flex_row(abi, offset, frame))?)
        }
        Err(error) => return Err(error),
    };
    Ok(FunctionSpec {
        starts: FunctionSpec::narrowest_starts(size),
        key: function.key,
        signal: function.signal,
        flex,
        ..FunctionSpec::new(start, size, rows)
    })
}

/// A frame that no row of the version can express.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{function}+{offset:#x}: no SFrame row can encode {frame:?}")]
pub struct NotExpressible {
    pub function: String,
    pub offset: u32,
    pub frame: Box<FrameState>,
}

pub fn default_row(abi: Abi, version: SframeVersion, offset: u32, frame: &FrameState) -> Option<RowSpec> {
    let (base, offsets) = arch(abi).default_offsets(frame, facts::version(version).layout)?;
    let offsets: Vec<i32> = offsets.into_iter().map(i32::try_from).collect::<Result<_, _>>().ok()?;
    Some(RowSpec { signed: frame.signed, ..RowSpec::offsets(offset, base, &offsets) })
}

/// The frame as a flexible row (V3, on targets with flexible rows): pairs for CFA, return address
/// and FP. A missing return-address pair before an FP pair is one control word 0.
pub fn flex_row(abi: Abi, offset: u32, frame: &FrameState) -> Option<RowSpec> {
    target(abi).flex_registers?;
    let (what, cfa) = match frame.cfa {
        CfaRule::Register { reg, offset } => (Control::Register(reg), offset),
        CfaRule::Memory { reg, offset } => (Control::Load(reg), offset),
        CfaRule::Expression(_) | CfaRule::Unspecified => return None,
    };
    let cfa = i32::try_from(target(abi).stored_cfa(cfa)?).ok()?;
    let mut words = vec![control(what), Word::Offset(cfa)];
    let ra = if frame.ra == FrameState::at_entry(abi).ra { None } else { Some(pair(frame.ra)?) };
    let fp = if frame.fp == ValueRule::SameValue { None } else { Some(pair(frame.fp)?) };
    match (ra, fp) {
        (Some(ra), fp) => {
            words.extend(ra);
            words.extend(fp.into_iter().flatten());
        }
        (None, Some(fp)) => {
            words.push(Word::Control(0));
            words.extend(fp);
        }
        (None, None) => {}
    }
    Some(RowSpec::flex(offset, words))
}

/// A row without words, if it is always defined in the version: V3. In V2 it is defined since
/// errata 2, which the version byte does not show.
pub fn outermost_row(version: SframeVersion, offset: u32) -> Option<RowSpec> {
    (facts::version(version).outermost == Outermost::Always).then(|| RowSpec::outermost(offset))
}

fn pair(rule: ValueRule) -> Option<[Word; 2]> {
    let (what, offset) = match rule {
        ValueRule::AtCfa(offset) => (Control::LoadCfa, offset),
        ValueRule::CfaPlus(offset) => (Control::Cfa, offset),
        ValueRule::Register { reg, offset } => (Control::Register(reg), offset),
        ValueRule::Memory { reg, offset } => (Control::Load(reg), offset),
        ValueRule::SameValue | ValueRule::Undefined | ValueRule::Expression(_) => return None,
    };
    Some([control(what), Word::Offset(i32::try_from(offset).ok()?)])
}
