//! Instructions of Intel APX (Advanced Performance Extensions Architecture Specification, 355828),
//! which iced-x86 lacks: REX2, JMPABS, and the EVEX forms of general instructions, with PUSH2, POP2
//! and a new destination. Where one has a form without APX, that is decoded in its place, and r8 to
//! r15 represent r16 to r31.

use types::Reg;

use super::amd64::{Decoding, insn, written_by};
use super::{Flow, Insn, Marks, Registers};
use crate::simple::amd64::decode as of_plain;
use crate::simple::{Address, Does, Operand, Simple, Size};

/// The DWARF number of R16; those of R17 to R31 follow (System V psABI AMD64, draft for APX).
const R16: u16 = 130;
const RSP: u8 = 4;
const RBP: u8 = 5;
/// Maximum length of an instruction in bytes.
const LONGEST: usize = 15;

/// An instruction of APX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Apx {
    pub(crate) insn: Insn,
    /// The operation, if it is simple.
    pub(crate) simple: Option<Simple>,
    /// The registers that it may write, of those that have a number below 32.
    pub(crate) written: Registers,
    /// The mnemonic, if it is one of APX alone.
    pub(crate) name: Option<&'static str>,
}

/// Returns true if the bytes begin with a prefix of APX, or of another EVEX instruction.
#[must_use]
pub fn may_be_apx(code: &[u8]) -> bool {
    code.get(legacy(code)).is_some_and(|byte| matches!(byte, 0xd5 | 0x62))
}

/// The instruction at the start of `code`; `None` if it is none of APX.
pub(crate) fn decode(code: &[u8], pc: u64) -> Option<Apx> {
    let prefixes = legacy(code);
    match code.get(prefixes)? {
        0xd5 => rex2(code, prefixes, pc),
        0x62 => evex(code, prefixes, pc),
        _ => None,
    }
}

/// Number of legacy prefixes (Intel SDM volume 2, 2.1.1).
fn legacy(code: &[u8]) -> usize {
    let is = |byte: &&u8| matches!(**byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3);
    code.iter().take(LONGEST - 1).take_while(is).count()
}

/// The number of a register: low three bits, and two more from a prefix.
fn number(low: u8, third: bool, fourth: bool) -> u8 {
    low & 7 | u8::from(third) << 3 | u8::from(fourth) << 4
}

/// A register by its number in encodings.
fn register(number: u8) -> Reg {
    const LOW: [u16; 8] = [0, 2, 1, 3, 7, 6, 4, 5];
    match number {
        0..=7 => Reg(LOW.get(usize::from(number)).copied().unwrap_or_default()),
        8..=15 => Reg(number.into()),
        _ => Reg(R16 + u16::from(number) - 16),
    }
}

/// The extension of the three register fields: R (ModRM.reg), X (index) and B (ModRM.rm, base, or
/// the opcode's register).
#[derive(Clone, Copy)]
struct Extension {
    /// Bit 3 of R, X, B, as in REX.
    third: [bool; 3],
    /// Bit 4.
    fourth: [bool; 3],
}

/// The form of an instruction without APX: legacy prefixes, REX, opcode and the rest.
struct Form<'c> {
    prefixes: &'c [u8],
    wide: bool,
    extension: Extension,
    /// The opcode's map and the opcode.
    opcode: &'c [u8],
    /// ModRM and what follows it.
    rest: &'c [u8],
    /// Number of bytes that the form is shorter.
    shorter: usize,
    pc: u64,
}

impl Form<'_> {
    /// The bytes with r8 to r15 in place of r16 to r31; of one field, r0 to r7.
    fn bytes(&self, but: Option<usize>) -> Vec<u8> {
        let set = |field: usize| {
            let Extension { third, fourth } = self.extension;
            (third.get(field) == Some(&true) || fourth.get(field) == Some(&true)) && but != Some(field)
        };
        let bit = |field: usize| u8::from(set(field)) << (2 - field);
        let rex = 0x40 | u8::from(self.wide) << 3 | bit(0) | bit(1) | bit(2);
        let mut bytes = [self.prefixes, &[rex], self.opcode].concat();
        bytes.extend(self.rest.iter().take(LONGEST));
        bytes
    }

    /// The operation with r0 to r7 in one field.
    fn without(&self, field: usize, pc: u64) -> Option<Simple> {
        let bytes = self.bytes(Some(field));
        let mut decoding = Decoding::new(&bytes, pc);
        of_plain(decoding.at(0)?, &bytes)?.1
    }

    fn decode(&self) -> Option<Apx> {
        let pc = self.pc.wrapping_add(self.shorter as u64);
        let bytes = self.bytes(None);
        let mut decoding = Decoding::new(&bytes, pc);
        let instruction = decoding.at(0)?;
        let (insn, found) = of_plain(instruction, &bytes)?;
        let length = u8::try_from(usize::from(insn.length) + self.shorter).ok()?;
        let mut simple = found;
        for field in 0..3 {
            if self.extension.fourth.get(field) == Some(&true) {
                let other = self.without(field, pc);
                let by = if self.extension.third.get(field) == Some(&true) { 8 } else { 0 };
                simple = simple.zip(found).zip(other).map(|((to, one), other)| extended(to, one, other, by));
            }
        }
        let written = written_by(instruction);
        let usable = usize::from(length) <= LONGEST;
        usable.then_some(Apx { insn: Insn { length, ..insn }, simple, written, name: None })
    }
}

