//! The state of a program where its run ended.

use linux::{Access, Register, Registers as _};
use types::{Abi, Pc};

use crate::core::Core;
use crate::process::EmulatedRegisters;

/// Registers and memory of a program between two instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    abi: Abi,
    /// Address of the next instruction.
    pub pc: Pc,
    registers: Vec<(Register, u64)>,
    /// Its memory, sorted by address.
    pub memory: Vec<SnapshotPages>,
}

/// Pages of equal permissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotPages {
    /// Address of the first page.
    pub address: u64,
    /// Permissions.
    pub access: Access,
    pub bytes: Vec<u8>,
}

/// DWARF numbers of the general registers and the stack pointer.
fn numbers(abi: Abi) -> impl Iterator<Item = u8> {
    let facts = abi.facts();
    (0..facts.general_registers.max(facts.sp.0 + 1)).map(|number| number as u8)
}

impl Snapshot {
    pub(crate) fn from_core(core: &Core) -> Snapshot {
        let abi = core.kernel.abi();
        let read = EmulatedRegisters(&core.engine);
        let of = |register: Register| (register, read.read(register));
        let general = numbers(abi).map(|number| of(Register::General(number)));
        let numbered = (0..16).flat_map(|number| [of(Register::Access(number)), of(Register::VectorHigh(number))]);
        let registers = general.chain([of(Register::Flags), of(Register::ThreadPointer)]).chain(numbered).collect();
        let mut memory = Vec::new();
        for span in core.memory.spans() {
            let mut address = span.base;
            for pages in &span.runs {
                if let Some(bytes) = core.memory.read(address, pages.size as usize) {
                    memory.push(SnapshotPages { address, access: pages.access, bytes: bytes.to_vec() });
                }
                address += pages.size;
            }
        }
        Snapshot { abi, pc: Pc(core.pc), registers, memory }
    }

    /// A register; 0 for one that the target does not have.
    #[must_use]
    pub fn register(&self, register: Register) -> u64 {
        self.registers.iter().find(|(one, _)| *one == register).map_or(0, |(_, value)| *value)
    }

    /// The general registers and the stack pointer, by DWARF number.
    #[must_use]
    pub fn general(&self) -> Vec<u64> {
        numbers(self.abi).map(|number| self.register(Register::General(number))).collect()
    }

    /// The bytes from an address to the end of its pages.
    #[must_use]
    pub fn bytes_at(&self, address: u64) -> Option<&[u8]> {
        let upto = self.memory.partition_point(|pages| pages.address <= address);
        let pages = self.memory.get(upto.checked_sub(1)?)?;
        pages.bytes.get(usize::try_from(address - pages.address).ok()?..)
    }

    /// The ABI of the program.
    #[must_use]
    pub fn abi(&self) -> Abi {
        self.abi
    }
}
