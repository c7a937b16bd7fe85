//! AMD64 (Intel SDM volume 2, instruction reference), as the crate iced-x86 decodes it.

use iced_x86::{Code, ConditionCode, FlowControl, Instruction, Mnemonic, OpKind, Register};

use super::{Address, Condition, Does, Flags, Operation, Place, Simple, Size};
use crate::flow::amd64::{dwarf, insn};
use crate::flow::{Flow, Insn};

/// Of an instruction and the bytes that it begins with.
pub(crate) fn of(instruction: &Instruction, code: &[u8]) -> Option<(Insn, Option<Simple>)> {
    let insn = insn(instruction)?;
    // What a branch with a prefix of operand size does depends on who made the processor (Intel SDM volume 2 and AMD APM volume 3, JMP).
    let simple = simple(instruction).filter(|_| insn.flow == Flow::Next || !has_operand_size(code));
    Some((insn, simple))
}

fn has_operand_size(code: &[u8]) -> bool {
    let prefix =
        |byte: &&u8| matches!(**byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    code.iter().take_while(prefix).any(|byte| *byte == 0x66)
}

fn simple(instruction: &Instruction) -> Option<Simple> {
    use Mnemonic as M;
    // The other segments begin at 0.
    if instruction.has_lock_prefix() || matches!(instruction.segment_prefix(), Register::FS | Register::GS) {
        return None;
    }
    // No manual of Intel has these.
    if matches!(
        instruction.code(),
        Code::Test_rm8_imm8_F6r1 | Code::Test_rm16_imm16_F7r1 | Code::Test_rm32_imm32_F7r1 | Code::Test_rm64_imm32_F7r1
    ) {
        return None;
    }
    let nothing = Place::Value(0);
    let one = |does, place| Some(Simple { does, size: size(instruction, 0)?, to: place, from: nothing });
    let two = |does| {
        let size = size(instruction, 0)?;
        Some(Simple { does, size, to: place(instruction, 0)?, from: place(instruction, 1)? })
    };
    let extends = |does: fn(Size) -> Does| {
        let from = size(instruction, 1)?;
        two(does(from))
    };
    let computes = |operation| two(Does::Computes(operation));
    let by_itself = |operation| one(Does::Computes(operation), place(instruction, 0)?);
    match instruction.mnemonic() {
        M::Nop | M::Endbr64 => Some(Simple { does: Does::Nothing, size: Size::Eight, to: nothing, from: nothing }),
        M::Mov => two(Does::Moves),
        M::Movzx => extends(Does::ZeroExtends),
        M::Movsx | M::Movsxd => extends(Does::SignExtends),
        M::Lea => {
            let Place::Memory(_) = place(instruction, 1)? else { return None };
            let size = size(instruction, 0)?;
            Some(Simple { does: Does::Addresses, size, to: place(instruction, 0)?, from: place(instruction, 1)? })
        }
        // The others push or pop two bytes.
        M::Push if instruction.stack_pointer_increment() == -8 => {
            Some(Simple { does: Does::Pushes, size: Size::Eight, to: nothing, from: place(instruction, 0)? })
        }
        M::Pop if instruction.code() == Code::Pop_r64 => one(Does::Pops, place(instruction, 0)?),
        M::Leave if instruction.code() == Code::Leaveq => {
            Some(Simple { does: Does::Leaves, size: Size::Eight, to: nothing, from: nothing })
        }
        M::Add => computes(Operation::Add),
        M::Sub => computes(Operation::Subtract),
        M::And => computes(Operation::And),
        M::Or => computes(Operation::Or),
        M::Xor => computes(Operation::Xor),
        M::Cmp => two(Does::Compares(Operation::Subtract)),
        M::Test => two(Does::Compares(Operation::And)),
        M::Inc => by_itself(Operation::Increment),
        M::Dec => by_itself(Operation::Decrement),
        M::Neg => by_itself(Operation::Negate),
        M::Not => by_itself(Operation::Not),
        M::Shl => shift(instruction, Operation::ShiftLeft),
        M::Shr => shift(instruction, Operation::ShiftRight),
        M::Sar => shift(instruction, Operation::ShiftRightSigned),
        _ => by_condition(instruction),
    }
}

/// By a constant other than 0, of 32 or 64 bits.
fn shift(instruction: &Instruction, operation: Operation) -> Option<Simple> {
    let size = size(instruction, 0).filter(|size| matches!(size, Size::Four | Size::Eight))?;
    let Place::Value(count) = place(instruction, 1)? else { return None };
    let count = count & (8 * size.bytes() as u64 - 1);
    let to = place(instruction, 0)?;
    (count != 0).then_some(Simple { does: Does::Computes(operation), size, to, from: Place::Value(count) })
}

/// Conditional moves, sets, branches; jumps to an address that is computed.
fn by_condition(instruction: &Instruction) -> Option<Simple> {
    if instruction.flow_control() == FlowControl::IndirectBranch && size(instruction, 0)? == Size::Eight {
        let from = place(instruction, 0)?;
        return Some(Simple { does: Does::Jumps, size: Size::Eight, to: Place::Value(0), from });
    }
    let condition = condition(instruction.condition_code())?;
    let is = |does, to, from| {
        let size = if instruction.op_count() == 2 { size(instruction, 0)? } else { Size::One };
        Some(Simple { does, size, to, from })
    };
    // SETcc has a byte as its one operand, CMOVcc a register and a second one. LOOPcc, which counts, has an address, which is no place.
    match instruction.op_count() {
        _ if instruction.is_jcc_short_or_near() => {
            is(Does::BranchesIf(condition), Place::Value(0), Place::Value(instruction.near_branch_target()))
        }
        1 => is(Does::SetsIf(condition), place(instruction, 0)?, Place::Value(0)),
        2 => is(Does::MovesIf(condition), place(instruction, 0)?, place(instruction, 1)?),
        _ => None,
    }
}

fn condition(code: ConditionCode) -> Option<Condition> {
    use ConditionCode as C;
    let (flags, opposite) = match code {
        C::None => return None,
        C::o => (Flags::Overflow, false),
        C::no => (Flags::Overflow, true),
        C::b => (Flags::Carry, false),
        C::ae => (Flags::Carry, true),
        C::e => (Flags::Zero, false),
        C::ne => (Flags::Zero, true),
        C::be => (Flags::CarryOrZero, false),
        C::a => (Flags::CarryOrZero, true),
        C::s => (Flags::Sign, false),
        C::ns => (Flags::Sign, true),
        C::p => (Flags::Parity, false),
        C::np => (Flags::Parity, true),
        C::l => (Flags::Less, false),
        C::ge => (Flags::Less, true),
        C::le => (Flags::LessOrEqual, false),
        C::g => (Flags::LessOrEqual, true),
    };
    Some(Condition { flags, opposite })
}

fn size(instruction: &Instruction, operand: u32) -> Option<Size> {
    let bytes = match instruction.op_kind(operand) {
        OpKind::Register => instruction.op_register(operand).size(),
        OpKind::Memory => instruction.memory_size().size(),
        _ => return None,
    };
    match bytes {
        1 => Some(Size::One),
        2 => Some(Size::Two),
        4 => Some(Size::Four),
        8 => Some(Size::Eight),
        _ => None,
    }
}

fn place(instruction: &Instruction, operand: u32) -> Option<Place> {
    match instruction.op_kind(operand) {
        OpKind::Register => {
            let register = instruction.op_register(operand);
            let high = matches!(register, Register::AH | Register::BH | Register::CH | Register::DH);
            if !register.is_gpr() || high {
                return None;
            }
            dwarf(register).map(Place::Register)
        }
        OpKind::Memory => address(instruction).map(Place::Memory),
        OpKind::Immediate8
        | OpKind::Immediate16
        | OpKind::Immediate32
        | OpKind::Immediate64
        | OpKind::Immediate8to16
        | OpKind::Immediate8to32
        | OpKind::Immediate8to64
        | OpKind::Immediate32to64 => Some(Place::Value(instruction.immediate(operand))),
        _ => None,
    }
}

/// Of 64 bits alone.
fn address(instruction: &Instruction) -> Option<Address> {
    let offset = instruction.memory_displacement64();
    let wide = |register: Register| match register {
        Register::None => Some(None),
        Register::RIP => Some(None),
        register if register.is_gpr64() => dwarf(register).map(Some),
        _ => None,
    };
    let (base, index) = (wide(instruction.memory_base())?, wide(instruction.memory_index())?);
    let scale = u8::try_from(instruction.memory_index_scale()).ok()?;
    let narrow = instruction.memory_displ_size() == 4 && base.is_none() && index.is_none();
    // An address of 32 bits that stands alone has its prefix nowhere in the operand.
    if narrow && !instruction.is_ip_rel_memory_operand() {
        return None;
    }
    Some(Address { base, index: index.map(|index| (index, scale)), offset })
}

#[cfg(test)]
mod tests {
    use model::Reg;

    use super::*;

    const RAX: Place = Place::Register(Reg(0));
    const NONE: Place = Place::Value(0);

    fn memory(base: u16, index: Option<(Reg, u8)>, offset: u64) -> Place {
        Place::Memory(Address { base: Some(Reg(base)), index, offset })
    }

    /// As GNU as encodes them.
    #[test]
    fn what_is_simple() {
        use Size::{Eight, Four, One};
        let not_zero = Condition { flags: Flags::Zero, opposite: true };
        let is = |does, size, to, from| Some(Simple { does, size, to, from });
        let absolute = Place::Memory(Address { base: None, index: None, offset: 0x1017 });
        let table: [(&[u8], Option<Simple>); 24] = [
            (&[0x48, 0x89, 0xe5], is(Does::Moves, Eight, Place::Register(Reg(6)), Place::Register(Reg(7)))), // mov %rsp,%rbp
            (&[0x8b, 0x44, 0x8f, 0xfc], is(Does::Moves, Four, RAX, memory(5, Some((Reg(2), 4)), -4_i64 as u64))), // mov -4(%rdi,%rcx,4),%eax
            (&[0x48, 0x8b, 0x05, 0x10, 0, 0, 0], is(Does::Moves, Eight, RAX, absolute)), // mov 0x10(%rip),%rax
            (&[0x0f, 0xb6, 0xc0], is(Does::ZeroExtends(One), Four, RAX, RAX)),           // movzbl %al,%eax
            (&[0x48, 0x63, 0xc0], is(Does::SignExtends(Four), Eight, RAX, RAX)),         // movslq %eax,%rax
            (&[0x48, 0x8d, 0x47, 0x08], is(Does::Addresses, Eight, RAX, memory(5, None, 8))), // lea 8(%rdi),%rax
            (&[0x50], is(Does::Pushes, Eight, NONE, RAX)),                               // push %rax
            (&[0x6a, 0xff], is(Does::Pushes, Eight, NONE, Place::Value(u64::MAX))),      // push $-1
            (&[0x58], is(Does::Pops, Eight, RAX, NONE)),                                 // pop %rax
            (&[0xc9], is(Does::Leaves, Eight, NONE, NONE)),                              // leave
            (&[0x48, 0x83, 0xc0, 0xf8], is(Does::Computes(Operation::Add), Eight, RAX, Place::Value(-8_i64 as u64))), // add $-8,%rax
            (&[0x39, 0xc0], is(Does::Compares(Operation::Subtract), Four, RAX, RAX)), // cmp %eax,%eax
            (&[0x48, 0xc1, 0xe0, 0x03], is(Does::Computes(Operation::ShiftLeft), Eight, RAX, Place::Value(3))), // shl $3,%rax
            (&[0x0f, 0x95, 0xc0], is(Does::SetsIf(not_zero), One, RAX, NONE)), // setne %al
            (&[0x48, 0x0f, 0x45, 0xc0], is(Does::MovesIf(not_zero), Eight, RAX, RAX)), // cmovne %rax,%rax
            (&[0x75, 0x04], is(Does::BranchesIf(not_zero), One, NONE, Place::Value(0x1006))), // jne
            (&[0xff, 0xe0], is(Does::Jumps, Eight, NONE, RAX)),                // jmp *%rax
            (&[0x3e, 0xff, 0xe0], is(Does::Jumps, Eight, NONE, RAX)),          // notrack jmp *%rax
            (&[0x66, 0xff, 0xe0], None),                                       // data16 jmp *%rax
            (&[0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0], None),            // mov %fs:0x28,%rax
            (&[0x88, 0xe0], None),                                             // mov %ah,%al
            (&[0xf0, 0x01, 0x07], None),                                       // lock add %eax,(%rdi)
            (&[0x67, 0x8b, 0x07], None),                                       // mov (%edi),%eax
            (&[0xd3, 0xe0], None),                                             // shl %cl,%eax
        ];
        for (code, expected) in table {
            let (_, found) = super::super::decode(model::Abi::Amd64, code, 0x1000).unwrap();
            assert_eq!(found, expected, "{code:x?}");
        }
    }
}
