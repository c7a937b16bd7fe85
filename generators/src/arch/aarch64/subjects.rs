//! AArch64 subjects in both byte orders (AAPCS64).

use types::{Abi, CfaRule, PacKey, Reg, ValueRule};

use super::Aarch64;
use super::asm::{self, EXIT, RECORD, SP, Stack, X0, X8, X29, dwarf};
use crate::mutate::subject::{Subject, Subjects, Writer};
use crate::mutate::truth::Value;
use crate::sframe::Layout;

fn cfa(reg: Reg, offset: i64) -> CfaRule {
    CfaRule::Register { reg, offset }
}

impl Writer {
    fn push_frame(self) -> Self {
        self.op(asm::stp(RECORD, Stack::Before(-16)), |truth| {
            truth.move_sp(-16);
            truth.store(dwarf::SP, 0, truth.reg(dwarf::X29));
            truth.store(dwarf::SP, 8, truth.reg(dwarf::X30));
        })
        .frame(|frame| {
            (frame.cfa, frame.ra, frame.fp) = (cfa(dwarf::SP, 16), ValueRule::AtCfa(-8), ValueRule::AtCfa(-16))
        })
    }

    fn pop_frame(self) -> Self {
        self.op(asm::ldp(RECORD, Stack::After(16)), |truth| {
            truth.set(dwarf::X29, truth.load(dwarf::SP, 0));
            truth.set(dwarf::X30, truth.load(dwarf::SP, 8));
            truth.move_sp(16);
        })
        .frame(|frame| {
            (frame.cfa, frame.ra, frame.fp) = (cfa(dwarf::SP, 0), ValueRule::SameValue, ValueRule::SameValue)
        })
    }

    /// Emits mov x29, sp; SP moves away from x29 later.
    fn frame_pointer(self) -> Self {
        self.op(asm::mov_sp(X29, SP), |truth| truth.set(dwarf::X29, truth.sp()))
            .frame(|frame| frame.cfa = cfa(dwarf::X29, 16))
            .add_sp(-32)
    }

    fn mov_x29_to_sp(self) -> Self {
        self.op(asm::mov_sp(SP, X29), |truth| truth.set(dwarf::SP, truth.reg(dwarf::X29)))
    }

    /// Adds to SP; subtracts if `bytes` is negative.
    fn add_sp(self, bytes: i32) -> Self {
        let instruction = match bytes < 0 {
            true => asm::sub(SP, SP, bytes.unsigned_abs()),
            false => asm::add(SP, SP, bytes.unsigned_abs()),
        };
        self.op(instruction, |truth| truth.move_sp(i64::from(bytes)))
    }
}

impl Subjects for Aarch64 {
    fn start(&self) -> Subject {
        Writer::new(self.abi, "_start")
            .outermost()
            .op(asm::movz(X29, 0x5a5a), |truth| truth.set(dwarf::X29, Value::Unknown))
            .call("main")
            .nop(asm::movz(X0, 0))
            .nop(asm::movz(X8, EXIT))
            .nop(asm::svc(0))
            .finish()
    }

    fn main(&self, callees: &[&str]) -> Subject {
        let writer = Writer::new(self.abi, "main").push_frame().frame_pointer();
        callees
            .iter()
            .fold(writer, |writer, callee| writer.call(callee))
            .mov_x29_to_sp()
            .pop_frame()
            .nop(asm::ret())
            .finish()
    }

    fn leaf(&self, name: &str) -> Subject {
        Writer::new(self.abi, name).nop(asm::nop()).nop(asm::ret()).finish()
    }

    fn no_fp(&self) -> Subject {
        Writer::new(self.abi, "no_fp")
            .add_sp(-32)
            .frame(|frame| frame.cfa = cfa(dwarf::SP, 32))
            .op(asm::stp(RECORD, Stack::Offset(16)), |truth| {
                truth.store(dwarf::SP, 16, truth.reg(dwarf::X29));
                truth.store(dwarf::SP, 24, truth.reg(dwarf::X30));
            })
            .frame(|frame| (frame.ra, frame.fp) = (ValueRule::AtCfa(-8), ValueRule::AtCfa(-16)))
            .op(asm::movz(X29, 7), |truth| truth.set(dwarf::X29, Value::Unknown))
            .call("leaf")
            .op(asm::ldp(RECORD, Stack::Offset(16)), |truth| {
                truth.set(dwarf::X29, truth.load(dwarf::SP, 16));
                truth.set(dwarf::X30, truth.load(dwarf::SP, 24));
            })
            .frame(|frame| (frame.ra, frame.fp) = (ValueRule::SameValue, ValueRule::SameValue))
            .add_sp(32)
            .entry_frame()
            .nop(asm::ret())
            .finish()
    }

    fn big(&self) -> Subject {
        Writer::new(self.abi, "big")
            .add_sp(-512)
            .frame(|frame| frame.cfa = cfa(dwarf::SP, 512))
            // Jumps over 75 words and the jump itself.
            .nop(asm::b(4 + 300))
            .filler(&asm::nop().repeat(75))
            .add_sp(512)
            .entry_frame()
            .nop(asm::ret())
            .finish()
    }

    fn blocks(&self) -> Subject {
        let block = |writer: Writer, _| {
            writer
                .add_sp(-16)
                .frame(|frame| frame.cfa = cfa(dwarf::SP, 16))
                .add_sp(16)
                .entry_frame()
                .nop(asm::nop())
                .nop(asm::nop())
        };
        (0..3).fold(Writer::new(self.abi, "blocks").blocks(16), block).finish()
    }

    fn special(&self, _layout: Layout) -> Vec<Subject> {
        vec![signed(self.abi, "signed_a", PacKey::A), signed(self.abi, "signed_b", PacKey::B)]
    }
}

/// A function that signs its return address, saves it, and calls.
fn signed(abi: Abi, name: &str, key: PacKey) -> Subject {
    Writer::new(abi, name)
        .key(key)
        .op(asm::sign_x30(key), |truth| {
            truth.signed = Some(key);
            truth.set(dwarf::X30, Value::Signed(key));
        })
        .frame(|frame| frame.signed = true)
        .push_frame()
        .frame_pointer()
        .call("leaf")
        .mov_x29_to_sp()
        .pop_frame()
        .op(asm::authenticate_x30(key), |truth| {
            truth.signed = None;
            truth.set(dwarf::X30, Value::ReturnAddress);
        })
        .entry_frame()
        .nop(asm::ret())
        .finish()
}
