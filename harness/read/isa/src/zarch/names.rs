//! Mnemonics that the disassembler does not know.

const NAMES: &str = include_str!("names.txt");

/// Mnemonic and length in bytes of the instruction at the start of `bytes`; `None` if the table
/// does not list it.
#[must_use]
pub fn name(bytes: &[u8]) -> Option<(&'static str, u64)> {
    let (&first, &second) = (bytes.first()?, bytes.get(1)?);
    let length: usize = if first < 0xc0 { 4 } else { 6 };
    let last = bytes.get(..length)?.last()?;
    let other = if matches!(first, 0xe3 | 0xe6 | 0xe7) { *last } else { second };
    let opcode = format!("{first:02x} {other:02x} ");
    let found = NAMES.lines().find_map(|line| line.strip_prefix(&opcode));
    found.map(|name| (name, length as u64))
}
