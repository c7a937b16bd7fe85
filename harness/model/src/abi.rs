//! Which ABI an object is for, and what the ABI fixes: register numbers, byte order, where the CFA lies at function entry.

use std::fmt;
use std::str::FromStr;

use crate::Reg;

/// A target the harness executes and judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Abi {
    /// x86-64 System V, little-endian.
    Amd64,
    /// AAPCS64, little-endian data.
    Aarch64,
    /// AAPCS64, big-endian data (instructions stay little-endian).
    Aarch64Be,
    /// s390x ELF ABI, big-endian.
    S390x,
}

/// The order of bytes in data and tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// What an ABI fixes, as data. Registers are DWARF numbers; offsets are bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct AbiFacts {
    /// Stack pointer.
    pub sp: Reg,
    /// Frame pointer, the register SFrame tracks as FP.
    pub fp: Reg,
    /// Return-address column of CFI: the link register, or the virtual column 16 on AMD64.
    pub ra: Reg,
    /// True where a call leaves the return address in a register ([`Self::ra`]) and not on the stack.
    pub link_register: bool,
    /// Order of bytes in data.
    pub order: ByteOrder,
    /// CFA minus SP at the first instruction of a called function.
    pub cfa_minus_sp_at_entry: i64,
    /// The caller's SP after the return, minus the CFA.
    pub caller_sp_minus_cfa: i64,
    /// Bytes below SP that a signal handler leaves alone.
    pub red_zone: u64,
    /// Bits of a return address that hold the address when pointer authentication uses the rest.
    pub address_mask: u64,
    /// Alignment of instructions.
    pub instruction_alignment: u64,
    /// The `sfh_abi_arch` byte (SFrame V2 errata 1, "SFrame ABI/arch Identifier").
    pub sframe_id: u8,
    /// ELF `e_machine`.
    pub elf_machine: u16,
}

// System V AMD64 psABI 1.0, 3.2.2 (stack frame, red zone of 128 bytes) and figure 3.36 (DWARF numbers).
const AMD64: AbiFacts = AbiFacts {
    sp: Reg(7),
    fp: Reg(6),
    ra: Reg(16),
    link_register: false,
    order: ByteOrder::Little,
    cfa_minus_sp_at_entry: 8,
    caller_sp_minus_cfa: 0,
    red_zone: 128,
    address_mask: u64::MAX,
    instruction_alignment: 1,
    sframe_id: 3,
    elf_machine: 62,
};

// AAPCS64 6.2.3 (no red zone) and DWARF for the Arm 64-bit Architecture 4.1 (numbers, CFA = SP at entry).
const AARCH64: AbiFacts = AbiFacts {
    sp: Reg(31),
    fp: Reg(29),
    ra: Reg(30),
    link_register: true,
    order: ByteOrder::Little,
    cfa_minus_sp_at_entry: 0,
    caller_sp_minus_cfa: 0,
    red_zone: 0,
    address_mask: 0x0000_ffff_ffff_ffff,
    instruction_alignment: 4,
    sframe_id: 2,
    elf_machine: 183,
};

const AARCH64_BE: AbiFacts = AbiFacts { order: ByteOrder::Big, sframe_id: 1, ..AARCH64 };

// s390x ELF ABI 1.6, 1.2.2 (160-byte register save area, CFA = SP at entry + 160) and table 1.17 (DWARF numbers).
const S390X: AbiFacts = AbiFacts {
    sp: Reg(15),
    fp: Reg(11),
    ra: Reg(14),
    link_register: true,
    order: ByteOrder::Big,
    cfa_minus_sp_at_entry: 160,
    caller_sp_minus_cfa: -160,
    red_zone: 0,
    address_mask: u64::MAX,
    instruction_alignment: 2,
    sframe_id: 4,
    elf_machine: 22,
};

impl Abi {
    /// Every ABI, in the order reports list them.
    pub const ALL: [Abi; 4] = [Abi::Amd64, Abi::Aarch64, Abi::Aarch64Be, Abi::S390x];

    /// What the ABI fixes.
    pub const fn facts(self) -> &'static AbiFacts {
        match self {
            Abi::Amd64 => &AMD64,
            Abi::Aarch64 => &AARCH64,
            Abi::Aarch64Be => &AARCH64_BE,
            Abi::S390x => &S390X,
        }
    }

    /// The name used in keys, folders and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Abi::Amd64 => "amd64",
            Abi::Aarch64 => "aarch64-le",
            Abi::Aarch64Be => "aarch64-be",
            Abi::S390x => "s390x",
        }
    }

    /// Both AArch64 byte orders.
    pub const fn is_aarch64(self) -> bool {
        matches!(self, Abi::Aarch64 | Abi::Aarch64Be)
    }

    /// The name of a DWARF register as assemblers write it, where it has one.
    pub fn register_name(self, reg: Reg) -> Option<String> {
        const AMD64: [&str; 17] = [
            "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
            "r15", "rip",
        ];
        // s390x ELF ABI 1.6, table 1.17: 16-31 are the FPRs in this order.
        const S390X_FPR: [u8; 16] = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15];
        match self {
            Abi::Amd64 => AMD64.get(usize::from(reg.0)).map(|name| (*name).to_owned()),
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

impl fmt::Display for Abi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no [`Abi`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown ABI '{0}' (one of amd64, aarch64-le, aarch64-be, s390x)")]
pub struct UnknownAbi(pub String);

impl FromStr for Abi {
    type Err = UnknownAbi;

    fn from_str(name: &str) -> Result<Self, UnknownAbi> {
        Abi::ALL.into_iter().find(|abi| abi.name() == name).ok_or_else(|| UnknownAbi(name.to_owned()))
    }
}

impl serde::Serialize for Abi {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> serde::Deserialize<'de> for Abi {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

impl ByteOrder {
    /// An unsigned 64-bit word from its bytes in memory order.
    pub const fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_be_bytes(bytes),
        }
    }
}
