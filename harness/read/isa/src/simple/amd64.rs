//! Simple AMD64 instructions (Intel SDM volume 2, instruction reference), decoded by the crate
//! iced-x86.

use iced_x86::{Code, ConditionCode, FlowControl, Instruction, Mnemonic, OpKind, Register};

mod vectors;

use types::Reg;

use super::{Address, Condition, Count, Does, Flags, Operand, Operation, Segment, Side, Signed, Simple, Size};
use crate::flow::amd64::{dwarf, insn};
use crate::flow::{Flow, Insn};

/// Control flow of a decoded instruction, and its operation if it is simple. `code` begins with its
/// bytes.
pub(crate) fn decode(instruction: &Instruction, code: &[u8]) -> Option<(Insn, Option<Simple>)> {
    let insn = insn(instruction)?;
    // The effect of an operand-size prefix on a branch depends on the processor's vendor (Intel SDM
    // volume 2 and AMD APM volume 3, JMP).
    let simple = simple(instruction).filter(|_| insn.flow == Flow::Next || !has_operand_size(code));
    let counted = matches!(instruction.segment_prefix(), Register::FS | Register::GS);
    Some((insn, simple.filter(|_| !counted || !has_two_segments(code))))
}

/// Returns true for two segment prefixes: the manual does not define which one counts (Intel SDM
/// volume 2, 2.1.1: at most one of a group).
fn has_two_segments(code: &[u8]) -> bool {
    let prefix =
        |byte: &&u8| matches!(**byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    let segments =
        code.iter().take_while(prefix).filter(|byte| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65));
    segments.count() > 1
}

/// The DWARF number of RAX.
const RAX: Reg = Reg(0);

