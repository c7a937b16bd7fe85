//! CIEs, FDEs and their encoding (LSB 5.0, 10.6 "Exception Frames"): pointers have 4 bytes and are
//! relative to themselves.

use types::{Abi, PacKey, Reg};

use super::directive::{Cfi, Factors, advance};
use crate::arch::target;
use crate::bytes::Bytes;
use crate::sframe::SectionAddress;

/// DW_EH_PE_pcrel | DW_EH_PE_sdata4.
const POINTER_ENCODING: u8 = 0x1b;
const DW_CFA_NOP: u8 = 0x00;

/// CIEs and the functions that use them.
#[derive(Clone, Debug)]
pub struct EhFrameSpec {
    /// Target: byte order and alignment factors.
    pub abi: Abi,
    /// CIEs, each with the FDEs that refer to it.
    pub cies: Vec<Cie>,
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
    /// A function is more than 2 GiB away.
    #[error("function at {start:#x}: too far from .eh_frame for a 4-byte pointer")]
    TooFar {
        /// Start of the function.
        start: u64,
    },
    /// An instruction's offset is not a multiple of the CIE's alignment factor, or decreases.
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
        Cie { key: PacKey::A, signal: false, return_column: facts.ra, initial, fdes: Vec::new() }
    }

    /// The augmentation string. `z`: augmentation data has a length. `R`: it has the pointer
    /// encoding. `B` and `S` have no data.
    fn augmentation(&self) -> String {
        let key = if self.key == PacKey::B { "B" } else { "" };
        let signal = if self.signal { "S" } else { "" };
        format!("zR{key}{signal}")
    }
}

/// The bytes of the section at its address.
pub fn encode(spec: &EhFrameSpec, place: SectionAddress) -> Result<EncodedSection, EhFrameError> {
    let factors = factors(spec.abi);
    let mut out = Bytes::new(spec.abi.facts().order);
    let (mut relocations, mut fdes) = (Vec::new(), Vec::new());
    for cie in &spec.cies {
        let cie_offset = out.len();
        entry(&mut out, |out| {
            out.u32(0);
            out.u8(1);
            out.raw(cie.augmentation().as_bytes());
            out.u8(0);
            out.uleb(factors.code);
            out.sleb(factors.data);
            out.u8(cie.return_column.0 as u8);
            out.uleb(1);
            out.u8(POINTER_ENCODING);
            cie.initial.iter().try_for_each(|cfi| instruction(out, cfi, factors, 0, 0))
        })?;
        for fde in &cie.fdes {
            fdes.push((fde.start, out.len() as u64));
            entry(&mut out, |out| {
                // An FDE refers to its CIE by the distance back from this field.
                out.u32((out.len() - cie_offset) as u32);
                let field = out.len() as u64;
                match place {
                    SectionAddress::Relocatable => {
                        relocations.push(StartRelocation { offset: field, target: fde.target, addend: fde.start });
                        out.u32(0);
                    }
                    SectionAddress::Linked { section } => {
                        let distance = fde.start.wrapping_sub(section.wrapping_add(field)) as i64;
                        let distance =
                            i32::try_from(distance).map_err(|_| EhFrameError::TooFar { start: fde.start })?;
                        out.u32(distance as u32);
                    }
                }
                out.u32(fde.size);
                out.uleb(0);
                program(out, fde, factors)
            })?;
        }
    }
    if spec.terminated {
        out.u32(0);
    }
    Ok(EncodedSection { bytes: out.finish(), relocations, fdes })
}

fn program(out: &mut Bytes, fde: &Fde, factors: Factors) -> Result<(), EhFrameError> {
    let mut at = 0;
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

fn instruction(out: &mut Bytes, cfi: &Cfi, factors: Factors, start: u64, offset: u64) -> Result<(), EhFrameError> {
    if cfi.encode(out, factors) { Ok(()) } else { Err(EhFrameError::Unaligned { start, offset, cfi: cfi.clone() }) }
}

/// A length, contents, and padding to a multiple of 8 bytes.
fn entry(out: &mut Bytes, contents: impl FnOnce(&mut Bytes) -> Result<(), EhFrameError>) -> Result<(), EhFrameError> {
    let begin = out.len();
    out.u32(0);
    contents(out)?;
    while !(out.len() - begin).is_multiple_of(8) {
        out.u8(DW_CFA_NOP);
    }
    let length = out.len() - begin - 4;
    out.patch(begin, length as u64, 4);
    Ok(())
}

/// Alignment factors as compilers choose them.
fn factors(abi: Abi) -> Factors {
    Factors { code: target(abi).code_alignment, data: -8 }
}
