//! AMD64 subjects (System V AMD64 psABI 1.0).

use types::{Abi, CfaRule, Reg, ValueRule};

use super::Amd64;
use super::asm::{self, EXIT, Gpr, Memory, R10, RAX, RBP, RBX, RDI, RSP, dwarf};
use crate::mutate::subject::{Subject, Subjects, Writer};
use crate::mutate::truth::Value;
use crate::sframe::Layout;

fn new(name: &str) -> Writer {
    Writer::new(Abi::Amd64, name)
}

fn cfa(reg: Reg, offset: i64) -> CfaRule {
    CfaRule::Register { reg, offset }
}

impl Writer {
    fn push(self, register: Gpr, reg: Reg) -> Self {
        self.op(asm::push(register), |truth| {
            truth.move_sp(-8);
            truth.store(dwarf::RSP, 0, truth.reg(reg));
        })
    }

    fn pop(self, register: Gpr, reg: Reg) -> Self {
        self.op(asm::pop(register), |truth| {
            truth.set(reg, truth.load(dwarf::RSP, 0));
            truth.move_sp(8);
        })
    }

    fn mov_rsp_to_rbp(self) -> Self {
        self.op(asm::mov(RBP, RSP), |truth| truth.set(dwarf::RBP, truth.sp()))
    }

    fn leave(self) -> Self {
        self.op(asm::leave(), |truth| {
            truth.set(dwarf::RSP, truth.reg(dwarf::RBP));
            truth.set(dwarf::RBP, truth.load(dwarf::RSP, 0));
            truth.move_sp(8);
        })
    }

    /// Adds to rsp; subtracts if `bytes` is negative.
    fn add_rsp(self, bytes: i32) -> Self {
        let instruction = match bytes < 0 {
            true => asm::sub(RSP, bytes.unsigned_abs()),
            false => asm::add(RSP, bytes.unsigned_abs()),
        };
        self.op(instruction, |truth| truth.move_sp(i64::from(bytes)))
    }
}

impl Subjects for Amd64 {
    fn start(&self) -> Subject {
        new("_start")
            .outermost()
            .op(asm::mov_u32(RBP, 0x5a5a), |truth| truth.set(dwarf::RBP, Value::Unknown))
            .call("main")
            .nop(asm::xor_u32(RDI, RDI))
            .nop(asm::mov_u32(RAX, EXIT))
            .nop(asm::syscall())
            .nop(asm::hlt())
            .finish()
    }

    fn main(&self, callees: &[&str]) -> Subject {
        let writer = new("main")
            .push(RBP, dwarf::RBP)
            .frame(|frame| (frame.cfa, frame.fp) = (cfa(dwarf::RSP, 16), ValueRule::AtCfa(-16)))
            .mov_rsp_to_rbp()
            .frame(|frame| frame.cfa = cfa(dwarf::RBP, 16))
            .add_rsp(-32);
        callees.iter().fold(writer, |writer, callee| writer.call(callee)).leave().entry_frame().nop(asm::ret()).finish()
    }

    fn leaf(&self, name: &str) -> Subject {
        new(name).nop(asm::nop()).nop(asm::ret()).finish()
    }

    fn no_fp(&self) -> Subject {
        new("no_fp")
            .push(RBP, dwarf::RBP)
            .frame(|frame| (frame.cfa, frame.fp) = (cfa(dwarf::RSP, 16), ValueRule::AtCfa(-16)))
            .push(RBX, dwarf::RBX)
            .frame(|frame| frame.cfa = cfa(dwarf::RSP, 24))
            .op(asm::xor_u32(RBP, RBP), |truth| truth.set(dwarf::RBP, Value::Unknown))
            .add_rsp(-24)
            .frame(|frame| frame.cfa = cfa(dwarf::RSP, 48))
            .call("leaf")
            .add_rsp(24)
            .frame(|frame| frame.cfa = cfa(dwarf::RSP, 24))
            .pop(RBX, dwarf::RBX)
            .frame(|frame| frame.cfa = cfa(dwarf::RSP, 16))
            .pop(RBP, dwarf::RBP)
            .entry_frame()
            .nop(asm::ret())
            .finish()
    }

    fn big(&self) -> Subject {
        new("big")
            .add_rsp(-512)
            .frame(|frame| frame.cfa = cfa(dwarf::RSP, 520))
            // Jumps over 300 bytes and the jump itself.
            .nop(asm::jmp(5 + 300))
            .filler(&asm::nop().repeat(300))
            .add_rsp(512)
            .entry_frame()
            .nop(asm::ret())
            .finish()
    }

    /// Three blocks of 16 bytes: push $0; pop %rax; nops. The last falls through into the next
    /// function.
    fn blocks(&self) -> Subject {
        let mut writer = new("blocks").blocks(16);
        for _ in 0..3 {
            writer = writer
                .op(asm::push_i8(0), |truth| {
                    truth.move_sp(-8);
                    truth.store(dwarf::RSP, 0, Value::Unknown);
                })
                .frame(|frame| frame.cfa = cfa(dwarf::RSP, 16))
                .pop(RAX, dwarf::RAX)
                .entry_frame();
            writer = (0..13).fold(writer, |writer, _| writer.nop(asm::nop()));
        }
        writer.finish()
    }

    fn special(&self, layout: Layout) -> Vec<Subject> {
        if layout.has_flex() { flexible() } else { Vec::new() }
    }
}

/// Functions with flexible rows only: a CFA in memory, a CFA from another register, a return
/// address in a register.
fn flexible() -> Vec<Subject> {
    let realigned = new("realigned")
        .push(RBP, dwarf::RBP)
        .frame(|frame| (frame.cfa, frame.fp) = (cfa(dwarf::RSP, 16), ValueRule::AtCfa(-16)))
        .mov_rsp_to_rbp()
        .frame(|frame| frame.cfa = cfa(dwarf::RBP, 16))
        .op(asm::lea(RAX, Memory::Near(RBP, 16)), |truth| truth.set(dwarf::RAX, Value::CfaPlus(0)))
        .push(RAX, dwarf::RAX)
        .frame(|frame| {
            frame.cfa = CfaRule::Memory { reg: dwarf::RBP, offset: -8 };
            frame.fp = ValueRule::Memory { reg: dwarf::RBP, offset: 0 };
        })
        .op(asm::align_down(RSP, 32), |truth| truth.set(dwarf::RSP, Value::Unknown))
        .nop(asm::nop())
        .leave()
        .entry_frame()
        .nop(asm::ret())
        .finish();
    let foreign = new("foreign")
        .op(asm::lea(R10, Memory::Near(RSP, 8)), |truth| truth.set(dwarf::R10, Value::CfaPlus(0)))
        .frame(|frame| frame.cfa = cfa(dwarf::R10, 0))
        .add_rsp(-40)
        .nop(asm::nop())
        .op(asm::lea(RSP, Memory::Near(R10, -8)), |truth| truth.set(dwarf::RSP, Value::CfaPlus(-8)))
        .entry_frame()
        .nop(asm::ret())
        .finish();
    let parked = new("parked")
        .pop(RAX, dwarf::RAX)
        .frame(|frame| (frame.cfa, frame.ra) = (cfa(dwarf::RSP, 0), ValueRule::Register { reg: dwarf::RAX, offset: 0 }))
        .op(asm::store_i32(Memory::Near(RSP, -8), 0), |truth| truth.store(dwarf::RSP, -8, Value::Unknown))
        .nop(asm::nop())
        .push(RAX, dwarf::RAX)
        .entry_frame()
        .nop(asm::ret())
        .finish();
    vec![realigned, foreign, parked]
}
