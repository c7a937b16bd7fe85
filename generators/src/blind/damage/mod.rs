//! Damage: random replacement of bytes in a file, by a seed. It knows the layout of tables, but not
//! what makes them wrong.

mod container;
mod frames;
mod hdr;
mod sframe;
mod value;

use types::ByteOrder;

use super::effect::DamagedPart;
use super::elf::{Section, store};
use super::view::View;
use crate::reader::cursor::Cursor;
use types::Rng;

pub(super) use value::another;

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Offset of the first byte to replace.
    pub at: u64,
    /// The new bytes; their number is the number of bytes to replace.
    pub bytes: Vec<u8>,
}

impl Edit {
    fn new(at: u64, bytes: Vec<u8>) -> Self {
        Edit { at, bytes }
    }
}

/// Damage to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub target: DamagedPart,
    /// The kind of damage, kebab-case: `row-word-0`, `both-late`.
    pub operator: String,
    /// Description, with offsets in the section.
    pub what: String,
    /// The replacements, with offsets in the file; none if the file was made anew.
    pub edits: Vec<Edit>,
}

/// A change of bytes, with offsets in its [`Spot`].
struct Change {
    operator: String,
    what: String,
    edits: Vec<Edit>,
}

impl Change {
    fn new(operator: &str, what: String, edits: Vec<Edit>) -> Change {
        Change { operator: operator.replace(' ', "-"), what, edits }
    }

    /// The change as one of a part: of its operator, and of its description.
    fn of(self, operator: &str, what: &str) -> Change {
        let Change { operator: own, what: detail, edits } = self;
        Change::new(&format!("{operator}-{own}"), format!("{what} {detail}"), edits)
    }
}

/// A numeric field by its position.
#[derive(Clone, Copy, Debug)]
struct Field {
    name: &'static str,
    at: u64,
    /// Size in bytes.
    size: u64,
}

/// The bytes to damage: a section, or a file.
struct Spot<'a> {
    order: ByteOrder,
    bytes: &'a [u8],
    /// Relocations fill in some fields.
    relocated: bool,
}

/// Maximum number of draws, since a drawn kind may not apply to the file.
const MOST_DRAWS: usize = 64;

/// Draws damage that changes at least one byte. `None` if nothing can be damaged.
pub(super) fn draw(view: &View, file: &[u8], rng: &mut Rng) -> Option<Damage> {
    (0..MOST_DRAWS).find_map(|_| once(view, file, rng))
}

fn once(view: &View, file: &[u8], rng: &mut Rng) -> Option<Damage> {
    let order = view.abi().facts().order;
    let search = view.hdr.as_ref().filter(|hdr| hdr.usual && rng.one_in(4));
    let (target, Change { operator, what, edits }, base) = if let Some(hdr) = search {
        hdr::damage(&Spot { order, bytes: file, relocated: false }, view, hdr, rng)?
    } else {
        tables(view, file, rng)?
    };
    let edits: Vec<Edit> = edits.into_iter().map(|edit| Edit { at: edit.at + base, ..edit }).collect();
    let damaged = apply(file, &edits)?;
    (damaged != file).then_some(Damage { target, operator, what, edits })
}

/// Damage to a table or the headers around it, and the file offset that the edits' offsets are
/// relative to.
fn tables(view: &View, file: &[u8], rng: &mut Rng) -> Option<(DamagedPart, Change, u64)> {
    let order = view.abi().facts().order;
    let inside = |section: &Section| {
        let bytes = view.file.raw(file, section)?;
        Some((Spot { order, bytes, relocated: view.file.relocatable }, section.offset))
    };
    Some(match rng.below(20) {
        0..2 => {
            let spot = Spot { order, bytes: file, relocated: false };
            let drawn = container::damage(&spot, &view.file, view.sframe.as_ref()?.section, rng)?;
            (DamagedPart::Container, drawn, 0)
        }
        2..6 => {
            let (spot, base) = inside(view.file.sections.get(view.file.named(b".eh_frame")?)?)?;
            let change = frames::damage(&spot, view.cfi.as_ref()?, rng)?;
            (DamagedPart::EhFrame, Change { operator: format!("eh-{}", change.operator), ..change }, base)
        }
        _ => {
            let sframe = view.sframe.as_ref()?;
            let (spot, base) = inside(view.file.sections.get(sframe.section)?)?;
            (DamagedPart::Sframe, sframe::damage(&spot, sframe.anatomy.as_ref()?, rng)?, base)
        }
    })
}

/// Applies edits to a file. `None` if one is out of bounds.
pub(super) fn apply(file: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut bytes = file.to_vec();
    for edit in edits {
        let at = usize::try_from(edit.at).ok()?;
        bytes.get_mut(at..at.checked_add(edit.bytes.len())?)?.copy_from_slice(&edit.bytes);
    }
    Some(bytes)
}

impl Spot<'_> {
    fn read(&self, at: u64, size: u64) -> Option<u64> {
        Cursor::new(self.order, self.bytes, at).unsigned(size)
    }

    fn slice(&self, from: u64, to: u64) -> Option<Vec<u8>> {
        Cursor::new(self.order, self.bytes, from).take(to.checked_sub(from)?).map(<[u8]>::to_vec)
    }

    fn put(&self, bytes: &mut [u8], at: u64, value: u64, size: u64) -> Option<()> {
        store(self.order, bytes, at, value, usize::try_from(size).ok()?)
    }

    /// Changes a byte in a range.
    fn byte(&self, rng: &mut Rng, from: u64, to: u64) -> Option<Change> {
        let at = from + rng.below(to.checked_sub(from).filter(|size| *size > 0)?);
        self.change(rng, &Field { name: "byte", at, size: 1 }, &[])
    }

    /// Changes an aligned word of 2, 4 or 8 bytes in a range.
    fn word(&self, rng: &mut Rng, from: u64, to: u64) -> Option<Change> {
        let size = rng.pick(&[2, 4, 4, 8]);
        let count = to.checked_sub(from)? / size;
        let at = from + rng.below(Some(count).filter(|count| *count > 0)?) * size;
        self.change(rng, &Field { name: "word", at, size }, &[])
    }

    fn change(&self, rng: &mut Rng, field: &Field, others: &[u64]) -> Option<Change> {
        let Field { name, at, size } = *field;
        let value = self.read(at, size)?;
        let other = another(rng, value, size, others);
        let mut bytes = self.slice(at, at.checked_add(size)?)?;
        self.put(&mut bytes, 0, other, size)?;
        let what = format!("{name} at {at:#x}: {value:#x} -> {other:#x}");
        Some(Change::new(name, what, vec![Edit::new(at, bytes)]))
    }
}
