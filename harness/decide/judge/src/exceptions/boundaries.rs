//! Addresses at which instructions begin.

use isa::Code;
use types::{Abi, Image};
use unwind::FunctionRange;

/// The instructions of a function, decoded from its start.
pub(super) struct Boundaries {
    start: u64,
    /// For each unit of the ABI's instruction alignment, true if an instruction begins there.
    begins: Vec<bool>,
    unit: u64,
    /// Offset at which decoding ended: what begins after it is not known.
    end: u64,
}

impl Boundaries {
    pub(super) fn new(image: &Image, function: &FunctionRange) -> Boundaries {
        let bytes = image.bytes_at(function.start.0).unwrap_or_default();
        let size = usize::try_from(function.end.0 - function.start.0).unwrap_or(usize::MAX).min(bytes.len());
        let bytes = bytes.get(..size).unwrap_or_default();
        let unit = image.abi.facts().instruction_alignment.max(1);
        let mut begins = vec![false; size.div_ceil(unit as usize)];
        let mut code = Code::new(image.abi, bytes, function.start.0);
        let mut at = 0;
        while at < size
            && let Some(length) = length(image.abi, &mut code, at)
        {
            if let Some(begins) = begins.get_mut(at / unit as usize) {
                *begins = true;
            }
            at += length;
        }
        Boundaries { start: function.start.0, begins, unit, end: at as u64 }
    }

    /// Returns true if an instruction begins at an address, or if that is not known.
    pub(super) fn may_begin(&self, address: u64) -> bool {
        let Some(offset) = address.checked_sub(self.start) else { return false };
        if offset >= self.end {
            return offset.is_multiple_of(self.unit);
        }
        offset.is_multiple_of(self.unit)
            && usize::try_from(offset / self.unit).is_ok_and(|at| self.begins.get(at).copied() == Some(true))
    }
}

/// Length of an instruction in bytes; `None` if it cannot be decoded.
fn length(abi: Abi, code: &mut Code<'_>, at: usize) -> Option<usize> {
    match abi {
        Abi::Aarch64 | Abi::Aarch64Be => Some(4),
        Abi::Amd64 | Abi::S390x => code.flow(at).map(|insn| usize::from(insn.length).max(1)),
    }
}
