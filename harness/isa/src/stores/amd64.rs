//! AMD64 (Intel SDM volume 2, instruction reference), as the crate iced-x86 describes what an
//! instruction uses.

use iced_x86::{CodeSize, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory};
use types::Reg;

use super::{Address, Effects, Store};
use crate::flow::amd64::{Decoding, dwarf};

pub(super) fn effects(code: &[u8], pc: u64) -> Effects {
    let mut decoding = Decoding::new(code, pc);
    let Some(instruction) = decoding.at(0) else { return Effects::UNKNOWN };
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(instruction);
    let writes = info.used_registers().iter().filter(|used| is_write(used.access()));
    let writes = writes.filter_map(|used| dwarf(used.register())).collect();
    let stores = info.used_memory().iter().filter(|used| is_write(used.access()));
    let stores = stores.map(|used| store(instruction, used)).collect::<Option<Vec<Store>>>();
    Effects { stores: stores.filter(|_| is_certain(instruction)), writes: Some(writes) }
}

/// Not what repeats or stores what the kernel or another mode of the processor decides; nor POP to
/// memory, whose base may be the SP that it moves.
fn is_certain(instruction: &Instruction) -> bool {
    use Mnemonic::{Enter, Int, Pop, Syscall, Sysenter, Xabort, Xbegin, Xend};
    let pops_to_memory = instruction.mnemonic() == Pop && instruction.op_kind(0) == OpKind::Memory;
    let repeats =
        instruction.is_string_instruction() && (instruction.has_rep_prefix() || instruction.has_repne_prefix());
    let enters = matches!(instruction.mnemonic(), Enter | Int | Syscall | Sysenter | Xabort | Xbegin | Xend);
    !(pops_to_memory || repeats || enters || instruction.is_privileged() || instruction.is_save_restore_instruction())
}

fn is_write(access: OpAccess) -> bool {
    match access {
        OpAccess::None | OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess => false,
        OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => true,
    }
}

fn store(instruction: &Instruction, used: &UsedMemory) -> Option<Store> {
    let size = used.memory_size().size() as u64;
    let is_flat = !matches!(used.segment(), Register::FS | Register::GS) && used.address_size() == CodeSize::Code64;
    let part = |register| match register {
        Register::None => Some(None),
        register if register.is_gpr64() => dwarf(register).map(Some),
        _ => None,
    };
    let (base, index) = (part(used.base())?, part(used.index())?);
    let index = index.zip(u8::try_from(used.scale()).ok());
    let address = Address { base, index, offset: used.displacement() as i64 };
    (size > 0 && is_flat).then(|| Store { address, size, value: value(instruction).filter(|_| size == 8) })
}

/// The register that PUSH or MOV stores.
fn value(instruction: &Instruction) -> Option<Reg> {
    let operand = match instruction.mnemonic() {
        Mnemonic::Push => 0,
        Mnemonic::Mov => 1,
        _ => return None,
    };
    let register = (instruction.op_kind(operand) == OpKind::Register).then(|| instruction.op_register(operand))?;
    if register.is_gpr64() { dwarf(register) } else { None }
}