fn has_operand_size(code: &[u8]) -> bool {
    let prefix =
        |byte: &&u8| matches!(**byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    code.iter().take_while(prefix).any(|byte| *byte == 0x66)
}

fn simple(instruction: &Instruction) -> Option<Simple> {
    use Mnemonic as M;
    // Intel's manuals do not define these.
    if matches!(
        instruction.code(),
        Code::Test_rm8_imm8_F6r1 | Code::Test_rm16_imm16_F7r1 | Code::Test_rm32_imm32_F7r1 | Code::Test_rm64_imm32_F7r1
    ) {
        return None;
    }
    let nothing = Operand::Value(0);
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
    let of_rax = |does, size| Some(Simple { does, size, to: Operand::Register(RAX), from: Operand::Register(RAX) });
    // The emulator crashes on these with a LOCK prefix.
    let bit = |does, operation| bit(instruction, does, operation).filter(|_| !instruction.has_lock_prefix());
    match instruction.mnemonic() {
        M::Nop
        | M::Endbr64
        | M::Prefetcht0
        | M::Prefetcht1
        | M::Prefetcht2
        | M::Prefetchnta
        | M::Prefetchw
        | M::Lfence
        | M::Mfence
        | M::Sfence => Some(Simple { does: Does::Nothing, size: Size::Eight, to: nothing, from: nothing }),
        M::Mov => two(Does::Moves),
        M::Movzx => extends(Does::ZeroExtends),
        M::Movsx | M::Movsxd => extends(Does::SignExtends),
        M::Lea => {
            let Operand::Memory(_) = place(instruction, 1)? else { return None };
            let size = size(instruction, 0)?;
            Some(Simple { does: Does::Addresses, size, to: place(instruction, 0)?, from: place(instruction, 1)? })
        }
        // Other pushes and pops move two bytes.
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
        // The emulator sets the flags from another value if there is a LOCK prefix.
        M::Neg if !instruction.has_lock_prefix() => by_itself(Operation::Negate),
        M::Not => by_itself(Operation::Not),
        M::Shl => shift(instruction, Operation::ShiftLeft),
        M::Shr => shift(instruction, Operation::ShiftRight),
        M::Sar => shift(instruction, Operation::ShiftRightSigned),
        M::Rol => shift(instruction, Operation::RotateLeft),
        M::Ror => shift(instruction, Operation::RotateRight),
        M::Adc => computes(Operation::AddWithCarry),
        M::Sbb => computes(Operation::SubtractWithBorrow),
        M::Bswap if size(instruction, 0)? != Size::Two => by_itself(Operation::SwapBytes),
        M::Bt => bit(Does::Compares, Operation::TestBit),
        M::Bts => bit(Does::Computes, Operation::SetBit),
        M::Btr => bit(Does::Computes, Operation::ResetBit),
        M::Btc => bit(Does::Computes, Operation::ComplementBit),
        M::Bsf => two(Does::Finds(Side::Low)),
        M::Bsr => two(Does::Finds(Side::High)),
        M::Xchg => two(Does::Exchanges),
        M::Xadd => two(Does::ExchangesAndAdds),
        M::Cmpxchg => two(Does::ComparesAndExchanges),
        M::Cbw => of_rax(Does::SignExtends(Size::One), Size::Two),
        M::Cwde => of_rax(Does::SignExtends(Size::Two), Size::Four),
        M::Cdqe => of_rax(Does::SignExtends(Size::Four), Size::Eight),
        M::Cwd => of_rax(Does::SpreadsSign, Size::Two),
        M::Cdq => of_rax(Does::SpreadsSign, Size::Four),
        M::Cqo => of_rax(Does::SpreadsSign, Size::Eight),
        M::Mul => multiplies(instruction, Signed::No),
        M::Imul => match instruction.op_count() {
            1 => multiplies(instruction, Signed::Yes),
            2 => computes(Operation::Multiply),
            _ => two(Does::MultipliesBy(instruction.immediate(2) as i32)),
        },
        M::Shld => shifts_in(instruction, Side::High),
        M::Shrd => shifts_in(instruction, Side::Low),
        _ if instruction.condition_code() == ConditionCode::None
            && instruction.flow_control() != FlowControl::IndirectBranch =>
        {
            vectors::decode(instruction)
        }
        _ => by_condition(instruction),
    }
}

/// A shift by a constant, or by CL of 32 or 64 bits. Narrower operands must be shifted by fewer
/// bits than they have: else the carry flag is undefined.
fn shift(instruction: &Instruction, operation: Operation) -> Option<Simple> {
    let size = size(instruction, 0)?;
    let wide = matches!(size, Size::Four | Size::Eight);
    let from = match place(instruction, 1)? {
        Operand::Value(count) => {
            let count = count & if size == Size::Eight { 63 } else { 31 };
            let from = (count != 0 && count < 8 * size.bytes() as u64).then_some(Operand::Value(count));
            from?
        }
        Operand::Register(register) if wide => Operand::Register(register),
        _ => return None,
    };
    Some(Simple { does: Does::Computes(operation), size, to: place(instruction, 0)?, from })
}

/// A double shift (SHLD, SHRD) of 32 or 64 bits, by a constant other than 0 or by CL.
fn shifts_in(instruction: &Instruction, side: Side) -> Option<Simple> {
    let size = size(instruction, 0).filter(|size| matches!(size, Size::Four | Size::Eight))?;
    let count = match place(instruction, 2)? {
        Operand::Value(count) => {
            let count = count & (8 * size.bytes() as u64 - 1);
            Count::Constant(u8::try_from(count).ok().filter(|count| *count != 0)?)
        }
        _ => Count::Cl,
    };
    let does = Does::ShiftsIn(side, count);
    Some(Simple { does, size, to: place(instruction, 0)?, from: place(instruction, 1)? })
}

/// A bit operation, of a register or by a constant. Excludes memory with the bit number in a
/// register, which may address other bytes.
fn bit(instruction: &Instruction, does: fn(Operation) -> Does, operation: Operation) -> Option<Simple> {
    let (to, from) = (place(instruction, 0)?, place(instruction, 1)?);
    let here = matches!(to, Operand::Register(_)) || matches!(from, Operand::Value(_));
    here.then_some(Simple { does: does(operation), size: size(instruction, 0)?, to, from })
}

fn multiplies(instruction: &Instruction, signed: Signed) -> Option<Simple> {
    let (size, from) = (size(instruction, 0)?, place(instruction, 0)?);
    Some(Simple { does: Does::Multiplies(signed), size, to: Operand::Value(0), from })
}

/// Conditional moves, sets and branches, and jumps to a computed address.
fn by_condition(instruction: &Instruction) -> Option<Simple> {
    if instruction.flow_control() == FlowControl::IndirectBranch && size(instruction, 0)? == Size::Eight {
        let from = place(instruction, 0)?;
        return Some(Simple { does: Does::Jumps, size: Size::Eight, to: Operand::Value(0), from });
    }
    let condition = condition(instruction.condition_code())?;
    let is = |does, to, from| {
        let size = if instruction.op_count() == 2 { size(instruction, 0)? } else { Size::One };
        Some(Simple { does, size, to, from })
    };
    // SETcc has one operand, a byte; CMOVcc a register and a second operand. LOOPcc, which counts,
    // has only a branch target as operand.
    match instruction.op_count() {
        _ if instruction.is_jcc_short_or_near() => {
            is(Does::BranchesIf(condition), Operand::Value(0), Operand::Value(instruction.near_branch_target()))
        }
        1 => is(Does::SetsIf(condition), place(instruction, 0)?, Operand::Value(0)),
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

fn place(instruction: &Instruction, operand: u32) -> Option<Operand> {
    match instruction.op_kind(operand) {
        OpKind::Register => {
            let register = instruction.op_register(operand);
            let second = matches!(register, Register::AH | Register::BH | Register::CH | Register::DH);
            if !register.is_gpr() {
                return None;
            }
            dwarf(register).map(if second { Operand::Second } else { Operand::Register })
        }
        OpKind::Memory => address(instruction).map(Operand::Memory),
        OpKind::Immediate8
        | OpKind::Immediate16
        | OpKind::Immediate32
        | OpKind::Immediate64
        | OpKind::Immediate8to16
        | OpKind::Immediate8to32
        | OpKind::Immediate8to64
        | OpKind::Immediate32to64 => Some(Operand::Value(instruction.immediate(operand))),
        _ => None,
    }
}

/// The address of a memory operand; `None` for 32-bit addressing.
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
    // A 32-bit absolute address has no base register that would show the prefix.
    if narrow && !instruction.is_ip_rel_memory_operand() {
        return None;
    }
    // The bases of the other segments are 0.
    let segment = match instruction.segment_prefix() {
        Register::FS => Segment::Fs,
        Register::GS => Segment::Gs,
        _ => Segment::Flat,
    };
    Some(Address { segment, base, index: index.map(|index| (index, scale)), offset })
}