/// The operation `to` with registers of R16 to R31 in the place of those in which `one` and `other`
/// differ.
fn extended(to: Simple, one: Simple, other: Simple, by: u16) -> Simple {
    let register =
        |to: Reg, one: Reg, other: Reg| if one == other { to } else { Reg(R16 + by + one.0.saturating_sub(8)) };
    let operand = |to: Operand, one: Operand, other: Operand| match (to, one, other) {
        (Operand::Register(to), Operand::Register(one), Operand::Register(other)) => {
            Operand::Register(register(to, one, other))
        }
        (Operand::Memory(to), Operand::Memory(one), Operand::Memory(other)) => {
            let base = to.base.zip(one.base).zip(other.base);
            let index = match (to.index, one.index, other.index) {
                (Some((to, scale)), Some((one, _)), Some((other, _))) => Some((register(to, one, other), scale)),
                // Number 4 is none as an index without extension: R20 or R28 is in its place.
                (Some((_, scale)), Some((one, _)), None) => Some((Reg(R16 + by + one.0.saturating_sub(8)), scale)),
                (index, _, _) => index,
            };
            Operand::Memory(Address { base: base.map(|((to, one), other)| register(to, one, other)), index, ..to })
        }
        _ => to,
    };
    Simple { to: operand(to.to, one.to, other.to), from: operand(to.from, one.from, other.from), ..to }
}

/// An instruction with the prefix REX2.
fn rex2(code: &[u8], prefixes: usize, pc: u64) -> Option<Apx> {
    let [_, payload, opcode, ..] = *code.get(prefixes..)? else { return None };
    let bit = |number: u8| payload >> number & 1 != 0;
    let is_second = bit(7);
    let extension = Extension { third: [bit(2), bit(1), bit(0)], fourth: [bit(6), bit(5), bit(4)] };
    match (is_second, opcode) {
        (false, 0xa1) => {
            let target = u64::from_le_bytes(*code.get(prefixes + 3..)?.first_chunk()?);
            let length = u8::try_from(prefixes + 11).ok()?;
            let insn = Insn { length, flow: Flow::Jump(target), marks: Marks::NONE };
            return Some(Apx { insn, simple: None, written: Registers::NONE, name: Some("jmpabs") });
        }
        // Undefined with REX2.
        (false, 0x0f | 0x40..=0x4f | 0x70..=0x7f | 0xa0..=0xaf | 0xe0..=0xef) => return None,
        (true, 0x30..=0x3f | 0x80..=0x8f) => return None,
        _ => {}
    }
    let first = [0x0f, opcode];
    let form = Form {
        prefixes: code.get(..prefixes)?,
        wide: bit(3),
        extension,
        opcode: if is_second { &first } else { &first[1..] },
        rest: code.get(prefixes + 3..)?,
        shorter: usize::from(!is_second),
        pc,
    };
    let name = match (is_second, opcode, bit(3)) {
        (false, 0x50..=0x57, true) => Some("pushp"),
        (false, 0x58..=0x5f, true) => Some("popp"),
        _ => None,
    };
    form.decode().map(|apx| Apx { name, ..apx })
}

/// The fields of an EVEX prefix of four bytes, ModRM included.
#[derive(Clone, Copy)]
struct Evex {
    map: u8,
    prefix: u8,
    wide: bool,
    extension: Extension,
    /// The register in `vvvv`.
    v: u8,
    /// A new destination, in `v`.
    has_new: bool,
    opcode: u8,
    modrm: u8,
}

