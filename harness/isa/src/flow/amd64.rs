//! AMD64 (Intel SDM volume 2, instruction reference), as the crate iced-x86 decodes it.

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, MemorySize, Mnemonic, OpKind, Register};
use model::Reg;

use super::{Bound, Flow, Insn, Marks, Operand};

fn instruction(code: &[u8], pc: u64) -> Option<Instruction> {
    // No instruction is longer.
    let code = code.get(..15).unwrap_or(code);
    let mut decoder = Decoder::with_ip(64, code, pc, DecoderOptions::NONE);
    let instruction = decoder.decode();
    (!instruction.is_invalid()).then_some(instruction)
}

pub(super) fn decode(code: &[u8], pc: u64) -> Option<Insn> {
    let instruction = instruction(code, pc)?;
    let flow = flow(&instruction);
    Some(Insn { length: u8::try_from(instruction.len()).ok()?, flow, marks: marks(&instruction, flow) })
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
        FlowControl::Call => Flow::Call(instruction.near_branch_target()),
        FlowControl::IndirectCall => Flow::IndirectCall,
        FlowControl::Return | FlowControl::Interrupt | FlowControl::Exception => Flow::Ends,
    }
}

fn marks(instruction: &Instruction, flow: Flow) -> Marks {
    use Mnemonic::{
        Bt, Cmp, Div, Enter, Fnop, Idiv, Int, Leave, Nop, Pop, Push, Syscall, Sysenter, Test, Xabort, Xadd, Xbegin,
        Xchg, Xend,
    };
    let mnemonic = instruction.mnemonic();
    let is = |operand: u32, wanted: Register| {
        instruction.op_count() > operand
            && instruction.op_kind(operand) == OpKind::Register
            && instruction.op_register(operand).full_register() == wanted
    };
    let reads_only = matches!(mnemonic, Cmp | Test | Bt | Push);
    let both = matches!(mnemonic, Xchg | Xadd) || is_cmpxchg(mnemonic);
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
    Marks::WRITES_SP
        .when(stack || (flow == Flow::Next && writes(Register::RSP)))
        .and(Marks::WRITES_FP.when(frame || writes(Register::RBP)))
        .and(Marks::SAVES.when(pushes || (to_memory && is(1, Register::RBP))))
        .and(Marks::MOVES_SP.when(moves))
        .and(Marks::NOP.when(matches!(mnemonic, Nop | Fnop)))
        .and(Marks::SKIP.when(system))
        .and(Marks::COMPARES_SP.when(compares))
        .and(Marks::PUSHES.when(next))
}

fn is_cmpxchg(mnemonic: Mnemonic) -> bool {
    mnemonic == Mnemonic::Cmpxchg
}

pub(super) fn bound(code: &[u8]) -> Option<Bound> {
    let instruction = instruction(code, 0)?;
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
        OpKind::Memory if instruction.memory_index() == Register::None => {
            let size = match instruction.memory_size() {
                MemorySize::UInt8 | MemorySize::Int8 => 1,
                MemorySize::UInt16 | MemorySize::Int16 => 2,
                MemorySize::UInt32 | MemorySize::Int32 => 4,
                _ => 8,
            };
            let base = dwarf(instruction.memory_base())?;
            Operand::Memory { base, offset: instruction.memory_displacement64() as i64, size }
        }
        _ => return None,
    };
    Some(Bound { operand, limit })
}

pub(super) fn index(code: &[u8]) -> Option<Reg> {
    let instruction = instruction(code, 0)?;
    let table = matches!(instruction.memory_index_scale(), 4 | 8);
    dwarf(instruction.memory_index()).filter(|_| table)
}

/// DWARF numbers (System V psABI AMD64 1.0, figure 3.36).
fn dwarf(register: Register) -> Option<Reg> {
    const ORDER: [Register; 16] = [
        Register::RAX,
        Register::RDX,
        Register::RCX,
        Register::RBX,
        Register::RSI,
        Register::RDI,
        Register::RBP,
        Register::RSP,
        Register::R8,
        Register::R9,
        Register::R10,
        Register::R11,
        Register::R12,
        Register::R13,
        Register::R14,
        Register::R15,
    ];
    let number = ORDER.iter().position(|one| *one == register.full_register())?;
    u16::try_from(number).ok().map(Reg)
}

pub(super) fn taken(code: &[u8], pc: u64) -> Option<u64> {
    // LEA is 8d behind prefixes, MOV with an immediate b8+r or c7, PUSH 68.
    let first = code.iter().take(4).position(|byte| !matches!(byte, 0x40..=0x4f | 0x66))?;
    if !matches!(code.get(first)?, 0x8d | 0xb8..=0xbf | 0xc7 | 0x68) {
        return None;
    }
    let instruction = instruction(code, pc)?;
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
