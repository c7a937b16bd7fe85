//! CIEs, FDEs and their encoding (LSB 5.0, 10.6 "Exception Frames").

use types::{Abi, PacKey, Reg};

use super::directive::{Cfi, advance};
use super::form::{Bases, Form, Letter, pointer, size_field};
use crate::bytes::Bytes;
use crate::sframe::SectionAddress;

const DW_CFA_NOP: u8 = 0x00;

/// CIEs and the functions that use them.
#[derive(Clone, Debug)]
pub struct EhFrameSpec {
    /// Target: byte order and alignment factors.
    pub abi: Abi,
    /// CIEs, each with the FDEs that refer to it.
    pub cies: Vec<Cie>,
    /// FDEs after all CIEs, each with the position of its CIE.
    pub trailing: Vec<(usize, Fde)>,
    /// The section ends with the zero word of linked files.
    pub terminated: bool,
}

/// A CIE and its FDEs.
#[derive(Clone, Debug)]
pub struct Cie {
    /// AArch64: key that signs return addresses; B puts a `B` into the augmentation.
    pub key: PacKey,
    /// Frames are signal frames, which adds an `S` to the augmentation.
    pub signal: bool,
    /// Column of the return address.
    pub return_column: Reg,
    /// The rules at the start of every function.
    pub initial: Vec<Cfi>,
    /// FDEs of the CIE, in order.
    pub fdes: Vec<Fde>,
    /// How it and its FDEs are written.
    pub form: Form,
}

/// A function's range and call frame instructions.
#[derive(Clone, Debug)]
pub struct Fde {
    /// Address of the first instruction; in a relocatable object the offset from the symbol that
    /// `target` names.
    pub start: u64,
    /// Index of the caller's code section that contains the function. Only relocatable objects use
    /// this.
    pub target: usize,
    /// Size of the code in bytes.
    pub size: u32,
    /// Instructions with the offset from which they apply, ascending.
    pub program: Vec<(u64, Cfi)>,
}

/// A section's bytes, and its relocations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedSection {
    /// Contents, in the target's byte order.
    pub bytes: Vec<u8>,
    /// One relocation for each FDE in a relocatable object, else none.
    pub relocations: Vec<StartRelocation>,
    /// Function start of each FDE, and the FDE's offset in the section.
    pub fdes: Vec<(u64, u64)>,
}

/// A 4-byte field that must hold a function's address relative to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartRelocation {
    /// Offset of the field in the section.
    pub offset: u64,
    /// Code section, as in [`Fde::target`].
    pub target: usize,
    /// Offset from that section's symbol.
    pub addend: u64,
}

/// Call frame information that cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EhFrameError {
    #[error("function at {start:#x}: too far from .eh_frame for the pointer's encoding")]
    TooFar {
        /// Start of the function.
        start: u64,
    },
    #[error("function at {start:#x}: {cfi:?} at offset {offset:#x} does not fit the CIE's alignment factors")]
    Unaligned {
        /// Start of the function; 0 for the CIE's own instructions.
        start: u64,
        /// Offset in the function.
        offset: u64,
        /// The instruction.
        cfi: Cfi,
    },
}

impl Cie {
    /// The CIE that compilers emit for plain functions of the target.
    pub fn plain(abi: Abi) -> Self {
        let facts = abi.facts();
        let mut initial = vec![Cfi::DefCfa(facts.sp, facts.cfa_minus_sp_at_entry)];
        if !facts.link_register {
            // A call pushed the return address: it is below the CFA.
            initial.push(Cfi::Offset(facts.ra, -8));
        }
        Cie {
            key: PacKey::A,
            signal: false,
            return_column: facts.ra,
            initial,
            fdes: Vec::new(),
            form: Form::usual(abi),
        }
    }

    /// The letters after `z`: those of the form, and those of the key and of signal frames if the
    /// form does not place them.
    fn letters(&self) -> Option<Vec<Letter>> {
        let mut letters = self.form.letters.clone()?;
        for (letter, has) in [(Letter::BKey, self.key == PacKey::B), (Letter::Signal, self.signal)] {
            if has && !letters.contains(&letter) {
                letters.push(letter);
            }
        }
        Some(letters)
    }
}

/// The bytes of the section at its address.
pub fn encode(spec: &EhFrameSpec, place: SectionAddress) -> Result<EncodedSection, EhFrameError> {
    let mut made =
        Encoder { out: Bytes::new(spec.abi.facts().order), place, relocations: Vec::new(), fdes: Vec::new() };
    let mut offsets = Vec::new();
    for cie in &spec.cies {
        let offset = made.out.len();
        offsets.push(offset);
        made.cie(cie)?;
        cie.fdes.iter().try_for_each(|fde| made.fde(cie, offset, fde))?;
        if cie.form.ends {
            made.out.u32(0);
        }
    }
    for (position, fde) in &spec.trailing {
        if let Some((cie, offset)) = spec.cies.get(*position).zip(offsets.get(*position)) {
            made.fde(cie, *offset, fde)?;
        }
    }
    if spec.terminated {
        made.out.u32(0);
    }
    Ok(EncodedSection { bytes: made.out.finish(), relocations: made.relocations, fdes: made.fdes })
}

