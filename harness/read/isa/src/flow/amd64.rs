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

#[cfg(test)]
mod tests {
    use super::*;

    const PC: u64 = 0x1000;
    const NONE: Marks = Marks::NONE;
    const SP: Marks = Marks::WRITES_SP.and(Marks::MOVES_SP);
    const SETS: Marks = Marks::WRITES_FP.and(Marks::SETS_FP);

    /// Encodings are those of GNU as.
    #[test]
    fn flows() {
        use Flow::{Branch, Call, Ends, IndirectCall, IndirectJump, Jump, Next, Return};
        let table: [(&[u8], Flow); 22] = [
            (&[0xeb, 0x04], Jump(0x1006)),             // jmp
            (&[0xff, 0xe0], IndirectJump),             // jmp *%rax
            (&[0x3e, 0xff, 0x24, 0xd7], IndirectJump), // notrack jmp *(%rdi,%rdx,8)
            (&[0x74, 0x04], Branch(0x1006)),           // je
            (&[0xe2, 0xfc], Branch(0xffe)),            // loop
            (&[0xe3, 0x02], Branch(0x1004)),           // jrcxz
            (&[0xe8, 0x05, 0, 0, 0], Call(0x100a)),    // call
            (&[0xff, 0xd0], IndirectCall),             // call *%rax
            (&[0xff, 0x53, 0x08], IndirectCall),       // call *8(%rbx)
            (&[0xc3], Return),                         // ret
            (&[0xc2, 0x10, 0x00], Return),             // ret $16
            (&[0xcb], Ends),                           // lret
            (&[0x48, 0xcf], Ends),                     // iretq
            (&[0xcc], Ends),                           // int3
            (&[0x0f, 0x0b], Ends),                     // ud2
            (&[0xf4], Ends),                           // hlt
            (&[0x0f, 0x05], Next),                     // syscall
            (&[0xcd, 0x80], Next),                     // int $0x80
            (&[0xc7, 0xf8, 0, 0, 0, 0], Next),         // xbegin
            (&[0x0f, 0x01, 0xd9], Next),               // vmmcall
            (&[0x55], Next),                           // push %rbp
            (&[0xf3, 0xa4], Next),                     // rep movsb
        ];
        for (code, expected) in table {
            let insn = decode(code, PC).unwrap();
            assert_eq!((insn.flow, usize::from(insn.length)), (expected, code.len()), "{code:x?}");
        }
        assert_eq!(decode(&[0xe8, 0x05], PC), None, "cut off");
    }

    #[test]
    fn marked() {
        let system = Marks::SKIP.and(Marks::CALLS_SYSTEM);
        let table: [(&[u8], Marks); 42] = [
            (&[0x55], SP.and(Marks::SAVES)),                     // push %rbp
            (&[0x50], SP),                                       // push %rax
            (&[0x5d], SP.and(Marks::WRITES_FP)),                 // pop %rbp
            (&[0x5c], Marks::WRITES_SP),                         // pop %rsp
            (&[0x48, 0x89, 0xe5], SETS),                         // mov %rsp,%rbp
            (&[0x48, 0x8d, 0x6c, 0x24, 0x08], SETS),             // lea 8(%rsp),%rbp
            (&[0x48, 0x8d, 0x6c, 0x04, 0x08], Marks::WRITES_FP), // lea 8(%rsp,%rax),%rbp
            (&[0x89, 0xe5], Marks::WRITES_FP),                   // mov %esp,%ebp
            (&[0x48, 0x89, 0xec], SP),                           // mov %rbp,%rsp
            (&[0x48, 0x89, 0xc4], Marks::WRITES_SP),             // mov %rax,%rsp
            (&[0x48, 0x83, 0xec, 0x18], SP),                     // sub $0x18,%rsp
            (&[0x48, 0x29, 0xc4], Marks::WRITES_SP),             // sub %rax,%rsp
            (&[0x48, 0x83, 0xe4, 0xf0], SP),                     // and $-16,%rsp
            (&[0x48, 0x8d, 0x65, 0xf8], SP),                     // lea -8(%rbp),%rsp
            (&[0x48, 0x83, 0xc0, 0x08], NONE),                   // add $8,%rax
            (&[0xc9], SP.and(Marks::WRITES_FP)),                 // leave
            (&[0xc8, 0x10, 0, 0], SP.and(Marks::WRITES_FP)),     // enter $16,$0
            (&[0x48, 0x89, 0x6c, 0x24, 0x08], Marks::SAVES),     // mov %rbp,8(%rsp)
            (&[0x48, 0x8b, 0x6c, 0x24, 0x08], Marks::WRITES_FP), // mov 8(%rsp),%rbp
            (&[0x48, 0x95], Marks::WRITES_FP),                   // xchg %rax,%rbp
            (&[0xc4, 0x42, 0xd3, 0xf6, 0xe0], Marks::WRITES_FP), // mulx %r8,%rbp,%r12
            (&[0x31, 0xed], Marks::WRITES_FP),                   // xor %ebp,%ebp
            (&[0x48, 0x39, 0xc4], Marks::COMPARES_SP),           // cmp %rax,%rsp
            (&[0x48, 0x39, 0xe0], Marks::COMPARES_SP),           // cmp %rsp,%rax
            (&[0x48, 0x85, 0xe4], Marks::COMPARES_SP),           // test %rsp,%rsp
            (&[0x48, 0x39, 0xe8], NONE),                         // cmp %rbp,%rax
            (&[0x48, 0xf7, 0xf1], Marks::SKIP),                  // div %rcx
            (&[0xf7, 0x3f], Marks::SKIP),                        // idivl (%rdi)
            (&[0xf3, 0xa4], Marks::SKIP),                        // rep movsb
            (&[0xf2, 0xae], Marks::SKIP),                        // repne scasb
            (&[0xa4], NONE),                                     // movsb
            (&[0x0f, 0x05], system),                             // syscall
            (&[0xcd, 0x80], system),                             // int $0x80
            (&[0xf4], Marks::SKIP),                              // hlt
            (&[0xc7, 0xf8, 0, 0, 0, 0], Marks::SKIP),            // xbegin
            (&[0x90], Marks::NOP),                               // nop
            (&[0x66, 0x0f, 0x1f, 0x04, 0x00], Marks::NOP),       // nopw (%rax,%rax)
            (&[0xe8, 0, 0, 0, 0], Marks::PUSHES),                // call .+5
            (&[0xe8, 5, 0, 0, 0], NONE),                         // call
            (&[0xc3], NONE),                                     // ret
            (&[0x0f, 0xa2], NONE),                               // cpuid
            (&[0xf3, 0x0f, 0x1e, 0xfa], NONE),                   // endbr64
        ];
        for (code, expected) in table {
            assert_eq!(decode(code, PC).unwrap().marks, expected, "{code:x?}");
        }
    }

