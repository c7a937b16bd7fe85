//! Damage to `.eh_frame`: bytes and words, instructions, and whole entries.

use super::{Change, Edit, Field, Spot};
use crate::blind::cfi::{Cfi, Function};
use types::Rng;

/// Damages a section. Offsets are relative to its start. `None` if the drawn kind does not apply.
pub(super) fn damage(spot: &Spot<'_>, cfi: &Cfi, rng: &mut Rng) -> Option<Change> {
    match rng.below(10) {
        0 => spot.byte(rng, 0, spot.bytes.len() as u64),
        1 => spot.word(rng, 0, spot.bytes.len() as u64),
        2 => {
            let function = pick(rng, &cfi.functions)?;
            let names = [("length", 0), ("CIE pointer", 4), ("start", 8), ("size", 12)];
            let (name, at) = rng.pick(&names);
            let change = spot.change(rng, &Field { name, at: function.at + at, size: 4 }, &[])?;
            Some(change.of("fde", &format!("function at {:#x}:", function.at)))
        }
        3..8 => instruction(spot, cfi, rng),
        _ => entries(spot, cfi, rng),
    }
}

fn pick<'a, T>(rng: &mut Rng, items: &'a [T]) -> Option<&'a T> {
    items.get(usize::try_from(rng.below(items.len() as u64)).ok()?)
}

/// Damages one instruction: changes operation or operands, removes it, or replaces it by one of the
/// same length.
fn instruction(spot: &Spot<'_>, cfi: &Cfi, rng: &mut Rng) -> Option<Change> {
    let function = pick(rng, &cfi.functions)?;
    let one = pick(rng, &function.instructions)?;
    let name = format!("function at {:#x}, instruction at {:#x}", function.at, one.at);
    match rng.below(4) {
        0 => {
            let nops = vec![0; usize::try_from(one.size).ok()?];
            Some(Change::new("instruction-gone", format!("{name}: gone"), vec![Edit::new(one.at, nops)]))
        }
        1 => {
            let all = cfi.functions.iter().flat_map(|function| &function.instructions);
            let alike: Vec<_> = all.filter(|other| other.size == one.size && other.at != one.at).collect();
            let other = pick(rng, &alike)?;
            let theirs = spot.slice(other.at, other.at + other.size)?;
            let what = format!("{name}: the one at {:#x}", other.at);
            Some(Change::new("instruction-other", what, vec![Edit::new(one.at, theirs)]))
        }
        _ => Some(spot.byte(rng, one.at, one.at + one.size)?.of("instruction", &format!("{name}:"))),
    }
}

/// Damages whole FDEs: swaps, copies or clears their instructions.
fn entries(spot: &Spot<'_>, cfi: &Cfi, rng: &mut Rng) -> Option<Change> {
    let one = pick(rng, &cfi.functions)?;
    let alike: Vec<&Function> =
        cfi.functions.iter().filter(|other| other.size == one.size && other.at != one.at).collect();
    let body = |function: &Function| {
        let first = function.instructions.first()?.at;
        Some((first, spot.slice(first, function.at + function.size)?))
    };
    let name = format!("function at {:#x}", one.at);
    let (at, mine) = body(one)?;
    if rng.one_in(3) {
        let nops = vec![Edit::new(at, vec![0; mine.len()])];
        return Some(Change::new("fde-cleared", format!("{name}: no instructions"), nops));
    }
    let other = pick(rng, &alike)?;
    let (there, theirs) = body(other)?;
    if mine.len() != theirs.len() {
        return None;
    }
    Some(match rng.below(2) {
        0 => {
            let what = format!("{name}: instructions of {:#x}", other.at);
            Change::new("fde-copied", what, vec![Edit::new(at, theirs)])
        }
        _ => {
            let edits = vec![Edit::new(at, theirs), Edit::new(there, mine)];
            Change::new("fde-swapped", format!("{name}: instructions swapped with {:#x}", other.at), edits)
        }
    })
}
