//! What the rules need to know of each ABI besides [`types::AbiFacts`]: relocation numbers, checks
//! of its own words, and just enough of its instruction set for the rules that look at code. What
//! is not understood ends the look; nothing is guessed.

mod aarch64;
mod amd64;
mod s390x;

use types::{Abi, Image};

use super::report::Report;
use super::row::RowView;
use super::view::View;

pub(crate) struct Arch {
    /// The instruction at the start of some bytes; none if it is not understood.
    pub(crate) decode: fn(&[u8]) -> Option<Instruction>,
    /// PC-relative relocations of 4 and of 8 bytes.
    pub(crate) pc_relative: (u32, u32),
    /// Relocation types that do nothing.
    pub(crate) none: &'static [u32],
    /// Linkers describe PLT sections.
    pub(crate) describes_plt: bool,
    /// Bytes on the stack besides a return address at the first entry of a
    /// lazy PLT, which begins with that instruction.
    pub(crate) plt_resolver: Option<(u16, i64)>,
    /// Checks the words of a default row for what only this ABI has.
    pub(crate) default_row: fn(&RowView<'_, '_>, &mut Report),
    /// Checks a flex row likewise.
    pub(crate) flex_row: fn(&RowView<'_, '_>, &mut Report),
}

pub(crate) fn arch(abi: Abi) -> &'static Arch {
    match abi {
        Abi::Amd64 => &amd64::ARCH,
        Abi::Aarch64 | Abi::Aarch64Be => &aarch64::ARCH,
        Abi::S390x => &s390x::ARCH,
    }
}

/// An instruction, as far as the rules care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    /// In bytes.
    pub(crate) length: u8,
    pub(crate) kind: Kind,
    /// Distinguishes instructions of one kind, without operands.
    pub(crate) opcode: u16,
}

/// What an instruction does to the stack and to control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Leaves a return address in the link register.
    Call,
    /// SP goes down by that many bytes.
    Push(u8),
    /// A jump to an address that was loaded. A lazy PLT slot's initially leads to the instruction
    /// after it, so code may follow.
    IndirectJump,
    /// A jump to a fixed place. What follows is not reached from here, and may be data.
    Jump,
    /// SP changes in a way that is not tracked.
    StackPointer,
    Other,
}

/// The instructions of some bytes with their offsets, up to the first that is not understood.
pub(crate) fn instructions(abi: Abi, bytes: &[u8]) -> impl Iterator<Item = (u64, Instruction)> + '_ {
    let mut at = 0_usize;
    core::iter::from_fn(move || {
        let instruction = (arch(abi).decode)(bytes.get(at..)?)?;
        let found = (at as u64, instruction);
        at = at.checked_add(usize::from(instruction.length.max(1)))?;
        Some(found)
    })
}

/// How much code may still be looked at. Functions that overlap would have the same bytes looked at
/// again and again.
#[derive(Debug)]
pub(crate) struct Scan {
    left: u64,
}

impl Scan {
    /// Every byte of code eight times: three rules look at code, and honest functions do not
    /// overlap.
    pub(crate) fn new(image: &Image) -> Scan {
        const LOOKS: u64 = 8;
        let code = image.sections.iter().filter(|section| section.is_code()).map(|section| section.size);
        Scan { left: code.fold(0, u64::saturating_add).saturating_mul(LOOKS) }
    }

    /// The bytes of a range of code, if the allowance holds them.
    pub(crate) fn code<'i>(&mut self, view: &View<'i>, start: u64, end: u64) -> Option<&'i [u8]> {
        self.left = self.left.checked_sub(end.checked_sub(start)?.max(1))?;
        let home = view.code.section_of(view.image, (start, end))?;
        let offset = |address: u64| address.checked_sub(home.address).and_then(|offset| usize::try_from(offset).ok());
        home.bytes.get(offset(start)?..offset(end)?)
    }
}
