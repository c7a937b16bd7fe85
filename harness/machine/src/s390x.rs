//! s390x as the machine drives it. Registers by DWARF number: s390x ELF ABI 1.6, table 1.17; calls: 1.2.2.1 and Linux
//! `arch/s390`.

use unicorn_engine::{Arch, Mode, RegisterS390X as R, Unicorn, uc_error};

use crate::end::Reason;
use crate::syscalls;
use crate::target::{Convention, Interrupt, Target, Watch};

pub(crate) static TARGET: Target = Target {
    arch: Arch::S390X,
    mode: Mode::BIG_ENDIAN,
    dwarf: &DWARF,
    pc_column: None,
    pc: R::PC as i32,
    tracked: [R::R15 as i32, R::R11 as i32, R::R14 as i32],
    arguments: &[R::R2 as i32, R::R3 as i32, R::R4 as i32, R::R5 as i32, R::R6 as i32],
    // High and low half.
    thread_pointer: &[R::A0 as i32, R::A1 as i32],
    prepare,
    nop: &[0x07, 0x00],
    watch: Watch::Nothing,
    interrupt,
    syscalls: &Convention {
        number: R::R1 as i32,
        arguments: [R::R2 as i32, R::R3 as i32, R::R4 as i32, R::R5 as i32, R::R6 as i32, R::R7 as i32],
        result: R::R2 as i32,
        immediate: |code| (code[0] == SVC && code[1] != 0).then_some(u64::from(code[1])),
        call: syscalls::s390x::call,
    },
};

/// SUPERVISOR CALL (SA22-7832, chapter 7); its immediate is the call's number, or 0 when r1 holds it (Linux).
const SVC: u8 = 0x0a;

/// The FPR at DWARF number 16 + i.
const FPR_ORDER: [i32; 16] = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15];

const DWARF: [i32; 32] = {
    let mut ids = [0; 32];
    let mut number = 0;
    while number < 16 {
        ids[number] = R::R0 as i32 + number as i32;
        ids[16 + number] = R::F0 as i32 + FPR_ORDER[number];
        number += 1;
    }
    ids
};

/// 64-bit addressing (PSW bits 31 and 32), and CR0's AFP-register and vector enablement controls (bits 45 and 46).
/// (z/Architecture Principles of Operation SA22-7832, chapter 4, "Program-Status-Word Format" and "Control Registers".)
fn prepare(engine: &mut Unicorn<'static, ()>) -> Result<(), uc_error> {
    engine.reg_write(R::PSWM, 0x1_8000_0000)?;
    let control = engine.reg_read(R::CR0)?;
    engine.reg_write(R::CR0, control | 0x6_0000)
}

/// Exception numbers of the emulator (QEMU `target/s390x/cpu.h`, EXCP_*). It does not tell the program interruption code;
/// no instruction has an opcode that begins with a zero byte (SA22-7832, chapter 6, "Operation Exception").
fn interrupt(number: u32, code: Option<u8>) -> Interrupt {
    match (number, code) {
        (2, _) => Interrupt::Syscall,
        (3, Some(0)) => Interrupt::Ends(Reason::IllegalInstruction, "illegal instruction"),
        (3, _) => Interrupt::Ends(Reason::Fault, "program interruption"),
        _ => Interrupt::Ends(Reason::Trap, "interruption"),
    }
}