impl Evex {
    /// The register in ModRM.reg, and the one in ModRM.rm if it is no memory operand.
    fn operands(&self) -> (u8, Option<u8>) {
        let Extension { third, fourth } = self.extension;
        let reg = number(self.modrm >> 3, third[0], fourth[0]);
        (reg, (self.modrm >> 6 == 3).then(|| number(self.modrm, third[2], fourth[2])))
    }
}

/// An instruction with an EVEX prefix that has operands of APX.
fn evex(code: &[u8], prefixes: usize, pc: u64) -> Option<Apx> {
    let bytes = code.get(prefixes..)?;
    let [_, first, second, third, opcode, modrm, ..] = *bytes else { return None };
    let bit = |byte: u8, number: u8| byte >> number & 1 != 0;
    let evex = Evex {
        map: first & 7,
        prefix: second & 3,
        wide: bit(second, 7),
        extension: Extension {
            third: [!bit(first, 7), !bit(first, 6), !bit(first, 5)],
            fourth: [!bit(first, 4), !bit(second, 2), bit(first, 3)],
        },
        v: (!(second >> 3) & 15) | u8::from(!bit(third, 3)) << 4,
        has_new: bit(third, 4),
        opcode,
        modrm,
    };
    match evex.map {
        4 => promoted(&evex, bytes, prefixes, pc),
        // BMI, CMPccXADD, AMX; KMOV; RORX.
        1 if matches!(opcode, 0x90..=0x93) => general(&evex, bytes, prefixes, 0),
        2 if matches!(opcode, 0x49 | 0x4b | 0x5e | 0xe0..=0xef | 0xf2 | 0xf3 | 0xf5..=0xf7) => {
            general(&evex, bytes, prefixes, 0)
        }
        3 if opcode == 0xf0 => general(&evex, bytes, prefixes, 1),
        // A vector instruction whose memory operand has a register of APX.
        1..=3 | 5 | 6 => {
            let mut plain = code.get(..LONGEST.min(code.len()))?.to_vec();
            *plain.get_mut(prefixes + 1)? &= !8;
            *plain.get_mut(prefixes + 2)? |= 4;
            let mut decoding = Decoding::new(&plain, pc);
            let instruction = decoding.at(0)?;
            Some(Apx { insn: insn(instruction)?, simple: None, written: written_by(instruction), name: None })
        }
        _ => None,
    }
}

/// An instruction that is encoded in map 4: a general one, with more operands or registers.
fn promoted(evex: &Evex, bytes: &[u8], prefixes: usize, pc: u64) -> Option<Apx> {
    let (_, rm) = evex.operands();
    let middle = evex.modrm >> 3 & 7;
    if evex.has_new && ((evex.opcode, middle) == (0xff, 6) || (evex.opcode, middle) == (0x8f, 0)) {
        return two(evex, rm?, prefixes);
    }
    // With 64-bit operands the prefix 66 does not count.
    let sized = usize::from(if evex.prefix == 1 && !evex.wide { 2_u8 } else { 4 });
    let constant = match (evex.opcode, middle) {
        (0x80 | 0x83 | 0x6b | 0xc0 | 0xc1 | 0x24 | 0x2c, _) | (0xf6, 0 | 1) => 1,
        (0x81 | 0x69, _) | (0xf7, 0 | 1) => sized,
        _ => 0,
    };
    let apx = general(evex, bytes, prefixes, constant)?;
    // CCMP and CTEST compare on a condition.
    let compares = match evex.opcode {
        0x38..=0x3b | 0x84 | 0x85 => true,
        0x80 | 0x81 | 0x83 => middle == 7,
        0xf6 | 0xf7 => middle < 2,
        _ => false,
    };
    if compares {
        let insn = Insn { marks: Marks::NONE, ..apx.insn };
        return Some(Apx { insn, simple: Some(nothing()), written: Registers::NONE, name: None });
    }
    let opcode: &[u8] = match evex.opcode {
        0x24 => &[0x0f, 0xa4],
        0x2c => &[0x0f, 0xac],
        0xa5 | 0xad | 0xaf => &[0x0f, evex.opcode],
        0x00..=0x3b if evex.opcode & 4 == 0 => &[evex.opcode],
        0x69 | 0x6b | 0x80 | 0x81 | 0x83 | 0xc0 | 0xc1 | 0xd0..=0xd3 | 0xf6 | 0xf7 | 0xfe | 0xff => &[evex.opcode],
        _ => return Some(apx),
    };
    let legacy: &[u8] = if evex.prefix == 1 { &[0x66] } else { &[] };
    let form = Form {
        prefixes: legacy,
        wide: evex.wide,
        extension: evex.extension,
        opcode,
        rest: bytes.get(5..)?,
        shorter: 0,
        pc,
    };
    let plain = form.decode()?;
    if !evex.has_new {
        return Some(Apx { insn: Insn { length: apx.insn.length, ..plain.insn }, ..plain });
    }
    let to = register(evex.v);
    let computed = plain.simple.and_then(|simple| with_destination(simple, to));
    let written = Registers::one(to);
    // With the same destination it is the plain form; a constant moves SP from SP or FP.
    let moves = match computed {
        Some(Simple { does: Does::Computes(_), .. }) => plain.insn.marks,
        Some(Simple { does: Does::ComputesInto(_, first), from: Operand::Value(_), .. }) => {
            Marks::MOVES_SP.when(evex.v == RSP && [RSP, RBP].map(register).contains(&first))
        }
        _ => Marks::NONE,
    };
    let insn = Insn { marks: marks_of(written).and(moves), ..apx.insn };
    Some(Apx { insn, simple: computed, written, name: None })
}