    #[test]
    fn writes() {
        let table: [(&[u8], &[u16]); 8] = [
            (&[0x50], &[7]),                // push %rax
            (&[0x58], &[0, 7]),             // pop %rax
            (&[0x45, 0x31, 0xd2], &[10]),   // xor %r10d,%r10d
            (&[0x39, 0xc0], &[]),           // cmp %eax,%eax
            (&[0xc9], &[6, 7]),             // leave
            (&[0x0f, 0xa2], &[0, 1, 2, 3]), // cpuid
            (&[0x48, 0xf7, 0xe1], &[0, 1]), // mul %rcx
            (&[0x48, 0x89, 0x07], &[]),     // mov %rax,(%rdi)
        ];
        for (code, expected) in table {
            let found: Vec<u16> = written(code, PC).unwrap().iter().map(|reg| reg.0).collect();
            assert_eq!(found, expected, "{code:x?}");
        }
    }

    #[test]
    fn bounds_and_indices() {
        let memory = |base, index, offset, size| Operand::Memory { base, index, offset, size };
        let at = |base: u16, index, offset, size| memory(Some(Reg(base)), index, offset, size);
        let table: [(&[u8], Option<Bound>); 7] = [
            (&[0x48, 0x83, 0xf8, 0x07], Some(Bound { operand: Operand::Register(Reg(0)), limit: 7 })), // cmp $7,%rax
            (&[0x40, 0x80, 0xff, 0x21], Some(Bound { operand: Operand::Register(Reg(5)), limit: 0x21 })), // cmp $0x21,%dil
            (&[0x83, 0x7d, 0xec, 0x12], Some(Bound { operand: at(6, None, -20, 4), limit: 0x12 })), // cmpl $0x12,-20(%rbp)
            (&[0x80, 0x3c, 0x07, 0x05], Some(Bound { operand: at(5, Some((Reg(0), 1)), 0, 1), limit: 5 })), // cmpb $5,(%rdi,%rax)
            // cmpl $7,0x100(%rip)
            (&[0x83, 0x3d, 0, 1, 0, 0, 7], Some(Bound { operand: memory(None, None, 0x1107, 4), limit: 7 })),
            // cmpb $5,0x2000(,%rdi,4)
            (
                &[0x80, 0x3c, 0xbd, 0, 0x20, 0, 0, 5],
                Some(Bound { operand: memory(None, Some((Reg(5), 4)), 0x2000, 1), limit: 5 }),
            ),
            (&[0x48, 0x39, 0xe0], None), // cmp %rsp,%rax
        ];
        for (code, expected) in table {
            assert_eq!(bound(code, PC), expected, "{code:x?}");
        }
        assert_eq!(index(&[0x48, 0x8b, 0x04, 0xc7]), Some(Reg(0)), "mov (%rdi,%rax,8),%rax");
        assert_eq!(index(&[0x48, 0x63, 0x0c, 0x92]), Some(Reg(1)), "movslq (%rdx,%rdx,4),%rcx");
        assert_eq!(index(&[0x8a, 0x04, 0x07]), None, "mov (%rdi,%rax),%al");
    }

    #[test]
    fn addresses() {
        let table: [(&[u8], Option<u64>); 7] = [
            (&[0x48, 0x8d, 0x3d, 0x10, 0, 0, 0], Some(0x1017)), // lea 0x10(%rip),%rdi
            (&[0x48, 0x8d, 0x78, 0x10], None),                  // lea 0x10(%rax),%rdi
            (&[0xbf, 0, 0x10, 0x40, 0], Some(0x40_1000)),       // mov $0x401000,%edi
            (&[0x48, 0xbf, 0, 0x10, 0x40, 0, 0, 0, 0, 0], Some(0x40_1000)), // movabs $0x401000,%rdi
            (&[0x48, 0xc7, 0x04, 0x24, 0, 0x10, 0x40, 0], Some(0x40_1000)), // movq $0x401000,(%rsp)
            (&[0x68, 0, 0x10, 0x40, 0], Some(0x40_1000)),       // push $0x401000
            (&[0x48, 0x89, 0xe5], None),                        // mov %rsp,%rbp
        ];
        for (code, expected) in table {
            assert_eq!(taken(code, PC), expected, "{code:x?}");
        }
    }
}
