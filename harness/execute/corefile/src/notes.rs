//! The notes of a core file (Linux `include/uapi/linux/elf.h`, `include/uapi/linux/elfcore.h`).

use types::Abi;

use crate::fields::Fields;
use crate::{PAGE, Registers, Stopped};

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
pub(crate) fn notes(stopped: &Stopped<'_>) -> Vec<u8> {
    let order = stopped.abi.facts().order;
    let mut all = Fields::new(order);
    let mut add = |owner: &[u8], kind: u32, description: &[u8]| {
        all.word(owner.len() as u32 + 1).word(description.len() as u32).word(kind);
        all.text(owner, (owner.len() + 1).next_multiple_of(4));
        all.text(description, description.len().next_multiple_of(4));
    };
    add(b"CORE", NT_PRSTATUS, &status(stopped));
    add(b"CORE", NT_PRPSINFO, &info(stopped));
    add(b"CORE", NT_AUXV, stopped.auxiliary);
    add(b"CORE", NT_FILE, &files(stopped));
    if !stopped.registers.floats.is_empty() {
        let mut floats = Fields::new(order);
        floats.word(0).word(0);
        for value in &stopped.registers.floats {
            floats.long(*value);
        }
        add(b"CORE", NT_FPREGSET, &floats.bytes);
    }
    if stopped.abi.facts().pointer_authentication {
        let mut masks = Fields::new(order);
        // Bit 55 chooses the half of the address space.
        let mask = !stopped.abi.facts().address_mask & !(1 << 55);
        masks.long(mask).long(mask);
        add(b"LINUX", NT_ARM_PAC_MASK, &masks.bytes);
    }
    all.bytes
}

/// `struct elf_prstatus`: the signal, the process, its times (zeros) and registers.
fn status(stopped: &Stopped<'_>) -> Vec<u8> {
    let mut status = Fields::new(stopped.abi.facts().order);
    status.text(&[], 12).half(TRAP).half(0).long(0).long(0);
    status.word(PROCESS).word(0).word(PROCESS).word(PROCESS).text(&[], 64);
    register_set(stopped.abi, stopped.registers, &mut status);
    status.word(0).word(0);
    status.bytes
}

/// The general registers in the order of the kernel: `user_regs_struct` (arch/x86, arch/arm64),
/// `s390_regs` (arch/s390).
fn register_set(abi: Abi, registers: &Registers, to: &mut Fields) {
    let general = |number: usize| registers.general.get(number).copied().unwrap_or_default();
    match abi {
        Abi::Amd64 => {
            // r15 to r12, rbp, rbx, r11 to r8, rax, rcx, rdx, rsi, rdi by DWARF number.
            const BEFORE_PC: [usize; 15] = [15, 14, 13, 12, 6, 3, 11, 10, 9, 8, 0, 2, 1, 4, 5];
            const RSP: usize = 7;
            const USER_CODE: u64 = 0x33;
            const USER_DATA: u64 = 0x2b;
            for number in BEFORE_PC {
                to.long(general(number));
            }
            // No system call is executing: its number is -1.
            to.long(u64::MAX).long(registers.pc).long(USER_CODE).long(registers.flags);
            to.long(general(RSP)).long(USER_DATA).long(registers.thread_pointer).text(&[], 5 * 8);
        }
        Abi::Aarch64 | Abi::Aarch64Be => {
            const SP: usize = 31;
            for number in 0..=SP {
                to.long(general(number));
            }
            to.long(registers.pc).long(registers.flags);
        }
        Abi::S390x => {
            to.long(registers.flags).long(registers.pc);
            for number in 0..16 {
                to.long(general(number));
            }
            for number in 0..16 {
                to.word(registers.access.get(number).copied().unwrap_or_default());
            }
            to.long(general(2));
        }
    }
}

/// `struct elf_prpsinfo`: state, process and command.
fn info(stopped: &Stopped<'_>) -> Vec<u8> {
    let mut info = Fields::new(stopped.abi.facts().order);
    info.text(&[0, b'R'], 8).long(0).word(0).word(0);
    info.word(PROCESS).word(0).word(PROCESS).word(PROCESS);
    let name = stopped.command.first().map_or("", |name| name.rsplit('/').next().unwrap_or(name));
    // Each text ends with a zero byte.
    info.text(name.as_bytes(), 15).text(&[], 1).text(stopped.command.join(" ").as_bytes(), 79).text(&[], 1);
    info.bytes
}

/// NT_FILE: count and page size, addresses and page offset of each mapping, and the paths
/// (`fs/binfmt_elf.c`, `fill_files_note`).
fn files(stopped: &Stopped<'_>) -> Vec<u8> {
    let mut files = Fields::new(stopped.abi.facts().order);
    files.long(stopped.files.len() as u64).long(PAGE as u64);
    for file in stopped.files {
        files.long(file.addresses.start).long(file.addresses.end).long(file.offset / PAGE as u64);
    }
    for file in stopped.files {
        files.text(file.path.as_bytes(), file.path.len() + 1);
    }
    files.bytes
}
