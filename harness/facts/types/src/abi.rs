//! The ABI of an object, and the properties that follow from the ABI ([`AbiFacts`]).

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use core::str::FromStr;

#[cfg(doc)]
use crate::AbiFacts;
use crate::named;
use crate::{Reg, Unknown};

named! {
    /// A target the harness executes and judges.
    pub enum Abi {
        /// x86-64 System V, little-endian.
        Amd64 = "amd64",
        /// AAPCS64, little-endian data.
        Aarch64 = "aarch64-le",
        /// AAPCS64, big-endian data (instructions stay little-endian).
        Aarch64Be = "aarch64-be",
        /// s390x ELF ABI, big-endian.
        S390x = "s390x",
    }
}

/// The order of bytes in data and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Abi {
    /// Returns the ABI for an ELF file's `e_machine` and data encoding.
    pub fn from_elf(machine: u16, order: ByteOrder) -> Option<Abi> {
        Abi::ALL.into_iter().find(|abi| abi.facts().elf_machine == machine && abi.facts().order == order)
    }

    /// Returns the ABI for an `sfh_abi_arch` byte (SFrame V2 errata 1, "SFrame ABI/arch
    /// Identifier").
    pub fn from_sframe_id(id: u8) -> Option<Abi> {
        Abi::ALL.into_iter().find(|abi| abi.facts().sframe_id == id)
    }

    /// Returns true if `name`, from a list of targets, is this ABI's own name or its family's.
    pub fn is_called(self, name: &str) -> bool {
        name == self.name() || name == self.facts().family
    }

    /// Returns true if a DWARF register holds addresses: the general registers, with those of APX,
    /// and SP.
    pub fn holds_addresses(self, reg: Reg) -> bool {
        let facts = self.facts();
        reg.0 < facts.general_registers || reg == facts.sp || (self == Abi::Amd64 && matches!(reg.0, 130..=145))
    }

    /// Assembler name of a DWARF register, if it has one.
    pub fn register_name(self, reg: Reg) -> Option<String> {
        const AMD64: [&str; 17] = [
            "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
            "r15", "rip",
        ];
        // s390x ELF ABI 1.6, table 1.17: 16-31 are the FPRs in this order.
        const S390X_FPR: [u8; 16] = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15];
        match self {
            // System V AMD64 psABI, APX: 130-145 are the extended general registers.
            Abi::Amd64 => match reg.0 {
                130..=145 => Some(format!("r{}", reg.0 - 114)),
                number => AMD64.get(usize::from(number)).map(|name| (*name).to_owned()),
            },
            Abi::Aarch64 | Abi::Aarch64Be => match reg.0 {
                0..=30 => Some(format!("x{}", reg.0)),
                31 => Some("sp".to_owned()),
                64..=95 => Some(format!("v{}", reg.0 - 64)),
                _ => None,
            },
            Abi::S390x => match reg.0 {
                0..=15 => Some(format!("r{}", reg.0)),
                16..=31 => S390X_FPR.get(usize::from(reg.0 - 16)).map(|n| format!("f{n}")),
                _ => None,
            },
        }
    }
}

impl FromStr for Abi {
    type Err = Unknown;

    fn from_str(name: &str) -> Result<Self, Unknown> {
        Abi::ALL
            .into_iter()
            .find(|abi| abi.name() == name)
            .ok_or_else(|| Unknown::new("ABI", name, Abi::ALL.map(Abi::name)))
    }
}

impl ByteOrder {
    /// Decodes an unsigned 16-bit word from bytes in memory order.
    pub const fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            ByteOrder::Little => u16::from_le_bytes(bytes),
            ByteOrder::Big => u16::from_be_bytes(bytes),
        }
    }

    /// Decodes an unsigned 32-bit word from bytes in memory order.
    pub const fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        }
    }

    /// Decodes an unsigned 64-bit word from bytes in memory order.
    pub const fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_be_bytes(bytes),
        }
    }

    /// Decodes an unsigned number of at most 8 bytes in memory order.
    pub fn number(self, bytes: &[u8]) -> u64 {
        let append = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        match self {
            ByteOrder::Little => bytes.iter().rev().fold(0, append),
            ByteOrder::Big => bytes.iter().fold(0, append),
        }
    }

    /// Stores the low bytes of a number, as many as there is place for, in memory order.
    pub fn store(self, place: &mut [u8], value: u64) {
        let bytes = value.to_le_bytes();
        match self {
            ByteOrder::Little => place.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte),
            ByteOrder::Big => place.iter_mut().rev().zip(bytes).for_each(|(place, byte)| *place = byte),
        }
    }

    /// Encodes a 64-bit word as bytes in memory order.
    pub const fn bytes_of(self, word: u64) -> [u8; 8] {
        match self {
            ByteOrder::Little => word.to_le_bytes(),
            ByteOrder::Big => word.to_be_bytes(),
        }
    }
}
