//! The entries of an `.eh_frame`, of which some, or bytes of their instructions, can be removed
//! (DWARF 5, 6.4.1; LSB Core 5.0, 10.6.1).

use std::collections::BTreeSet;

use types::{ByteOrder, PointerEncoding, uleb128};

/// DW_EH_PE_pcrel, and the part of an encoding that it is in.
const PCREL: (u8, u8) = (0x10, 0x70);

/// A section as entries.
#[derive(Clone, Debug)]
pub(super) struct Entries<'b> {
    bytes: &'b [u8],
    order: ByteOrder,
    /// The entries, ascending.
    pub(super) all: Vec<Entry>,
    /// Offset of what follows them: the terminator.
    end: usize,
}

/// A CIE or an FDE.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Offset in the section.
    at: usize,
    /// Offset after the length.
    id: usize,
    /// Offset of the instructions.
    pub(super) program: usize,
    /// Offset after the entry.
    pub(super) end: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A CIE, with the encoding of its functions' start addresses, and true if there is
    /// augmentation data.
    Cie { encoding: u8, has_data: bool },
    /// An FDE, with the offset of its CIE, and the width of a start address that is relative to
    /// itself.
    Fde { cie: usize, relative: Option<usize> },
}

impl<'b> Entries<'b> {
    /// Finds the entries; `None` if their bounds are unclear, or they cannot be moved.
    pub(super) fn new(bytes: &'b [u8], order: ByteOrder) -> Option<Entries<'b>> {
        let mut found = Entries { bytes, order, all: Vec::new(), end: 0 };
        loop {
            match found.number(found.end, 4) {
                None | Some(0) => return Some(found),
                Some(length) => {
                    let entry = found.entry(found.end, length)?;
                    found.end = entry.end;
                    found.all.push(entry);
                }
            }
        }
    }

    /// The section without some entries, by their position, and without some bytes, by their
    /// offset. `None` if an FDE would have no CIE.
    pub(super) fn without(&self, entries: &BTreeSet<usize>, bytes: &BTreeSet<usize>) -> Option<Vec<u8>> {
        let mut out: Vec<u8> = Vec::with_capacity(self.bytes.len());
        // The old and the new offset of each CIE.
        let mut cies: Vec<(usize, usize)> = Vec::new();
        for (_, entry) in self.all.iter().enumerate().filter(|(index, _)| !entries.contains(index)) {
            let at = out.len();
            let id = at + (entry.id - entry.at);
            let kept = (entry.at..entry.end).filter(|offset| !bytes.contains(offset));
            out.extend(kept.filter_map(|offset| self.bytes.get(offset)));
            // The length is before the identifier, in 4 or in 8 bytes.
            let width = if id - at == 4 { 4 } else { 8 };
            let length = (out.len() - id) as u64;
            self.put(&mut out, id - width, width, length)?;
            match entry.kind {
                Kind::Cie { .. } => cies.push((entry.at, at)),
                Kind::Fde { cie, relative } => {
                    let (_, moved) = cies.iter().find(|(old, _)| *old == cie)?;
                    self.put(&mut out, id, 4, (id - moved) as u64)?;
                    if let Some(width) = relative {
                        let by = (entry.id as u64).wrapping_sub(id as u64);
                        let start = self.number(entry.id + 4, width)?.wrapping_add(by);
                        self.put(&mut out, id + 4, width, start)?;
                    }
                }
            }
        }
        out.extend(self.bytes.get(self.end..)?);
        Some(out)
    }

    fn entry(&self, at: usize, length: u64) -> Option<Entry> {
        let (id, length) = match length {
            0xffff_ffff => (at + 12, self.number(at + 4, 8)?),
            length => (at + 4, length),
        };
        let end = id.checked_add(usize::try_from(length).ok()?)?;
        let value = self.number(id, 4).filter(|_| end <= self.bytes.len())? as usize;
        if value == 0 {
            let (program, encoding, has_data) = self.cie(id + 4)?;
            let kind = Kind::Cie { encoding, has_data };
            return (program <= end).then_some(Entry { at, id, program, end, kind });
        }
        let cie = id.checked_sub(value)?;
        let kind = self.all.iter().find(|entry| entry.at == cie)?.kind;
        let Kind::Cie { encoding, has_data } = kind else { return None };
        let width = width(encoding)?;
        let mut program = id + 4 + 2 * width;
        if has_data {
            let (length, next) = self.uleb(program)?;
            program = next.checked_add(usize::try_from(length).ok()?)?;
        }
        let relative = (encoding & PCREL.1 == PCREL.0).then_some(width);
        (program <= end).then_some(Entry { at, id, program, end, kind: Kind::Fde { cie, relative } })
    }

    /// Offset of the instructions of a CIE, the encoding of start addresses, and true if there is
    /// augmentation data. `at` is the offset of its version.
    fn cie(&self, at: usize) -> Option<(usize, u8, bool)> {
        let version = *self.bytes.get(at)?;
        let text = self.bytes.get(at + 1..)?;
        let letters = text.get(..text.iter().position(|byte| *byte == 0)?)?;
        let sizes = if version == 4 { 2 } else { 0 };
        let (_, next) = self.uleb(at + 1 + letters.len() + 1 + sizes)?;
        let (_, column) = self.uleb(next)?;
        let after = if version == 1 { column + 1 } else { self.uleb(column)?.1 };
        let Some(letters) = letters.strip_prefix(b"z") else {
            return letters.is_empty().then_some((after, 0, false));
        };
        let (length, mut data) = self.uleb(after)?;
        let program = data.checked_add(usize::try_from(length).ok()?)?;
        let mut encoding = 0;
        for letter in letters {
            match letter {
                b'R' => {
                    encoding = *self.bytes.get(data)?;
                    data += 1;
                }
                b'L' => data += 1,
                b'P' => data += 1 + width(*self.bytes.get(data)?)?,
                _ => {}
            }
        }
        Some((program, encoding, true))
    }

    /// A number, and the offset after it.
    fn uleb(&self, at: usize) -> Option<(u64, usize)> {
        let (value, size) = uleb128(self.bytes.get(at..)?)?;
        Some((value, at + size))
    }

    fn number(&self, at: usize, width: usize) -> Option<u64> {
        Some(self.order.number(self.bytes.get(at..at.checked_add(width)?)?))
    }

    fn put(&self, out: &mut [u8], at: usize, width: usize, value: u64) -> Option<()> {
        self.order.store(out.get_mut(at..at.checked_add(width)?)?, value);
        Some(())
    }
}

/// Size in bytes of a pointer in an encoding; `None` if its size depends on its value or place.
fn width(encoding: u8) -> Option<usize> {
    // DW_EH_PE_aligned.
    PointerEncoding(encoding).size().filter(|_| encoding != 0x50)
}

#[cfg(test)]
mod tests {
    use generators::vectors;
    use readers::corpus::AnswerLine;
    use readers::{OwnReader, SectionInput};
    use types::Abi;

