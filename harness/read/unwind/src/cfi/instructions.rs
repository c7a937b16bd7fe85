//! The instructions of an FDE, one by one: also those that do not change a row.

use std::borrow::Cow;

use gimli::{
    BaseAddresses, CallFrameInstruction, DebugFrame, EhFrame, EndianSlice, FrameDescriptionEntry, RunTimeEndian,
    UnwindOffset, UnwindSection, Vendor,
};
use types::{Abi, Pc, Reg};

use super::entries::Flavour;
use super::{CfiSections, order, prepared};
use crate::FunctionRange;
use crate::aarch64::RA_SIGN_STATE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CfiSets {
    /// The CFA as register and offset.
    Cfa(Reg, i64),
    CfaExpression,
    CfaRegister(Reg),
    CfaOffset(i64),
    /// The rule of a register.
    Register(Reg),
    /// AArch64: whether the return address is signed.
    Signing,
    /// Nothing; the rules are remembered.
    Remember,
    /// All rules (`DW_CFA_restore_state`).
    State,
}

/// The instructions of the FDEs of a section.
pub struct CfiInstructions<'a> {
    abi: Abi,
    bases: BaseAddresses,
    bytes: Cow<'a, [u8]>,
    vendor: Vendor,
    flavour: Flavour,
}

type Bytes<'a> = EndianSlice<'a, RunTimeEndian>;

impl<'a> CfiInstructions<'a> {
    /// The instructions of the section that an unwinder of these sections uses.
    pub fn new(abi: Abi, sections: &CfiSections<'a>) -> Option<CfiInstructions<'a>> {
        let (address, bytes, flavour) = match (sections.eh_frame, sections.debug_frame) {
            (Some((address, bytes)), _) => (address, bytes, Flavour::EhFrame),
            (None, Some((address, bytes))) => (address, bytes, Flavour::DebugFrame),
            (None, None) => return None,
        };
        let (bytes, vendor) = prepared(abi, bytes, flavour);
        let bases = BaseAddresses::default().set_eh_frame(address);
        Some(CfiInstructions { abi, bases, bytes, vendor, flavour })
    }

    /// What the FDE of a function sets, with addresses; `None` if it cannot be read.
    pub fn of(&self, function: &FunctionRange) -> Option<Vec<(Pc, CfiSets)>> {
        let input = EndianSlice::new(&self.bytes, order(self.abi));
        match self.flavour {
            Flavour::EhFrame => {
                let mut section = EhFrame::from(input);
                section.set_address_size(8);
                section.set_vendor(self.vendor);
                self.read(&section, function)
            }
            Flavour::DebugFrame => {
                let mut section = DebugFrame::from(input);
                section.set_address_size(8);
                section.set_vendor(self.vendor);
                self.read(&section, function)
            }
        }
    }

    fn read<'b, S>(&self, section: &S, function: &FunctionRange) -> Option<Vec<(Pc, CfiSets)>>
    where
        S: UnwindSection<Bytes<'b>>,
        S::Offset: UnwindOffset<usize>,
    {
        let offset = S::Offset::from(usize::try_from(function.offset).ok()?);
        let fde: FrameDescriptionEntry<Bytes<'b>> =
            section.fde_from_offset(&self.bases, offset, S::cie_from_offset).ok()?;
        let factor = fde.cie().code_alignment_factor();
        let data_factor = fde.cie().data_alignment_factor();
        let mut instructions = fde.instructions(section, &self.bases);
        let (mut location, mut all) = (function.start.0, Vec::new());
        while let Some(instruction) = instructions.next().ok()? {
            use CallFrameInstruction as I;
            let sets = match instruction {
                I::SetLoc { address } => {
                    location = address;
                    continue;
                }
                I::AdvanceLoc { delta } => {
                    location = location.checked_add(u64::from(delta).checked_mul(factor)?)?;
                    continue;
                }
                I::DefCfa { register, offset } => CfiSets::Cfa(Reg(register.0), offset.cast_signed()),
                I::DefCfaSf { register, factored_offset } => {
                    CfiSets::Cfa(Reg(register.0), factored_offset.checked_mul(data_factor)?)
                }
                I::DefCfaExpression { .. } => CfiSets::CfaExpression,
                I::DefCfaRegister { register } => CfiSets::CfaRegister(Reg(register.0)),
                I::DefCfaOffset { offset } => CfiSets::CfaOffset(offset.cast_signed()),
                I::DefCfaOffsetSf { factored_offset } => CfiSets::CfaOffset(factored_offset.checked_mul(data_factor)?),
                I::NegateRaState => CfiSets::Signing,
                I::Undefined { register }
                | I::SameValue { register }
                | I::Offset { register, .. }
                | I::OffsetExtendedSf { register, .. }
                | I::ValOffset { register, .. }
                | I::ValOffsetSf { register, .. }
                | I::Register { dest_register: register, .. }
                | I::Expression { register, .. }
                | I::ValExpression { register, .. }
                | I::Restore { register } => match Reg(register.0) {
                    reg if self.abi.facts().pointer_authentication && reg == RA_SIGN_STATE => CfiSets::Signing,
                    reg => CfiSets::Register(reg),
                },
                I::RestoreState => CfiSets::State,
                I::RememberState => CfiSets::Remember,
                I::ArgsSize { .. } | I::Nop => continue,
            };
            all.push((Pc(location), sets));
        }
        Some(all)
    }
}
