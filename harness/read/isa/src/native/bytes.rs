//! The parts of an encoding, and the encoding with another memory operand (Intel SDM volume 2, 2.1
//! to 2.1.5, 2.3.5, 2.7.1).

/// Prefixes that change only the address: segments, and address size.
const OF_ADDRESSES: [u8; 7] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x67];
/// Prefixes that are part of an opcode.
const OF_OPCODES: [u8; 3] = [0x66, 0xf2, 0xf3];

/// The parts of an instruction's encoding.
pub(super) struct Parts<'a> {
    /// Prefixes that belong to the opcode.
    prefixes: Vec<u8>,
    /// REX, VEX or EVEX, and the opcode.
    opcode: Vec<u8>,
    modrm: Option<u8>,
    immediate: &'a [u8],
    /// ModRM, SIB and displacement.
    operands: &'a [u8],
    /// The first byte of `opcode` is REX, whose bits that extend the operand's registers may be
    /// cleared.
    has_rex: bool,
}

impl<'a> Parts<'a> {
    /// Parses an encoding; `None` if the bytes have an unknown form.
    pub(super) fn new(code: &'a [u8], is_legacy: bool) -> Option<Parts<'a>> {
        let is_prefix = |byte: &u8| OF_ADDRESSES.contains(byte) || OF_OPCODES.contains(byte);
        let count = code.iter().take_while(|byte| is_prefix(byte)).count();
        let (before, rest) = code.split_at(count);
        let prefixes: Vec<u8> = before.iter().copied().filter(|byte| OF_OPCODES.contains(byte)).collect();
        let has_rex = is_legacy && matches!(rest.first(), Some(0x40..=0x4f));
        let length = match rest {
            [0xc5, ..] if !is_legacy => 3,
            [0xc4, ..] if !is_legacy => 4,
            [0x62, ..] if !is_legacy => 5,
            _ if is_legacy => usize::from(has_rex) + legacy_opcode(rest.get(usize::from(has_rex)..)?)?,
            _ => return None,
        };
        let (opcode, rest) = rest.split_at_checked(length)?;
        // Only VZEROUPPER and VZEROALL have no ModRM.
        let operands = rest.first().map_or(Some(0), |modrm| operands(*modrm, rest))?;
        let (operands, immediate) = rest.split_at_checked(operands)?;
        let modrm = operands.first().copied();
        Some(Parts { prefixes, opcode: opcode.to_vec(), modrm, immediate, operands, has_rex })
    }

    /// The whole encoding, without address prefixes.
    pub(super) fn whole(self) -> Vec<u8> {
        [&self.prefixes, &self.opcode, self.operands, self.immediate].concat()
    }

    /// The encoding with the memory operand at the address in `pointer`, one of the first eight
    /// registers other than the stack and the frame pointer.
    pub(super) fn with_pointer(mut self, pointer: u8) -> Option<Vec<u8>> {
        let modrm = self.modrm.filter(|modrm| modrm >> 6 != 3)?;
        match self.opcode.as_mut_slice() {
            // X and B, which are inverted.
            [0xc4, second, ..] | [0x62, second, ..] => *second |= 0x60,
            [first, ..] if self.has_rex => *first &= !3,
            _ => {}
        }
        let modrm = [modrm & 0x38 | pointer];
        Some([&self.prefixes, &self.opcode, modrm.as_slice(), self.immediate].concat())
    }
}

/// Length in bytes of a legacy opcode.
fn legacy_opcode(code: &[u8]) -> Option<usize> {
    match code {
        [0x0f, 0x38 | 0x3a, _, ..] => Some(3),
        [0x0f, _, ..] => Some(2),
        _ => None,
    }
}

/// Length in bytes of ModRM, SIB and displacement.
fn operands(modrm: u8, code: &[u8]) -> Option<usize> {
    let (mode, rm) = (modrm >> 6, modrm & 7);
    let sib = usize::from(mode != 3 && rm == 4);
    let base = if sib == 1 { code.get(1)? & 7 } else { rm };
    let displacement = match mode {
        0 if base == 5 => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    Some(1 + sib + displacement)
}
