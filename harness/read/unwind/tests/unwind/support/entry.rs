//! CIEs and FDEs (LSB 5.0 core, 10.6; DWARF 5, 6.4.1), placed in a section at an address.

use types::Abi;
use unwind::{CfiSections, CfiUnwinder};

use super::asm::Asm;

pub(crate) const ABSPTR: u8 = 0x00;
pub(crate) const UDATA4: u8 = 0x03;
pub(crate) const TEXTREL_SDATA4: u8 = 0x2b;
pub(crate) const DATAREL_SDATA4: u8 = 0x3b;
pub(crate) const PCREL_SDATA4: u8 = 0x1b;
pub(crate) const PCREL_SDATA8: u8 = 0x1c;

/// Bases of relative pointers that [`Section::unwinder`] gives.
pub(crate) const TEXT: u64 = 0x2_0000;
pub(crate) const GOT: u64 = 0x3_0000;

/// The section that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    EhFrame,
    DebugFrame,
}

/// The contents of a CIE.
#[derive(Clone, Debug)]
pub(crate) struct Cie {
    pub(crate) version: u8,
    pub(crate) augmentation: &'static str,
    pub(crate) code_alignment: u64,
    pub(crate) data_alignment: i64,
    pub(crate) ra_column: u64,
    pub(crate) encoding: u8,
    pub(crate) wide: bool,
    /// Offset of the CIE.
    pub(crate) offset: usize,
}

impl Cie {
    /// The CIE that compilers for the ABI write.
    pub(crate) fn new(abi: Abi) -> Self {
        Cie {
            version: 1,
            augmentation: "zR",
            code_alignment: match abi {
                Abi::Aarch64 | Abi::Aarch64Be => 4,
                Abi::Amd64 | Abi::S390x => 1,
            },
            data_alignment: -8,
            ra_column: u64::from(abi.facts().ra.0),
            encoding: PCREL_SDATA4,
            wide: false,
            offset: usize::MAX,
        }
    }

    pub(crate) fn augmented(abi: Abi, augmentation: &'static str) -> Self {
        Cie { augmentation, ..Cie::new(abi) }
    }
}

/// The code that an FDE covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fde {
    pub(crate) start: u64,
    pub(crate) length: u64,
}

/// A section being written.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) abi: Abi,
    pub(crate) flavour: Flavour,
    pub(crate) address: u64,
    pub(crate) asm: Asm,
}

impl Section {
    /// An `.eh_frame` at 0x8000.
    pub(crate) fn new(abi: Abi) -> Self {
        Section { abi, flavour: Flavour::EhFrame, address: 0x8000, asm: Asm::new(abi) }
    }

    pub(crate) fn debug_frame(abi: Abi) -> Self {
        Section { flavour: Flavour::DebugFrame, ..Section::new(abi) }
    }