    use super::*;

    /// Without its first functions, and without padding, a section describes the last function as
    /// before: in each encoding that can be moved.
    #[test]
    fn what_is_left_keeps_its_meaning() {
        let mut cut = 0;
        for vector in vectors::eh_frame("valid/eh-frame-").into_iter().filter(|vector| !vector.has.empty) {
            let Some(entries) = Entries::new(&vector.bytes, vector.abi.facts().order) else { continue };
            let fdes = |entry: &&Entry| matches!(entry.kind, Kind::Fde { .. });
            let fdes_of: Vec<usize> = (0..entries.all.len()).filter(|at| fdes(&&entries.all[*at])).collect();
            let [first, .., last] = fdes_of[..] else { continue };
            let is_padding =
                |offset: &usize| vector.bytes[*offset..entries.all[last].end].iter().all(|byte| *byte == 0);
            let padding = (entries.all[last].program..entries.all[last].end).filter(is_padding).collect();
            let Some(left) = entries.without(&BTreeSet::from([first]), &padding) else { continue };
            assert!(left.len() < vector.bytes.len());
            let rows = |bytes: &[u8]| {
                let input = SectionInput { bytes: bytes.to_vec(), ..SectionInput::from(&vector) };
                let reader = OwnReader::new(&input).expect("a section");
                vector.answers.iter().map(|answer| reader.row(answer.pc)).collect::<Vec<_>>()
            };
            let (before, after) = (rows(&vector.bytes), rows(&left));
            // Of which gimli reads no function: reports/known/readers/gimli-*.yaml.
            if before.iter().all(|line| matches!(line, AnswerLine::Err | AnswerLine::None)) {
                continue;
            }
            assert!(before.iter().zip(&after).all(|(b, a)| a == b || *a == AnswerLine::None), "{}", vector.id);
            assert!(after.iter().any(|line| *line != AnswerLine::None), "{}", vector.id);
            cut += 1;
        }
        assert!(cut > 100, "{cut}");
        assert!(Entries::new(&[4, 0, 0, 0, 9, 0, 0, 0], Abi::Amd64.facts().order).is_none(), "an FDE without a CIE");
    }
}