/// A section being written.
struct Encoder {
    out: Bytes,
    place: SectionAddress,
    relocations: Vec<StartRelocation>,
    fdes: Vec<(u64, u64)>,
}

impl Encoder {
    fn cie(&mut self, cie: &Cie) -> Result<(), EhFrameError> {
        let Form { version, factors, .. } = cie.form;
        let letters = cie.letters();
        let bases = self.bases(&cie.form);
        entry(&mut self.out, &cie.form, |out| {
            out.u32(0);
            out.u8(version);
            let letter = |letter: &Letter| letter.byte();
            out.raw(
                &letters.iter().flat_map(|all| std::iter::once(b'z').chain(all.iter().map(letter))).collect::<Vec<_>>(),
            );
            out.u8(0);
            if version >= 4 {
                // Sizes of an address and of a segment selector.
                out.raw(&[8, 0]);
            }
            out.uleb(factors.code);
            out.sleb(factors.data);
            if version == 1 {
                out.u8(cie.return_column.0 as u8);
            } else {
                out.uleb(u64::from(cie.return_column.0));
            }
            if let Some(letters) = &letters {
                let mut data = out.beside(out.len() + 1);
                letters.iter().for_each(|letter| letter.cie_data(&mut data, bases));
                out.uleb(data.added().len() as u64);
                out.raw(data.added());
            }
            cie.initial.iter().try_for_each(|cfi| instruction(out, cfi, factors, 0, 0))
        })
    }

    fn fde(&mut self, cie: &Cie, cie_offset: usize, fde: &Fde) -> Result<(), EhFrameError> {
        let (place, bases) = (self.place, self.bases(&cie.form));
        let (relocations, begin) = (&mut self.relocations, self.out.len() as u64);
        let letters = cie.letters();
        entry(&mut self.out, &cie.form, |out| {
            // An FDE refers to its CIE by the distance back from this field.
            out.u32((out.len() - cie_offset) as u32);
            let field = out.len() as u64;
            let encoding = Letter::pointers(letters.as_deref());
            match place {
                SectionAddress::Relocatable => {
                    relocations.push(StartRelocation { offset: field, target: fde.target, addend: fde.start });
                    out.u32(0);
                }
                SectionAddress::Linked { .. } => {
                    let fits = pointer(out, encoding, bases, fde.start);
                    fits.ok_or(EhFrameError::TooFar { start: fde.start })?;
                }
            }
            size_field(out, encoding, fde.size);
            if let Some(letters) = &letters {
                let mut data = out.beside(out.len() + 1);
                letters.iter().for_each(|letter| letter.fde_data(&mut data));
                data.raw(&cie.form.fde_data);
                out.uleb(data.added().len() as u64);
                out.raw(data.added());
            }
            program(out, fde, &cie.form)
        })?;
        self.fdes.push((fde.start, begin));
        Ok(())
    }

    /// What pointers are relative to; the section is at 0 in a relocatable object.
    fn bases(&self, form: &Form) -> Bases {
        let section = match self.place {
            SectionAddress::Relocatable => 0,
            SectionAddress::Linked { section } => section,
        };
        Bases { section, other: form.base }
    }
}

fn program(out: &mut Bytes, fde: &Fde, form: &Form) -> Result<(), EhFrameError> {
    let (factors, mut at) = (form.factors, 0);
    for (offset, cfi) in &fde.program {
        let unaligned = || EhFrameError::Unaligned { start: fde.start, offset: *offset, cfi: cfi.clone() };
        let distance = offset.checked_sub(at).ok_or_else(unaligned)?;
        if !advance(out, distance, factors) {
            return Err(unaligned());
        }
        at = *offset;
        instruction(out, cfi, factors, fde.start, *offset)?;
    }
    Ok(())
}

fn instruction(
    out: &mut Bytes,
    cfi: &Cfi,
    factors: super::Factors,
    start: u64,
    offset: u64,
) -> Result<(), EhFrameError> {
    if cfi.encode(out, factors) { Ok(()) } else { Err(EhFrameError::Unaligned { start, offset, cfi: cfi.clone() }) }
}

/// A length, contents, and padding to a multiple of 8 bytes.
fn entry(
    out: &mut Bytes,
    form: &Form,
    contents: impl FnOnce(&mut Bytes) -> Result<(), EhFrameError>,
) -> Result<(), EhFrameError> {
    let begin = out.len();
    // The extended length of 8 bytes follows a mark; identifiers have 4 bytes in any case.
    let width = if form.wide { 8 } else { 4 };
    out.raw(if form.wide { &[0xff; 4] } else { &[] });
    let length = out.len();
    out.low_bytes(0, width);
    contents(out)?;
    out.raw(&vec![DW_CFA_NOP; form.padding]);
    while !(out.len() - begin).is_multiple_of(8) {
        out.u8(DW_CFA_NOP);
    }
    out.patch(length, (out.len() - length - width) as u64, width);
    Ok(())
}
