//! Control flow of AMD64 instructions (Intel SDM volume 2, instruction reference), decoded by the
//! crate iced-x86.

use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions,
    MemorySize, Mnemonic, OpAccess, OpKind, Register,
};
use types::Reg;

use super::{Bound, Change, Decider, Decision, Flow, Insn, Marks, Operand, Registers, apx};

/// Decodes instructions of one piece of code. Setup takes as long as decoding one instruction.
pub(crate) struct Decoding<'c> {
    decoder: Decoder<'c>,
    instruction: Instruction,
    start: u64,
}

impl<'c> Decoding<'c> {
    pub(crate) fn new(code: &'c [u8], start: u64) -> Decoding<'c> {
        let decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
        Decoding { decoder, instruction: Instruction::default(), start }
    }

    /// The instruction at `offset`; `None` if it cannot be decoded.
    pub(crate) fn at(&mut self, offset: usize) -> Option<&Instruction> {
        self.decoder.set_position(offset).ok()?;
        self.decoder.set_ip(self.start.wrapping_add(offset as u64));
        self.decoder.decode_out(&mut self.instruction);
        (!self.instruction.is_invalid()).then_some(&self.instruction)
    }
}

pub(super) fn decode(code: &[u8], pc: u64) -> Option<Insn> {
    match Decoding::new(code, pc).at(0) {
        Some(instruction) => insn(instruction),
        None => apx::decode(code, pc).map(|apx| apx.insn),
    }
}

pub(crate) fn insn(instruction: &Instruction) -> Option<Insn> {
    let flow = flow(instruction);
    Some(Insn { length: u8::try_from(instruction.len()).ok()?, flow, marks: marks(instruction, flow) })
}

fn flow(instruction: &Instruction) -> Flow {
    use Mnemonic::{Hlt, Int, Int1, Int3, Into, Syscall, Sysenter, Xbegin};
    match instruction.flow_control() {
        _ if matches!(instruction.mnemonic(), Syscall | Sysenter | Int | Xbegin) => Flow::Next,
        _ if matches!(instruction.mnemonic(), Hlt | Int3 | Int1 | Into) => Flow::Ends,
        FlowControl::Next | FlowControl::XbeginXabortXend => Flow::Next,
        FlowControl::UnconditionalBranch => Flow::Jump(instruction.near_branch_target()),
        FlowControl::ConditionalBranch => Flow::Branch(instruction.near_branch_target()),
        FlowControl::IndirectBranch => Flow::IndirectJump,
        FlowControl::Return if instruction.mnemonic() == Mnemonic::Ret => Flow::Return,
        FlowControl::Call if instruction.is_call_near() => Flow::Call(instruction.near_branch_target()),
        // VMCALL and similar call the hypervisor.
        FlowControl::Call => Flow::Next,
        FlowControl::IndirectCall => Flow::IndirectCall,
        FlowControl::Return | FlowControl::Interrupt | FlowControl::Exception => Flow::Ends,
    }
}

fn marks(instruction: &Instruction, flow: Flow) -> Marks {
    use Mnemonic::{
        Bt, Cmp, Cmpxchg, Div, Enter, Fnop, Idiv, Int, Leave, Mulx, Nop, Pop, Push, Syscall, Sysenter, Test, Xabort,
        Xadd, Xbegin, Xchg, Xend,
    };
    let mnemonic = instruction.mnemonic();
    let register = |operand: u32| {
        let is_one = instruction.op_count() > operand && instruction.op_kind(operand) == OpKind::Register;
        is_one.then(|| instruction.op_register(operand).full_register())
    };
    let operands = [register(0), register(1)];
    let is = |operand: usize, wanted: Register| operands.get(operand) == Some(&Some(wanted));
    let reads_only = matches!(mnemonic, Cmp | Test | Bt | Push);
    let both = matches!(mnemonic, Xchg | Xadd | Cmpxchg | Mulx);
    let writes = |wanted| (is(0, wanted) && !reads_only) || (both && is(1, wanted));
    let to_memory = instruction.op_count() > 0 && instruction.op_kind(0) == OpKind::Memory;
    let pushes = mnemonic == Push && is(0, Register::RBP);
    let stack = flow == Flow::Next && instruction.is_stack_instruction();
    let frame = matches!(mnemonic, Leave | Enter) || (mnemonic == Pop && is(0, Register::RBP));
    let system = matches!(mnemonic, Syscall | Sysenter | Int | Xbegin | Xend | Xabort | Div | Idiv)
        || instruction.is_privileged()
        || (instruction.is_string_instruction() && (instruction.has_rep_prefix() || instruction.has_repne_prefix()));
    let compares = matches!(mnemonic, Cmp | Test) && (is(0, Register::RSP) || is(1, Register::RSP));
    let next = matches!(flow, Flow::Call(target) if target == instruction.next_ip());
    let constant = matches!(mnemonic, Mnemonic::Add | Mnemonic::Sub | Mnemonic::And)
        && instruction.op_kind(1) != OpKind::Register
        && instruction.op_kind(1) != OpKind::Memory;
    let moves = (stack && !(mnemonic == Pop && is(0, Register::RSP)))
        || constant
        || (mnemonic == Mnemonic::Mov && is(1, Register::RBP))
        || (mnemonic == Mnemonic::Lea && matches!(instruction.memory_base(), Register::RSP | Register::RBP));
    let sp = stack || (flow == Flow::Next && writes(Register::RSP));
    let from_sp = match mnemonic {
        Mnemonic::Mov => instruction.op_kind(1) == OpKind::Register && instruction.op_register(1) == Register::RSP,
        Mnemonic::Lea => instruction.memory_base() == Register::RSP && instruction.memory_index() == Register::None,
        _ => false,
    };
    let sets = from_sp && instruction.op_kind(0) == OpKind::Register && instruction.op_register(0) == Register::RBP;
    Marks::WRITES_SP
        .when(sp)
        .and(Marks::WRITES_FP.when(frame || writes(Register::RBP)))
        .and(Marks::SAVES.when(pushes || (to_memory && is(1, Register::RBP))))
        .and(Marks::MOVES_SP.when(sp && moves))
        .and(Marks::SETS_FP.when(sets))
        .and(Marks::NOP.when(matches!(mnemonic, Nop | Fnop)))
        .and(Marks::SKIP.when(system))
        .and(Marks::CALLS_SYSTEM.when(matches!(mnemonic, Syscall | Sysenter | Int)))
        .and(Marks::COMPARES_SP.when(compares))
        .and(Marks::PUSHES.when(next))
        .and(Marks::RETURNS_FROM_INTERRUPT.when(mnemonic == Mnemonic::Iretq))
}

/// Returns true for common instructions that write a register as first operand, compare or branch.
pub(super) fn stores_nothing(code: &[u8]) -> bool {
    use Mnemonic::{
        Add, And, Bswap, Cdq, Cdqe, Cmp, Cqo, Cwde, Dec, Imul, Inc, Lea, Mov, Movsx, Movsxd, Movzx, Neg, Nop, Not, Or,
        Rol, Ror, Sar, Shl, Shr, Sub, Test, Xor,
    };
    let mut decoding = Decoding::new(code, 0);
    let Some(instruction) = decoding.at(0) else { return false };
    let to_register = instruction.op_count() > 0 && instruction.op_kind(0) == OpKind::Register;
    match instruction.mnemonic() {
        Cmp | Test | Nop | Cdq | Cdqe | Cqo | Cwde => true,
        Add | And | Bswap | Dec | Imul | Inc | Lea | Movsx | Movsxd | Movzx | Neg | Not | Or | Rol | Ror | Sar
        | Shl | Shr | Sub | Xor => to_register,
        // MOV to a segment register is excluded.
        Mov => to_register && instruction.op0_register().is_gpr(),
        _ => instruction.is_jcc_short_or_near() || (to_register && instruction.condition_code() != ConditionCode::None),
    }
}

/// The flag that decides Jcc (Intel SDM volume 1, 3.4.3.1, and volume 2, appendix B): each
/// condition holds if one flag alone is set, and its opposite if none is.
pub(super) fn decision(code: &[u8]) -> Option<Decision> {
    const CARRY: u64 = 1;
    const PARITY: u64 = 1 << 2;
    const ZERO: u64 = 1 << 6;
    const SIGN: u64 = 1 << 7;
    const OVERFLOW: u64 = 1 << 11;
    let condition = match code {
        [short @ 0x70..=0x7f, ..] => short & 0xf,
        [0x0f, near @ 0x80..=0x8f, ..] => near & 0xf,
        _ => return None,
    };
    let flag = [OVERFLOW, CARRY, ZERO, CARRY, SIGN, PARITY, SIGN, ZERO][usize::from(condition >> 1)];
    let change = |set| Change { clear: CARRY | PARITY | ZERO | SIGN | OVERFLOW, set };
    let (taken, passed) = if condition & 1 == 0 { (flag, 0) } else { (0, flag) };
    Some(Decision { by: Decider::Flags, taken: change(taken), passed: change(passed) })
}

/// The registers that CMP compares.
pub(super) fn compared(code: &[u8], pc: u64) -> Option<[Reg; 2]> {
    let mut decoding = Decoding::new(code, pc);
    let instruction = decoding.at(0).filter(|instruction| instruction.mnemonic() == Mnemonic::Cmp)?;
    let register = |operand: u32| {
        let is_one = instruction.op_kind(operand) == OpKind::Register;
        is_one.then(|| dwarf(instruction.op_register(operand)))?
    };
    Some([register(0)?, register(1)?])
}

pub(super) fn bound(code: &[u8], pc: u64) -> Option<Bound> {
    let mut decoding = Decoding::new(code, pc);
    let instruction = decoding.at(0)?;
    if instruction.mnemonic() != Mnemonic::Cmp || instruction.op_count() != 2 {
        return None;
    }
    let limit = match instruction.op_kind(1) {
        OpKind::Immediate8
        | OpKind::Immediate16
        | OpKind::Immediate32
        | OpKind::Immediate8to16
        | OpKind::Immediate8to32
        | OpKind::Immediate8to64
        | OpKind::Immediate32to64 => instruction.immediate(1),
        _ => return None,
    };
    let operand = match instruction.op_kind(0) {
        OpKind::Register => Operand::Register(dwarf(instruction.op0_register())?),
        OpKind::Memory => {
            let size = match instruction.memory_size() {
                MemorySize::UInt8 | MemorySize::Int8 => 1,
                MemorySize::UInt16 | MemorySize::Int16 => 2,
                MemorySize::UInt32 | MemorySize::Int32 => 4,
                _ => 8,
            };
            // The displacement of RIP is the address.
            let base = match instruction.memory_base() {
                Register::None | Register::RIP => None,
                base => Some(dwarf(base)?),
            };
            let index = match instruction.memory_index() {
                Register::None => None,
                index => Some((dwarf(index)?, u8::try_from(instruction.memory_index_scale()).ok()?)),
            };
            Operand::Memory { base, index, offset: instruction.memory_displacement64() as i64, size }
        }
        _ => return None,
    };
    Some(Bound { operand, limit })
}

pub(super) fn index(code: &[u8]) -> Option<Reg> {
    let mut decoding = Decoding::new(code, 0);
    let instruction = decoding.at(0)?;
    let table = matches!(instruction.memory_index_scale(), 4 | 8);
    dwarf(instruction.memory_index()).filter(|_| table)
}

/// The general registers that an instruction may write.
pub(super) fn written(code: &[u8], pc: u64) -> Option<Registers> {
    match Decoding::new(code, pc).at(0) {
        Some(instruction) => Some(written_by(instruction)),
        None => apx::decode(code, pc).map(|apx| apx.written),
    }
}

pub(super) fn written_by(instruction: &Instruction) -> Registers {
    let mut info = InstructionInfoFactory::new();
    let used = info.info_options(instruction, InstructionInfoOptions::NO_MEMORY_USAGE).used_registers();
    let is_written = |access: OpAccess| {
        use OpAccess::{CondWrite, ReadCondWrite, ReadWrite, Write};
        matches!(access, Write | CondWrite | ReadWrite | ReadCondWrite)
    };
    let all = used.iter().filter(|one| is_written(one.access())).filter_map(|one| dwarf(one.register()));
    all.fold(Registers::NONE, |all, register| all.and(Registers::one(register)))
}

/// The DWARF number of a general register (System V psABI AMD64 1.0, figure 3.36).
pub(crate) fn dwarf(register: Register) -> Option<Reg> {
    // Indexed by hardware encoding: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 and so on.
    const NUMBERS: [u16; 16] = [0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15];
    let register = Some(register.full_register()).filter(|register| register.is_gpr64())?;
    NUMBERS.get(register.number()).copied().map(Reg)
}

pub(super) fn taken(code: &[u8], pc: u64) -> Option<u64> {
    // Opcodes after prefixes: LEA is 8d, MOV with an immediate b8+r or c7, PUSH 68.
    let first = code.iter().take(4).position(|byte| !matches!(byte, 0x40..=0x4f | 0x66))?;
    if !matches!(code.get(first)?, 0x8d | 0xb8..=0xbf | 0xc7 | 0x68) {
        return None;
    }
    let mut decoding = Decoding::new(code, pc);
    let instruction = decoding.at(0)?;
    match instruction.mnemonic() {
        Mnemonic::Lea if instruction.is_ip_rel_memory_operand() => Some(instruction.ip_rel_memory_address()),
        Mnemonic::Mov | Mnemonic::Push => {
            let last = instruction.op_count().checked_sub(1)?;
            match instruction.op_kind(last) {
                OpKind::Immediate32 | OpKind::Immediate32to64 | OpKind::Immediate64 => {
                    Some(instruction.immediate(last))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
