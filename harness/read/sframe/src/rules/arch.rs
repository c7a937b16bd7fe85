//! ABI-specific data of the rules in addition to [`types::AbiFacts`]: relocation types, checks of
//! ABI-specific words, and a partial instruction decoder for the rules that examine code. An
//! unknown instruction ends the examination; nothing is guessed.

mod aarch64;
mod amd64;
mod s390x;

use types::{Abi, Image};

use super::report::Report;
use super::row::RowView;
use super::view::View;

pub(crate) struct Arch {
    /// Decodes the instruction at the start of the bytes; `None` if it is not known.
    pub(crate) decode: fn(&[u8]) -> Option<Instruction>,
    /// PC-relative relocations of 4 and of 8 bytes.
    pub(crate) pc_relative: (u32, u32),
    /// Relocation types without effect.
    pub(crate) none: &'static [u32],
    /// True if linkers describe PLT sections.
    pub(crate) describes_plt: bool,
    /// Opcode of the first instruction of a lazy PLT's first entry, and bytes on the stack besides
    /// a return address when it executes.
    pub(crate) plt_resolver: Option<(u16, i64)>,
    /// Checks the words of a default row for properties specific to this ABI.
    pub(crate) default_row: fn(&RowView<'_, '_>, &mut Report),
    /// Checks the words of a flex row for properties specific to this ABI.
    pub(crate) flex_row: fn(&RowView<'_, '_>, &mut Report),
}

pub(crate) fn arch(abi: Abi) -> &'static Arch {
    match abi {
        Abi::Amd64 => &amd64::ARCH,
        Abi::Aarch64 | Abi::Aarch64Be => &aarch64::ARCH,
        Abi::S390x => &s390x::ARCH,
    }
}

/// An instruction, as far as the rules need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    /// Length in bytes.
    pub(crate) length: u8,
    pub(crate) kind: Kind,
    /// Distinguishes instructions of one kind, without operands.
    pub(crate) opcode: u16,
}

/// Effect of an instruction on the stack and on control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A call that writes the return address to the link register.
    Call,
    /// Decreases SP by this number of bytes.
    Push(u8),
    /// A jump to a loaded address. In a lazy PLT slot this initially is the next instruction, so
    /// code may follow.
    IndirectJump,
    /// A jump to a fixed address. The bytes after it are not reached from here, and may be data.
    Jump,
    /// Changes SP in a way that is not tracked.
    StackPointer,
    Other,
}

/// The instructions in some bytes with their offsets, up to the first unknown one.
pub(crate) fn instructions(abi: Abi, bytes: &[u8]) -> impl Iterator<Item = (u64, Instruction)> + '_ {
    let mut at = 0_usize;
    core::iter::from_fn(move || {
        let instruction = (arch(abi).decode)(bytes.get(at..)?)?;
        let found = (at as u64, instruction);
        at = at.checked_add(usize::from(instruction.length.max(1)))?;
        Some(found)
    })
}

/// Remaining allowance of code bytes to examine. Functions that overlap could otherwise have the
/// same bytes examined again and again.
#[derive(Debug)]
pub(crate) struct Scan {
    left: u64,
}

impl Scan {
    /// Allows every byte of code eight times: three rules examine code, and valid functions do not
    /// overlap.
    pub(crate) fn new(image: &Image) -> Scan {
        const LOOKS: u64 = 8;
        let code = image.sections.iter().filter(|section| section.is_code()).map(|section| section.size);
        Scan { left: code.fold(0, u64::saturating_add).saturating_mul(LOOKS) }
    }

    /// The bytes of a range of code, if the allowance suffices.
    pub(crate) fn code<'i>(&mut self, view: &View<'i>, start: u64, end: u64) -> Option<&'i [u8]> {
        self.left = self.left.checked_sub(end.checked_sub(start)?.max(1))?;
        let home = view.code.section_of(view.image, (start, end))?;
        let offset = |address: u64| address.checked_sub(home.address).and_then(|offset| usize::try_from(offset).ok());
        home.bytes.get(offset(start)?..offset(end)?)
    }
}
