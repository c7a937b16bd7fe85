//! AMD64: functions, and the encoding of SFrame rows (SFrame V2 errata 1 and V3, "AMD64").

use types::{Abi, CfaRule, ValueRule};

use super::Amd64;
use super::asm::{self, EXIT, Memory, R10, RAX, RBP, RDI, RSP, dwarf};
use crate::code::{FrameState, Function, Functions, frames};
use crate::sframe::{Base, Layout};

/// Offset of the return address from the CFA, fixed by the SFrame header.
const FIXED_RA: i64 = -8;

impl Functions for Amd64 {
    fn framed(&self, name: &str, callee: &str) -> Function {
        let entry = FrameState::at_entry(Abi::Amd64);
        let pushed = FrameState { fp: ValueRule::AtCfa(-16), ..entry };
        let code = [asm::push(RBP), asm::mov(RBP, RSP), asm::call(0), asm::pop(RBP), asm::ret()].concat();
        let frames =
            frames(&[(0, entry), (1, pushed.cfa(dwarf::RSP, 16)), (4, pushed.cfa(dwarf::RBP, 16)), (10, entry)]);
        Function::plain(name, code, frames).calling(4, callee)
    }

    fn start(&self, name: &str, callee: &str) -> Function {
        let entry = FrameState::at_entry(Abi::Amd64).outermost();
        let code = [
            asm::xor_u32(RBP, RBP),
            asm::call(0),
            asm::xor_u32(RDI, RDI),
            asm::mov_u32(RAX, EXIT),
            asm::syscall(),
            asm::hlt(),
        ]
        .concat();
        Function::plain(name, code, frames(&[(0, entry)])).calling(2, callee)
    }

    /// Base and offsets of a default row: CFA, then FP if saved. The header fixes the location of
    /// the return address.
    fn default_offsets(&self, frame: &FrameState, _layout: Layout) -> Option<(Base, Vec<i64>)> {
        let CfaRule::Register { reg, offset } = frame.cfa else { return None };
        let base = match reg {
            dwarf::RSP => Base::Sp,
            dwarf::RBP => Base::Fp,
            _ => return None,
        };
        if frame.ra != ValueRule::AtCfa(FIXED_RA) {
            return None;
        }
        match frame.fp {
            ValueRule::SameValue => Some((base, vec![offset])),
            ValueRule::AtCfa(fp) => Some((base, vec![offset, fp])),
            _ => None,
        }
    }

    /// push %rbp; mov %rsp,%rbp; lea 16(%rbp),%rax; push %rax; nop; leave; ret: the CFA is saved on
    /// the stack, as in functions that realign it.
    fn saved_cfa(&self, name: &str) -> Option<Function> {
        let entry = FrameState::at_entry(Abi::Amd64);
        let pushed = FrameState { fp: ValueRule::AtCfa(-16), ..entry };
        let cfa = CfaRule::Memory { reg: dwarf::RBP, offset: -8 };
        let saved = FrameState { cfa, fp: ValueRule::Memory { reg: dwarf::RBP, offset: 0 }, ..entry };
        let code = [
            asm::push(RBP),
            asm::mov(RBP, RSP),
            asm::lea(RAX, Memory::Near(RBP, 16)),
            asm::push(RAX),
            asm::nop(),
            asm::leave(),
            asm::ret(),
        ]
        .concat();
        let frames = frames(&[
            (0, entry),
            (1, pushed.cfa(dwarf::RSP, 16)),
            (4, pushed.cfa(dwarf::RBP, 16)),
            (9, saved),
            (11, entry),
        ]);
        Some(Function::plain(name, code, frames))
    }

    /// lea 8(%rsp),%r10; mov %r10,%rax; ret: in between the CFA is r10 + 0.
    fn foreign_registers(&self, name: &str) -> Option<Function> {
        let entry = FrameState::at_entry(Abi::Amd64);
        let code = [asm::lea(R10, Memory::Near(RSP, 8)), asm::mov(RAX, R10), asm::ret()].concat();
        Some(Function::plain(name, code, frames(&[(0, entry), (5, entry.cfa(dwarf::R10, 0)), (8, entry)])))
    }

    /// Stubs of 16 bytes as in a PLT: jmp *0(%rip); push $0; jmp to the first stub.
    fn stubs(&self, name: &str, count: u32) -> Option<Function> {
        let entry = FrameState::at_entry(Abi::Amd64);
        let (mut code, mut states) = (Vec::new(), Vec::new());
        for stub in 0..count {
            // The jump is at 11.
            let back = -16 * (stub as i32) - 11;
            code.extend([asm::jmp_memory(Memory::Rip(0)), asm::push_i32(0), asm::jmp(back)].concat());
            states.extend([(16 * stub, entry), (16 * stub + 11, entry.cfa(dwarf::RSP, 16))]);
        }
        Some(Function::plain(name, code, frames(&states)))
    }

    /// push 8(%rip); jmp *16(%rip); nopl 0(%rax): a slot has pushed its number, this entry pushes
    /// the link map (AMD64 psABI, "Procedure Linkage Table").
    fn plt_first(&self, name: &str) -> Option<Function> {
        let entry = FrameState::at_entry(Abi::Amd64);
        let code = [asm::push_memory(Memory::Rip(0)), asm::jmp_memory(Memory::Rip(0)), asm::nopl()].concat();
        Some(Function::plain(name, code, frames(&[(0, entry.cfa(dwarf::RSP, 16)), (6, entry.cfa(dwarf::RSP, 24))])))
    }
}