/// An operation with another destination, if it is simple then. Flags are set as without the new
/// destination, although the instruction may leave them alone.
fn with_destination(Simple { does, size, to, from }: Simple, new: Reg) -> Option<Simple> {
    let (Does::Computes(operation), Operand::Register(first)) = (does, to) else { return None };
    let does = if first == new { does } else { Does::ComputesInto(operation, first) };
    // Narrower destinations are extended with zeroes.
    let is_wide = matches!(size, Size::Four | Size::Eight);
    is_wide.then_some(Simple { does, size, to: Operand::Register(new), from })
}

/// PUSH2 and POP2: the register in `v` is first.
fn two(evex: &Evex, rm: u8, prefixes: usize) -> Option<Apx> {
    let (first, second) = (register(evex.v), register(rm));
    let both = Registers::one(first).and(Registers::one(second));
    let sp = Registers::one(register(RSP));
    let pushes = evex.opcode == 0xff;
    let fp = both.has(register(RBP));
    let marks = Marks::WRITES_SP.and(Marks::MOVES_SP);
    let does = if pushes { Does::PushesTwo } else { Does::PopsTwo };
    let marks = marks.and(if pushes { Marks::SAVES.when(fp) } else { Marks::WRITES_FP.when(fp) });
    let insn = Insn { length: u8::try_from(prefixes + 6).ok()?, flow: Flow::Next, marks };
    let simple = Simple { does, size: Size::Eight, to: Operand::Register(second), from: Operand::Register(first) };
    let name = match (pushes, evex.wide) {
        (true, false) => "push2",
        (true, true) => "push2p",
        (false, false) => "pop2",
        (false, true) => "pop2p",
    };
    let written = if pushes { sp } else { sp.and(both) };
    Some(Apx { insn, simple: Some(simple), written, name: Some(name) })
}

/// An instruction of which the length is known, with constants of some bytes: it may write each
/// register that it names.
fn general(evex: &Evex, bytes: &[u8], prefixes: usize, constant: usize) -> Option<Apx> {
    let (reg, rm) = evex.operands();
    let sib = evex.modrm >> 6 != 3 && evex.modrm & 7 == 4;
    let base = if sib { *bytes.get(6)? & 7 } else { evex.modrm & 7 };
    let displacement = match evex.modrm >> 6 {
        0 if base == 5 => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    let length = 6 + usize::from(sib) + displacement + constant;
    bytes.get(..length)?;
    let to_v = if evex.map == 4 && !evex.has_new { None } else { Some(evex.v) };
    let all = [Some(reg), rm, to_v].into_iter().flatten().map(register);
    let written = all.fold(Registers::NONE, |all, one| all.and(Registers::one(one)));
    let length = u8::try_from(prefixes + length).ok().filter(|length| usize::from(*length) <= LONGEST)?;
    let insn = Insn { length, flow: Flow::Next, marks: marks_of(written) };
    Some(Apx { insn, simple: None, written, name: None })
}

fn marks_of(written: Registers) -> Marks {
    let sp = Marks::WRITES_SP.when(written.has(register(RSP)));
    sp.and(Marks::WRITES_FP.when(written.has(register(RBP))))
}

fn nothing() -> Simple {
    Simple { does: Does::Nothing, size: Size::Eight, to: Operand::Value(0), from: Operand::Value(0) }
}
