//! Relocation types that occur in tables of objects: System V AMD64 psABI 1.0, table 4.9; ELF for the Arm 64-bit Architecture
//! 2023Q3, 5.7.5; s390x ELF ABI 1.6, 2.4.

use types::Abi;

/// How a relocation's value is formed, and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Symbol plus addend.
    Absolute(usize),
    /// The same, from the place.
    Relative(usize),
}

/// What a relocation type does; none for those that do not occur in tables.
pub(super) fn form(abi: Abi, kind: u64) -> Option<Form> {
    match abi {
        Abi::Amd64 => match kind {
            1 => Some(Form::Absolute(8)),
            10 | 11 => Some(Form::Absolute(4)),
            2 => Some(Form::Relative(4)),
            24 => Some(Form::Relative(8)),
            _ => None,
        },
        Abi::Aarch64 | Abi::Aarch64Be => match kind {
            257 => Some(Form::Absolute(8)),
            258 => Some(Form::Absolute(4)),
            260 => Some(Form::Relative(8)),
            261 => Some(Form::Relative(4)),
            _ => None,
        },
        Abi::S390x => match kind {
            22 => Some(Form::Absolute(8)),
            4 => Some(Form::Absolute(4)),
            23 => Some(Form::Relative(8)),
            5 => Some(Form::Relative(4)),
            _ => None,
        },
    }
}