    /// An `.eh_frame` with one CIE of the ABI, whose initial instructions are what compilers write,
    /// and one FDE of 0x100 bytes at 0x1000.
    pub(crate) fn simple(abi: Abi, write: impl FnOnce(&mut Asm)) -> Self {
        let mut section = Section::new(abi);
        let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x1000, length: 0x100 }, write);
        section
    }

    pub(crate) fn cie(&mut self, mut cie: Cie, write: impl FnOnce(&mut Asm)) -> Cie {
        cie.offset = self.asm.here();
        let flavour = self.flavour;
        let fields = &cie;
        let body = |asm: &mut Asm| {
            match (flavour, fields.wide) {
                (Flavour::EhFrame, _) => asm.u32(0),
                (Flavour::DebugFrame, false) => asm.u32(u32::MAX),
                (Flavour::DebugFrame, true) => asm.u64(u64::MAX),
            };
            asm.u8(fields.version).raw(fields.augmentation.as_bytes()).u8(0);
            if fields.version == 4 {
                // Address size, segment selector size.
                asm.u8(8).u8(0);
            }
            asm.uleb(fields.code_alignment).sleb(fields.data_alignment);
            match fields.version {
                1 => asm.u8(fields.ra_column as u8),
                _ => asm.uleb(fields.ra_column),
            };
            if fields.augmentation.starts_with('z') {
                asm.block(|asm| {
                    for letter in fields.augmentation.chars() {
                        match letter {
                            // Personality: encoding and pointer; LSDA and FDE pointers: encoding.
                            'P' => {
                                asm.u8(UDATA4).u32(0x4444);
                            }
                            'L' => {
                                asm.u8(UDATA4);
                            }
                            'R' => {
                                asm.u8(fields.encoding);
                            }
                            _ => {}
                        }
                    }
                });
            }
            write(asm);
            pad(asm);
        };
        if cie.wide {
            self.asm.measured64(body)
        } else {
            self.asm.measured32(body)
        };
        cie
    }

    pub(crate) fn fde(&mut self, cie: &Cie, fde: Fde, write: impl FnOnce(&mut Asm)) -> usize {
        let offset = self.asm.here();
        let (flavour, address) = (self.flavour, self.address);
        let body = |asm: &mut Asm| {
            let here = asm.here();
            match (flavour, cie.wide) {
                (Flavour::EhFrame, _) => asm.u32((here - cie.offset) as u32),
                (Flavour::DebugFrame, false) => asm.u32(cie.offset as u32),
                (Flavour::DebugFrame, true) => asm.u64(cie.offset as u64),
            };
            let field = address + asm.here() as u64;
            let encoding = if cie.augmentation.contains('R') { cie.encoding } else { ABSPTR };
            match encoding {
                ABSPTR => asm.u64(fde.start).u64(fde.length),
                UDATA4 => asm.u32(fde.start as u32).u32(fde.length as u32),
                PCREL_SDATA4 => asm.u32(fde.start.wrapping_sub(field) as u32).u32(fde.length as u32),
                PCREL_SDATA8 => asm.u64(fde.start.wrapping_sub(field)).u64(fde.length),
                TEXTREL_SDATA4 => asm.u32(fde.start.wrapping_sub(TEXT) as u32).u32(fde.length as u32),
                DATAREL_SDATA4 => asm.u32(fde.start.wrapping_sub(GOT) as u32).u32(fde.length as u32),
                other => panic!("encoding {other:#x}"),
            };
            if cie.augmentation.starts_with('z') {
                asm.block(|asm| {
                    if cie.augmentation.contains('L') {
                        asm.u32(0x5555);
                    }
                });
            }
            write(asm);
            pad(asm);
        };
        if cie.wide {
            self.asm.measured64(body)
        } else {
            self.asm.measured32(body)
        };
        offset
    }

    /// The unwinder for the section.
    pub(crate) fn unwinder(&self) -> CfiUnwinder {
        read(self.abi, self.flavour, self.address, &self.asm.bytes)
    }

    /// The unwinder, without broken entries.
    pub(crate) fn sound(&self) -> CfiUnwinder {
        let unwinder = self.unwinder();
        assert_eq!(unwinder.broken(), []);
        unwinder
    }
}

/// Reads bytes as a section.
pub(crate) fn read(abi: Abi, flavour: Flavour, address: u64, bytes: &[u8]) -> CfiUnwinder {
    let section = Some((address, bytes));
    let mut sections = CfiSections { text: Some(TEXT), got: Some(GOT), ..CfiSections::default() };
    match flavour {
        Flavour::EhFrame => sections.eh_frame = section,
        Flavour::DebugFrame => sections.debug_frame = section,
    }
    CfiUnwinder::new(abi, &sections)
}

/// Initial instructions as compilers write them: CFA at entry, and on AMD64 the slot of the return
/// address.
pub(crate) fn initial(abi: Abi, asm: &mut Asm) {
    let facts = abi.facts();
    asm.def_cfa(u64::from(facts.sp.0), facts.cfa_minus_sp_at_entry.cast_unsigned());
    if !facts.link_register {
        asm.offset(16, 1);
    }
}

fn pad(asm: &mut Asm) {
    while !asm.here().is_multiple_of(8) {
        asm.nop();
    }
}
