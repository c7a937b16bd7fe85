//! AMD64 disassembly, in AT&T syntax as GNU as reads it and objdump prints it.

use iced_x86::{Decoder, DecoderOptions, FormatMnemonicOptions, Formatter as _, GasFormatter, OpKind, Register};

use crate::disassembler::Instruction;
use crate::flow::apx;

/// The instruction at the start of `bytes`, located at `pc`; `None` if it cannot be decoded.
pub(crate) fn instruction(bytes: &[u8], pc: u64) -> Option<Instruction> {
    let decoded = Decoder::with_ip(64, bytes, pc, DecoderOptions::NONE).decode();
    if decoded.is_invalid() {
        let apx = apx::decode(bytes, pc)?;
        let name = apx.name.unwrap_or("(of APX)").to_owned();
        return Some(Instruction { pc, length: apx.insn.length.into(), mnemonic: Some(name.clone()), text: name });
    }
    let (mut mnemonic, mut text) = (String::new(), String::new());
    let mut gas = GasFormatter::new();
    let options = gas.options_mut();
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(false);
    options.set_rip_relative_addresses(true);
    options.set_branch_leading_zeros(false);
    gas.format_mnemonic_options(&decoded, &mut mnemonic, FormatMnemonicOptions::NO_PREFIXES);
    gas.format(&decoded, &mut text);
    Some(Instruction { pc, length: decoded.len() as u64, mnemonic: Some(mnemonic), text })
}

/// Returns true if the load, or the store, of an AMD64 instruction is relative to the stack
/// segment: its address has RSP or RBP as base and no FS or GS, or it pushes or pops. (Intel SDM
/// volume 1, 3.7.4.)
#[must_use]
pub fn uses_stack_segment(code: &[u8], writes: bool) -> bool {
    let decoded = Decoder::with_ip(64, code, 0, DecoderOptions::NONE).decode();
    let pushes = decoded.is_stack_instruction() && writes == (decoded.stack_pointer_increment() < 0);
    let is_based = matches!(decoded.memory_base(), Register::RSP | Register::RBP | Register::ESP | Register::EBP);
    let has_operand = decoded.op_kinds().any(|kind| kind == OpKind::Memory);
    let is_own = matches!(decoded.segment_prefix(), Register::FS | Register::GS);
    pushes || has_operand && is_based && !is_own
}

/// Returns true if an AMD64 instruction has an operand in memory, or is not known.
pub(crate) fn has_memory_operand(code: &[u8]) -> bool {
    let decoded = Decoder::with_ip(64, code, 0, DecoderOptions::NONE).decode();
    let is_memory = |kind| (OpKind::MemorySegSI..=OpKind::Memory).contains(&kind);
    decoded.is_invalid() || decoded.is_stack_instruction() || decoded.op_kinds().any(is_memory)
}

/// The number that an AMD64 instruction adds to RSP.
#[must_use]
pub fn stack_increment(code: &[u8]) -> i64 {
    Decoder::with_ip(64, code, 0, DecoderOptions::NONE).decode().stack_pointer_increment().into()
}
