//! The notes of a core file (Linux `include/uapi/linux/elf.h`, `include/uapi/linux/elfcore.h`).

use types::Abi;

use super::{Registers, Stopped};
use crate::memory::PAGE;
use crate::record::Record;

/// `n_type` of each note.
const NT_PRSTATUS: u32 = 1;
const NT_FPREGSET: u32 = 2;
const NT_PRPSINFO: u32 = 3;
const NT_AUXV: u32 = 6;
const NT_FILE: u32 = 0x4649_4c45;
const NT_ARM_PAC_MASK: u32 = 0x406;

/// The process number that the emulated kernel gives a program.
const PROCESS: u32 = 1;
/// `SIGTRAP`: a debugger shows it as the reason why the program stopped.
const TRAP: u16 = 5;

/// All notes of a program with one thread.
pub(super) fn notes(stopped: &Stopped<'_>) -> Vec<u8> {
    let (facts, registers) = (stopped.abi.facts(), stopped.registers);
    let record = || Record::new(facts.order);
    let mut all = record();
    all = note(all, b"CORE", NT_PRSTATUS, status(stopped, record()).bytes());
    all = note(all, b"CORE", NT_PRPSINFO, info(stopped, record()).bytes());
    all = note(all, b"CORE", NT_AUXV, stopped.auxiliary);
    all = note(all, b"CORE", NT_FILE, files(stopped, record()).bytes());
    if !registers.floats.is_empty() {
        all = note(all, b"CORE", NT_FPREGSET, record().u32(0).u32(0).words(&registers.floats).bytes());
    }
    if facts.pointer_authentication {
        // Bit 55 chooses the half of the address space.
        let mask = !facts.address_mask & !(1 << 55);
        all = note(all, b"LINUX", NT_ARM_PAC_MASK, record().words(&[mask, mask]).bytes());
    }
    all.bytes().to_vec()
}

/// Appends a note: sizes and type, then owner and description, each with zeros up to a multiple of
/// four bytes.
fn note(all: Record, owner: &[u8], kind: u32, description: &[u8]) -> Record {
    let all = all.u32(owner.len() as u32 + 1).u32(description.len() as u32).u32(kind);
    let all = all.text(owner, (owner.len() + 1).next_multiple_of(4));
    all.text(description, description.len().next_multiple_of(4))
}

/// `struct elf_prstatus`: the signal, the process, its times (zeros) and registers.
fn status(stopped: &Stopped<'_>, record: Record) -> Record {
    let status = record.text(&[], 12).u16(TRAP).u16(0).u64(0).u64(0);
    let status = status.u32(PROCESS).u32(0).u32(PROCESS).u32(PROCESS).text(&[], 64);
    register_set(stopped.abi, stopped.registers, status).u32(0).u32(0)
}

/// The general registers in the order of the kernel: `user_regs_struct` (arch/x86, arch/arm64),
/// `s390_regs` (arch/s390).
fn register_set(abi: Abi, registers: &Registers, to: Record) -> Record {
    let general = |number: usize| registers.general.get(number).copied().unwrap_or_default();
    let all = |to: Record, numbers: &[usize]| numbers.iter().fold(to, |to, number| to.u64(general(*number)));
    match abi {
        Abi::Amd64 => {
            const RSP: usize = 7;
            const USER_CODE: u64 = 0x33;
            const USER_DATA: u64 = 0x2b;
            // r15 to r12, rbp, rbx, r11 to r8, rax, rcx, rdx, rsi, rdi by DWARF number.
            let to = all(to, &[15, 14, 13, 12, 6, 3, 11, 10, 9, 8, 0, 2, 1, 4, 5]);
            // No system call is executing: its number is -1.
            let to = to.words(&[u64::MAX, registers.pc, USER_CODE, registers.flags, general(RSP), USER_DATA]);
            to.u64(registers.thread_pointer).text(&[], 5 * 8)
        }
        Abi::Aarch64 | Abi::Aarch64Be => {
            // SP is number 31.
            let numbers: [usize; 32] = std::array::from_fn(|number| number);
            all(to, &numbers).u64(registers.pc).u64(registers.flags)
        }
        Abi::S390x => {
            let numbers: [usize; 16] = std::array::from_fn(|number| number);
            let to = all(to.u64(registers.flags).u64(registers.pc), &numbers);
            let access = |number: &usize| registers.access.get(*number).copied().unwrap_or_default();
            numbers.iter().map(access).fold(to, Record::u32).u64(general(2))
        }
    }
}

/// `struct elf_prpsinfo`: state, process and command.
fn info(stopped: &Stopped<'_>, record: Record) -> Record {
    let info = record.text(&[0, b'R'], 8).u64(0).u32(0).u32(0);
    let info = info.u32(PROCESS).u32(0).u32(PROCESS).u32(PROCESS);
    let name = stopped.command.first().map_or("", |name| name.rsplit('/').next().unwrap_or(name));
    // Each text ends with a zero byte.
    info.text(name.as_bytes(), 15).text(&[], 1).text(stopped.command.join(" ").as_bytes(), 79).text(&[], 1)
}

/// NT_FILE: count and page size, addresses and page offset of each mapping, and the paths
/// (`fs/binfmt_elf.c`, `fill_files_note`).
fn files(stopped: &Stopped<'_>, record: Record) -> Record {
    let files = stopped.files.iter().fold(record.u64(stopped.files.len() as u64).u64(PAGE), |files, file| {
        files.words(&[file.addresses.start, file.addresses.end, file.offset / PAGE])
    });
    stopped.files.iter().fold(files, |files, file| files.text(file.path.as_bytes(), file.path.len() + 1))
}
