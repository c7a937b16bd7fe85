//! Edits instructions of functions in a section, whose other entries stay as they are.

use std::ops::Range;

use types::Abi;

use super::{Function, read};
use crate::bytes::Bytes;
use crate::eh_frame::{Cfi, advance};
use crate::reader::cursor::Cursor;

/// An edit of a function's instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CfiEdit {
    /// The instruction.
    pub cfi: Cfi,
    /// Where an instruction for the same part of the row is removed.
    pub removed: Option<u64>,
    /// Where it is added.
    pub added: Option<u64>,
}

/// The section with the edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The contents.
    pub bytes: Vec<u8>,
    /// The entries before, each with its offset now.
    pub moved: Vec<(Range<u64>, u64)>,
}

/// The room that entries have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// They move: the fields of an object are relocated.
    Any,
    /// Each stays where it is.
    Own,
}

/// The section at an address with edits of functions, by their first address; `None` if an
/// instruction to remove is not there, an entry has no room, or one has a form that is not written.
pub fn rewritten(
    abi: Abi,
    (section, address): (&[u8], u64),
    edits: &[(u64, Vec<CfiEdit>)],
    room: Room,
) -> Option<Rewritten> {
    let cfi = read(abi, section, address);
    let order = abi.facts().order;
    let whole = Cursor::new(order, section, 0);
    let mut all = Rewritten::default();
    let (mut at, mut done) = (0, 0);
    while at < section.len() as u64 {
        let length = whole.to(at).unsigned(4).filter(|length| *length != 0xffff_ffff)?;
        let end = at.checked_add(4)?.checked_add(length)?;
        let mut entry = whole.to(at).take(end - at)?.to_vec();
        let now = all.bytes.len() as u64;
        let function = cfi.functions.iter().find(|function| function.at == at);
        let own = function.and_then(|function| edits.iter().find(|(start, _)| *start == function.start));
        if let (Some(function), Some((_, edits))) = (function, own) {
            let first = usize::try_from(function.instructions.first()?.at - at).ok()?;
            entry.truncate(first);
            entry.extend(program(abi, section, function, edits)?);
            let size = end - at;
            let aligned = if size % 8 == 0 { 8 } else { 4 };
            let least = if room == Room::Own { size } else { (entry.len() as u64).next_multiple_of(aligned) };
            if entry.len() as u64 > least {
                return None;
            }
            entry.resize(least as usize, 0);
            put(abi, &mut entry, 0, least - 4)?;
            done += 1;
        }
        // The distance from the field to the CIE.
        if length >= 4
            && let Some(distance) = whole.to(at + 4).unsigned(4).filter(|distance| *distance != 0)
        {
            let cie = (at + 4).checked_sub(distance)?;
            let (_, cie) = all.moved.iter().find(|(before, _)| before.start == cie)?;
            put(abi, &mut entry, 4, now + 4 - cie)?;
        }
        all.bytes.extend(entry);
        all.moved.push((at..end, now));
        at = end;
    }
    (done == edits.len()).then_some(all)
}

fn put(abi: Abi, entry: &mut [u8], at: usize, value: u64) -> Option<()> {
    let mut field = Bytes::new(abi.facts().order);
    field.low_bytes(value, 4);
    entry.get_mut(at..at + 4)?.copy_from_slice(field.added());
    Some(())
}

/// The instructions of a function with edits.
fn program(abi: Abi, section: &[u8], function: &Function, edits: &[CfiEdit]) -> Option<Vec<u8>> {
    let factors = function.cie.factors;
    let mut all: Vec<(u64, Vec<u8>)> = Vec::new();
    for one in &function.instructions {
        let bytes = section.get(one.at as usize..(one.at + one.size) as usize)?;
        match bytes.first()? {
            // DW_CFA_nop, and those that advance.
            0x00 | 0x02..=0x04 | 0x1d | 0x40..=0x7f => {}
            // DW_CFA_set_loc has an address.
            0x01 => return None,
            _ => all.push((one.pc, bytes.to_vec())),
        }
    }
    for edit in edits {
        let mut own = Bytes::new(abi.facts().order);
        if !edit.cfi.encode(&mut own, factors) {
            return None;
        }
        let own = own.added().to_vec();
        if let Some(pc) = edit.removed {
            let at = all.iter().rposition(|(at, bytes)| *at == pc && part(bytes) == part(&own))?;
            all.remove(at);
        }
        if let Some(pc) = edit.added {
            // A state is remembered before directives at its place change it.
            let is_before = |at: &u64| if edit.cfi == Cfi::RememberState { *at < pc } else { *at <= pc };
            all.insert(all.partition_point(|(at, _)| is_before(at)), (pc, own));
        }
    }
    let (mut out, mut at) = (Bytes::new(abi.facts().order), function.start);
    for (pc, bytes) in all {
        if !advance(&mut out, pc.checked_sub(at)?, factors) {
            return None;
        }
        out.raw(&bytes);
        at = pc;
    }
    Some(out.added().to_vec())
}

/// The part of a row that an instruction sets: a register, or another one.
fn part(bytes: &[u8]) -> Option<(u8, u8)> {
    const CFA: u8 = 0x0c;
    const REGISTER: u8 = 0x05;
    Some(match *bytes.first()? {
        short @ 0x80..=0xff => (REGISTER, short & 0x3f),
        0x05..=0x09 | 0x10 | 0x11 | 0x14..=0x16 => (REGISTER, *bytes.get(1)?),
        0x0c..=0x0f | 0x12 | 0x13 => (CFA, 0),
        other => (other, 0),
    })
}
