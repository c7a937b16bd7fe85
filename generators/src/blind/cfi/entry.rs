//! The entries of `.eh_frame`: common and frame description entries (LSB 5.0 core, 10.6.1).

use types::{Abi, PacKey};

use super::pointer::{self, Encoding};
use super::program::{self, Program};
use super::{CfiFlaw, Field, Function, Shared, Whole};
use crate::eh_frame::Factors;
use crate::reader::cursor::Cursor;

/// A CIE: the common data of its functions.
#[derive(Clone, Debug)]
pub(super) struct Cie {
    /// Address of the section.
    pub(super) section: u64,
    pub(super) code_alignment: u64,
    pub(super) data_alignment: i64,
    /// Encoding of the functions' addresses, `R`.
    pub(super) pointers: Encoding,
    /// The target signs return addresses.
    pub(super) signs: bool,
    ra: u64,
    /// `B`: signed with that key.
    key: PacKey,
    /// Frames are signal frames, `S`.
    signal: bool,
    /// FDEs have augmentation data, `z`.
    augmented: bool,
    /// Offsets of the first byte of the initial instructions, and after the last.
    instructions: (u64, u64),
    fields: Vec<Field>,
}

/// The body of an entry, after its length.
struct Body {
    /// Offset of the entry.
    at: u64,
    /// Offset of the identifying word.
    id_at: u64,
    id: u64,
    /// Offset of the data after the identifying word; `end` is the offset after the entry.
    rest: u64,
    end: u64,
}

impl Body {
    /// The fields that every entry begins with, under their names.
    fn fields(&self, length: &'static str, id: &'static str) -> Vec<Field> {
        let field = |name, at, end: u64| Field { name, at, size: end.saturating_sub(at) };
        vec![field(length, self.at, self.id_at), field(id, self.id_at, self.rest)]
    }
}

/// Size in bytes of a terminator: a length of 0.
const TERMINATOR: u64 = 4;

/// All functions of a section at an address, and unreadable entries.
pub(super) fn entries(abi: Abi, bytes: &[u8], section: u64) -> (Vec<Function>, Vec<(u64, CfiFlaw)>) {
    let whole = Cursor::new(abi.facts().order, bytes, 0);
    let (mut functions, mut flaws, mut next) = (Vec::new(), Vec::new(), 0);
    while !whole.to(next).is_at_end() {
        let body = match body(whole.to(next)) {
            Ok(Some(body)) => body,
            // A reader that walks the section stops here, and one that searches does not.
            Ok(None) => {
                next += TERMINATOR;
                continue;
            }
            Err(flaw) => {
                flaws.push((next, flaw));
                break;
            }
        };
        next = body.end;
        let read = match body.id {
            0 => cie(abi, whole, &body, section).map(|_| None),
            _ => fde(abi, whole, &body, section).map(Some),
        };
        match read {
            Ok(function) => functions.extend(function),
            Err(flaw) => flaws.push((body.at, flaw)),
        }
    }
    (functions, flaws)
}

/// The body of the next entry; `None` for the terminator.
fn body(mut cursor: Cursor<'_>) -> Result<Option<Body>, CfiFlaw> {
    let at = cursor.at();
    let (length, wide) = match cursor.unsigned(4).ok_or(CfiFlaw::Truncated)? {
        0 => return Ok(None),
        0xffff_ffff => (cursor.unsigned(8).ok_or(CfiFlaw::Truncated)?, true),
        length => (length, false),
    };
    let id_at = cursor.at();
    let end = id_at.checked_add(length).ok_or(CfiFlaw::Truncated)?;
    let mut inside = cursor.until(end).ok_or(CfiFlaw::Truncated)?;
    let id = inside.unsigned(if wide { 8 } else { 4 }).ok_or(CfiFlaw::Truncated)?;
    Ok(Some(Body { at, id_at, id, rest: inside.at(), end }))
}

