//! Edits of ELF64 files, located by code that is independent of the readers under test. Offsets are
//! bytes from the start of the file.

use std::collections::BTreeMap;

/// The fields of an ELF64 file that tests change (gABI, chapters 4 and 5), located by independent
/// code.
pub struct Elf {
    /// The file.
    pub bytes: Vec<u8>,
    little: bool,
}

/// Offsets of a section's header and contents.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    pub header: usize,
    /// Its contents.
    pub offset: usize,
    pub size: usize,
}

impl Elf {
    /// A copy of a frozen object.
    ///
    /// # Panics
    /// There is none of this name.
    pub fn frozen(name: &str) -> Self {
        Elf::new(std::fs::read(crate::frozen(name)).expect("a frozen object"))
    }

    /// Edits these bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        let little = bytes[5] == 1;
        Elf { bytes, little }
    }

    /// An integer in the file's byte order.
    pub fn number(&self, offset: usize, size: usize) -> u64 {
        let bytes = self.bytes[offset..offset + size].iter();
        let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if self.little { bytes.rev().fold(0, join) } else { bytes.fold(0, join) }
    }

    /// Stores an integer in the file's byte order.
    pub fn store(&mut self, offset: usize, size: usize, value: u64) {
        let bytes = value.to_be_bytes();
        let field = &mut self.bytes[offset..offset + size];
        field.copy_from_slice(&bytes[8 - size..]);
        if self.little {
            field.reverse();
        }
    }

    pub fn sections(&self) -> BTreeMap<String, Section> {
        let (table, count) = (self.number(40, 8) as usize, self.number(60, 2) as usize);
        let names = table + 64 * self.number(62, 2) as usize;
        let names = self.number(names + 24, 8) as usize;
        let section = |index: usize| {
            let header = table + 64 * index;
            let name = &self.bytes[names + self.number(header, 4) as usize..];
            let name = name.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
            let place = |field: usize| self.number(header + field, 8) as usize;
            (name, Section { header, offset: place(24), size: place(32) })
        };
        (0..count).map(section).collect()
    }

    /// The section with this name.
    ///
    /// # Panics
    /// There is none.
    pub fn section(&self, name: &str) -> Section {
        *self.sections().get(name).unwrap_or_else(|| panic!("no section {name}"))
    }

    /// Disguises a section: without a name, as plain data, and without a segment of its own.
    pub fn hide(&mut self, name: &str) {
        const SHT_PROGBITS: u64 = 1;
        const PT_NULL: u64 = 0;
        const PT_GNU_SFRAME: u64 = 0x6474_e554;
        let header = self.section(name).header;
        self.store(header, 4, 0);
        self.store(header + 4, 4, SHT_PROGBITS);
        let (table, count) = (self.number(32, 8) as usize, self.number(56, 2) as usize);
        for segment in (0..count).map(|index| table + 56 * index) {
            if name == ".sframe" && self.number(segment, 4) == PT_GNU_SFRAME {
                self.store(segment, 4, PT_NULL);
            }
        }
    }
}
