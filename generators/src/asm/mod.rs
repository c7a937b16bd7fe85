//! The bytes of an instruction: one function for each instruction that generated code has, one file for each architecture.
//!
//! Operands stand in the order of the architecture's manual, the destination first. Distances are bytes from the first byte of
//! the branch itself; 0 is a branch to itself.

pub(crate) mod aarch64;
pub(crate) mod amd64;
pub(crate) mod s390x;

use types::Abi;

use crate::code::Transfer;

/// Returns to the address that the call left.
pub(crate) fn ret(abi: Abi) -> Vec<u8> {
    match abi {
        Abi::Amd64 => amd64::ret(),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::ret().to_vec(),
        Abi::S390x => s390x::br(s390x::R14).to_vec(),
    }
}

/// Does nothing: the shortest such instruction.
pub(crate) fn nop(abi: Abi) -> Vec<u8> {
    match abi {
        Abi::Amd64 => amd64::nop(),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::nop().to_vec(),
        Abi::S390x => s390x::nopr(s390x::R7).to_vec(),
    }
}

/// A call, or a jump to another function. Its length is the same for every distance.
pub(crate) fn transfer(abi: Abi, transfer: Transfer, distance: i32) -> Vec<u8> {
    match (abi, transfer) {
        (Abi::Amd64, Transfer::Call) => amd64::call(distance),
        (Abi::Amd64, Transfer::Jump) => amd64::jmp(distance),
        (Abi::Aarch64 | Abi::Aarch64Be, Transfer::Call) => aarch64::bl(distance).to_vec(),
        (Abi::Aarch64 | Abi::Aarch64Be, Transfer::Jump) => aarch64::b(distance).to_vec(),
        (Abi::S390x, Transfer::Call) => s390x::brasl(s390x::R14, distance).to_vec(),
        (Abi::S390x, Transfer::Jump) => s390x::jg(distance).to_vec(),
    }
}
