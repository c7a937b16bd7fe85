//! Builders for sections written field by field, and for files that contain them, for the tests of
//! rules.

use types::{Abi, Bytes, Image, ImageKind, ImageSection, Pc, Relocation, Segment};

use crate::examples::FUNCTION;

/// A section to write. Layout constants are from the specification, not from the reader.
pub(crate) struct Spec {
    pub(crate) version: u8,
    pub(crate) flags: u8,
    pub(crate) abi: u8,
    pub(crate) functions: Vec<Func>,
}

/// A function to write.
#[derive(Clone)]
pub(crate) struct Func {
    pub(crate) start: u64,
    pub(crate) size: u32,
    pub(crate) count: u32,
    pub(crate) info: u8,
    pub(crate) info2: u8,
    pub(crate) rep: u8,
    pub(crate) rows: Vec<u8>,
    /// Overrides the offset of the rows in the FRE sub-section.
    pub(crate) fre_off: Option<u32>,
}

impl Func {
    pub(crate) fn new(start: u64, size: u32, count: u32, rows: &[u8]) -> Func {
        Func { start, size, count, info: 0, info2: 0, rep: 0, rows: rows.to_vec(), fre_off: None }
    }
}

impl Spec {
    pub(crate) fn new(version: u8, abi: u8, functions: Vec<Func>) -> Spec {
        Spec { version, flags: if version == 1 { 1 } else { 5 }, abi, functions }
    }

    /// Bytes of the section at an address.
    pub(crate) fn bytes(&self, address: u64) -> Vec<u8> {
        let big = self.abi == 1 || self.abi == 4;
        let int = |value: i64, width: usize| {
            let bytes = value.to_le_bytes()[..width].to_vec();
            if big { bytes.into_iter().rev().collect() } else { bytes }
        };
        let entry = [17, 20, 16][usize::from(self.version) - 1];
        let (mut table, mut area) = (Vec::new(), Vec::new());
        for (index, function) in self.functions.iter().enumerate() {
            let field = address + 28 + (index * entry) as u64;
            let base = if self.flags & 4 != 0 { field } else { address };
            let start = function.start.wrapping_sub(base) as i64;
            let fre_off = function.fre_off.map_or(area.len() as i64, i64::from);
            table.extend(int(start, if self.version == 3 { 8 } else { 4 }));
            table.extend(int(i64::from(function.size), 4));
            table.extend(int(fre_off, 4));
            if self.version == 3 {
                area.extend(int(i64::from(function.count), 2));
                area.extend([function.info, function.info2, function.rep]);
            } else {
                table.extend(int(i64::from(function.count), 4));
                table.push(function.info);
            }
            if self.version == 2 {
                table.extend([function.rep, 0, 0]);
            }
            area.extend(&function.rows);
        }
        let rows: u32 = self.functions.iter().map(|function| function.count).sum();
        let mut bytes: Vec<u8> = int(0xdee2, 2);
        bytes.extend([self.version, self.flags, self.abi, 0, if self.abi == 3 { 0xf8 } else { 0 }, 0]);
        for value in [self.functions.len(), rows as usize, area.len(), 0, table.len()] {
            bytes.extend(int(value as i64, 4));
        }
        bytes.extend(table);
        bytes.extend(area);
        bytes
    }
}

pub(crate) const SFRAME_TYPE: u32 = 0x6fff_fff4;
pub(crate) const SFRAME_SEGMENT: u32 = 0x6474_e554;
/// PT_LOAD.
const LOAD_SEGMENT: u32 = 1;

pub(crate) fn section(index: usize, name: &str, kind: u32, flags: u64, address: u64, bytes: Vec<u8>) -> ImageSection {
    ImageSection {
        index,
        name: name.to_owned(),
        kind,
        flags,
        address,
        file_offset: address,
        align: 8,
        size: bytes.len() as u64,
        bytes: bytes.into(),
        original: None,
        comdat: false,
    }
}

/// Size of `.text`, which begins at the examples' function.
const TEXT_SIZE: usize = 0x1000;

/// An executable with 4 KiB of `.text` at 0x1000 and a section at address 0.
pub(crate) fn linked(abi: Abi, bytes: Vec<u8>) -> Image {
    let sframe = section(2, ".sframe", SFRAME_TYPE, 2, 0, bytes);
    let segment = Segment {
        kind: SFRAME_SEGMENT,
        flags: 4,
        address: 0,
        memory_size: sframe.size,
        file_offset: 0,
        file_size: sframe.size,
        bytes: Bytes::new(),
    };
    Image {
        name: "a.out".to_owned(),
        abi,
        kind: ImageKind::Executable,
        entry: Pc(FUNCTION),
        sections: vec![section(1, ".text", 1, 6, FUNCTION, vec![0; TEXT_SIZE]), sframe],
        segments: vec![
            segment.clone(),
            Segment { kind: LOAD_SEGMENT, memory_size: 0x1_0000, file_size: 0x1_0000, ..segment },
        ],
        symbols: Vec::new(),
        sframe_relocations: Vec::new(),
        unresolved: Vec::new(),
        source_files: 0,
        bias: 0,
    }
}

/// An object file with the same sections, and a relocation on each start field that refers to the
/// function.
pub(crate) fn object(abi: Abi, spec: &Spec) -> Image {
    let mut image = linked(abi, spec.bytes(0));
    image.kind = ImageKind::Relocatable;
    image.segments.clear();
    let entry = [17, 20, 16][usize::from(spec.version) - 1];
    let (four_bytes, eight_bytes) = match abi {
        Abi::Amd64 => (2, 24),
        Abi::Aarch64 | Abi::Aarch64Be => (261, 260),
        Abi::S390x => (5, 23),
    };
    let kind = if spec.version == 3 { eight_bytes } else { four_bytes };
    let relocations = spec.functions.iter().enumerate().map(|(index, function)| Relocation {
        section: 2,
        offset: 28 + (index * entry) as u64,
        kind,
        addend: function.start.wrapping_sub(FUNCTION) as i64,
        symbol: "".into(),
        symbol_address: Some(FUNCTION),
        symbol_section: Some(1),
        symbol_local: true,
    });
    image.sframe_relocations = relocations.collect();
    let mut original = image.sections[1].bytes.to_vec();
    for relocation in &image.sframe_relocations {
        let at = relocation.offset as usize;
        original[at..at + if spec.version == 3 { 8 } else { 4 }].fill(0);
    }
    image.sections[1].original = Some(original.into());
    image
}

/// The breaches in section 2 of the image.
pub(crate) fn breaches(image: &Image) -> Vec<spec::Breach> {
    let home = image.sections.iter().find(|section| section.index == 2).expect("section 2");
    sframe::validate(image, home)
}

/// Ids of all broken rules, sorted, each once.
pub(crate) fn broken(image: &Image) -> Vec<&'static str> {
    let mut ids: Vec<_> = breaches(image).iter().map(|breach| breach.rule.id.name()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Overwrites bytes at an offset.
pub(crate) fn write(bytes: &mut Bytes, at: usize, new: &[u8]) {
    let mut changed = bytes.to_vec();
    changed[at..at + new.len()].copy_from_slice(new);
    *bytes = changed.into();
}
