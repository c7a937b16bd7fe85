//! AMD64 disassembly, in AT&T syntax as GNU as reads it and objdump prints it.

use iced_x86::{Decoder, DecoderOptions, FormatMnemonicOptions, Formatter as _, GasFormatter};

use crate::disassembler::Instruction;

/// The instruction at the start of `bytes`, located at `pc`; `None` if it cannot be decoded.
pub(crate) fn instruction(bytes: &[u8], pc: u64) -> Option<Instruction> {
    let decoded = Decoder::with_ip(64, bytes, pc, DecoderOptions::NONE).decode();
    let (mut mnemonic, mut text) = (String::new(), String::new());
    let mut gas = GasFormatter::new();
    let options = gas.options_mut();
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(false);
    options.set_rip_relative_addresses(true);
    options.set_branch_leading_zeros(false);
    gas.format_mnemonic_options(&decoded, &mut mnemonic, FormatMnemonicOptions::NO_PREFIXES);
    gas.format(&decoded, &mut text);
    (!decoded.is_invalid()).then(|| Instruction { pc, length: decoded.len() as u64, mnemonic: Some(mnemonic), text })
}