fn cie(abi: Abi, whole: Cursor<'_>, body: &Body, section: u64) -> Result<Cie, CfiFlaw> {
    let mut cursor = whole.to(body.rest).until(body.end).ok_or(CfiFlaw::Truncated)?;
    let mut fields = body.fields("length", "id");
    let mut add = |name, from: u64, to: u64| fields.push(Field { name, at: from, size: to.saturating_sub(from) });
    let version = cursor.unsigned(1).ok_or(CfiFlaw::Truncated)?;
    if ![1, 3, 4].contains(&version) {
        return Err(CfiFlaw::Version);
    }
    add("version", body.rest, cursor.at());
    let letters_at = cursor.at();
    let augmentation = cursor.string().ok_or(CfiFlaw::Truncated)?;
    add("augmentation", letters_at, cursor.at());
    if version == 4 && (cursor.unsigned(1), cursor.unsigned(1)) != (Some(8), Some(0)) {
        return Err(CfiFlaw::Version);
    }
    let factors_at = cursor.at();
    let code_alignment = cursor.uleb().ok_or(CfiFlaw::Truncated)?;
    let data_at = cursor.at();
    let data_alignment = cursor.sleb().ok_or(CfiFlaw::Truncated)?;
    let ra_at = cursor.at();
    let ra = if version == 1 { cursor.unsigned(1) } else { cursor.uleb() }.ok_or(CfiFlaw::Truncated)?;
    add("code alignment factor", factors_at, data_at);
    add("data alignment factor", data_at, ra_at);
    add("return address register", ra_at, cursor.at());
    let mut cie = Cie {
        section,
        code_alignment,
        data_alignment,
        pointers: Encoding::ABSOLUTE,
        signs: abi.facts().pointer_authentication,
        ra,
        key: PacKey::A,
        signal: false,
        augmented: false,
        instructions: (0, body.end),
        fields: Vec::new(),
    };
    let mut letters = augmentation.iter();
    if let Some(first) = letters.next() {
        if *first != b'z' {
            return Err(CfiFlaw::Augmentation);
        }
        cie.augmented = true;
        let length_at = cursor.at();
        let length = cursor.uleb().ok_or(CfiFlaw::Truncated)?;
        add("augmentation length", length_at, cursor.at());
        let end = cursor.at().checked_add(length).filter(|end| *end <= body.end).ok_or(CfiFlaw::Truncated)?;
        let mut data = cursor.until(end).ok_or(CfiFlaw::Truncated)?;
        for letter in letters {
            let at = data.at();
            let mut byte = || data.unsigned(1).and_then(|byte| u8::try_from(byte).ok()).ok_or(CfiFlaw::Truncated);
            match letter {
                b'R' => {
                    cie.pointers = Encoding::from_byte(byte()?).ok_or(CfiFlaw::Encoding)?;
                    add("pointer encoding", at, at + 1);
                }
                b'P' => {
                    let encoding = byte()?;
                    pointer::skip(encoding, &mut data).ok_or(CfiFlaw::Encoding)?;
                }
                b'L' => {
                    byte()?;
                }
                b'S' => cie.signal = true,
                b'B' if cie.signs => cie.key = PacKey::B,
                _ => return Err(CfiFlaw::Augmentation),
            }
        }
        cursor = cursor.to(end);
    }
    cie.instructions.0 = cursor.at();
    cie.fields = fields;
    Ok(cie)
}

fn fde(abi: Abi, whole: Cursor<'_>, body: &Body, section: u64) -> Result<Function, CfiFlaw> {
    let cie_at = body.id_at.checked_sub(body.id).ok_or(CfiFlaw::CiePointer)?;
    let cie_body = self::body(whole.to(cie_at)).ok().flatten().filter(|body| body.id == 0);
    let cie = cie(abi, whole, &cie_body.ok_or(CfiFlaw::CiePointer)?, section)?;
    let mut cursor = whole.to(body.rest).until(body.end).ok_or(CfiFlaw::Truncated)?;
    let mut fields = body.fields("length", "CIE pointer");
    let mut add = |name, from: u64, to: u64| fields.push(Field { name, at: from, size: to.saturating_sub(from) });
    let start = cie.pointers.read(&mut cursor, section).ok_or(CfiFlaw::Truncated)?;
    add("start", body.rest, cursor.at());
    let size_at = cursor.at();
    let size = cie.pointers.size(&mut cursor).ok_or(CfiFlaw::Truncated)?;
    add("size", size_at, cursor.at());
    let end = start.checked_add(size).ok_or(CfiFlaw::Location)?;
    if cie.augmented {
        let length_at = cursor.at();
        let length = cursor.uleb().ok_or(CfiFlaw::Truncated)?;
        add("augmentation length", length_at, cursor.at());
        cursor.take(length).ok_or(CfiFlaw::Truncated)?;
    }
    let (from, to) = cie.instructions;
    let initial = whole.to(from).until(to).ok_or(CfiFlaw::Truncated)?;
    let Program { rows, initial, own } = program::rows(&cie, start, initial, cursor)?;
    Ok(Function {
        at: body.at,
        size: body.end.saturating_sub(body.at),
        start,
        end,
        whole: Whole { ra: cie.ra, key: cie.key, signal: cie.signal },
        rows,
        instructions: own,
        fields,
        cie: Shared {
            fields: cie.fields,
            instructions: initial,
            factors: Factors { code: cie.code_alignment, data: cie.data_alignment },
        },
    })
}
