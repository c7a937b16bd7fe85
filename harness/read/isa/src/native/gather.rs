//! Instructions that are executed by their definition: gathers of AVX2, whose memory operand is one
//! element for each index (Intel SDM volume 2, VPGATHERDD and the like); XGETBV and those that save
//! and restore the extended state; RDPID and CLWB, which touch no vector.

use iced_x86::{Decoder, DecoderOptions, EncodingKind, Instruction, Mnemonic, Register};

use super::{Address, LONGEST, address_of};

/// An instruction that is executed by its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defined {
    /// Length in bytes.
    pub length: u8,
    /// What it does.
    pub action: Action,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Loads elements whose mask is negative, and clears the mask.
    Gather(Gather),
    /// RDPID: the processor's number, into this general register.
    ReadProcessor(u8),
    /// CLWB: nothing that a program sees, but for a fault.
    WriteBack(Address),
    /// XGETBV: the extended state that is enabled.
    ReadEnabled,
    /// XSAVE, XSAVEOPT and XSAVEC: stores the extended state.
    SaveState(Address, StateForm),
    /// XRSTOR: loads the extended state.
    RestoreState(Address),
}

/// The form in which the extended state is stored (Intel SDM volume 1, 13.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateForm {
    /// Each component at its own offset.
    Standard,
    /// Without gaps.
    Compacted,
}

/// A gather. Register numbers are those of encodings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gather {
    /// The vector register for the elements.
    pub result: u8,
    /// The vector register with the masks.
    pub mask: u8,
    /// The vector register with the indices, and their factor.
    pub indices: (u8, u64),
    /// Size of an element, and of an index, in bytes.
    pub element: usize,
    /// Size of an index in bytes.
    pub index: usize,
    /// Number of elements.
    pub count: usize,
    /// The rest of the address.
    pub address: Address,
}

/// The instruction at the start of `bytes`, if it is one of these in a valid form.
#[must_use]
pub fn defined(bytes: &[u8]) -> Option<Defined> {
    let bytes = bytes.get(..LONGEST.min(bytes.len()))?;
    let decoded = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode();
    let action = match decoded.mnemonic() {
        _ if decoded.is_invalid() => return None,
        Mnemonic::Rdpid => Action::ReadProcessor(decoded.op0_register().full_register().number() as u8),
        Mnemonic::Clwb => Action::WriteBack(address_of(&decoded)),
        Mnemonic::Xgetbv => Action::ReadEnabled,
        Mnemonic::Xsave | Mnemonic::Xsave64 | Mnemonic::Xsaveopt | Mnemonic::Xsaveopt64 => {
            Action::SaveState(address_of(&decoded), StateForm::Standard)
        }
        Mnemonic::Xsavec | Mnemonic::Xsavec64 => Action::SaveState(address_of(&decoded), StateForm::Compacted),
        Mnemonic::Xrstor | Mnemonic::Xrstor64 => Action::RestoreState(address_of(&decoded)),
        _ if decoded.is_vsib() && decoded.encoding() == EncodingKind::VEX => Action::Gather(gather(&decoded)?),
        _ => return None,
    };
    Some(Defined { length: decoded.len() as u8, action })
}

fn gather(decoded: &Instruction) -> Option<Gather> {
    let (result, indices, mask) = (decoded.op0_register(), decoded.memory_index(), decoded.op2_register());
    let element = decoded.memory_size().size();
    let index = if decoded.is_vsib64() { 8 } else { 4 };
    let count = (result.size() / element.max(1)).min(indices.size() / index);
    let number = |register: Register| register.number() as u8;
    // With equal registers it is undefined (#UD).
    let differ =
        result.number() != mask.number() && result.number() != indices.number() && mask.number() != indices.number();
    (differ && matches!(element, 4 | 8)).then(|| Gather {
        result: number(result),
        mask: number(mask),
        indices: (number(indices), u64::from(decoded.memory_index_scale())),
        element,
        index,
        count,
        address: Address { index: None, ..address_of(decoded) },
    })
}
