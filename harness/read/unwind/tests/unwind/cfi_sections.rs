//! CIEs and FDEs are found in every encoding, and each broken one is reported without affecting
//! others.

use crate::support::entry::{
    ABSPTR, DATAREL_SDATA4, PCREL_SDATA4, PCREL_SDATA8, TEXTREL_SDATA4, UDATA4, initial, read,
};
use crate::support::{Cie, Fde, Flavour, Section, at};
use types::{Abi, CfaRule, CodePoint, Fault, PacKey, Pc, ValueRule};
use unwind::{CfiError, CfiSections, CfiUnwinder, FunctionRange, Unwinder};

#[test]
fn every_pointer_encoding_in_both_byte_orders() {
    for abi in Abi::ALL {
        for encoding in [ABSPTR, UDATA4, PCREL_SDATA4, PCREL_SDATA8, TEXTREL_SDATA4, DATAREL_SDATA4] {
            let mut section = Section::new(abi);
            let cie = section.cie(Cie { encoding, ..Cie::new(abi) }, |asm| initial(abi, asm));
            let offset = section.fde(&cie, Fde { start: 0x1234, length: 0x56 }, |_| {}) as u64;
            let range = FunctionRange { start: Pc(0x1234), end: Pc(0x128a), offset };
            assert_eq!(section.sound().functions().collect::<Vec<_>>(), [range], "{abi} {encoding:#x}");
        }
    }
}

#[test]
fn a_pointer_without_its_base_breaks_its_fde() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie { encoding: TEXTREL_SDATA4, ..Cie::new(abi) }, |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: 16 }, |_| {});
    let sections = CfiSections { eh_frame: Some((0x8000, &section.asm.bytes)), ..CfiSections::default() };
    let unwinder = CfiUnwinder::new(abi, &sections);
    assert_eq!(unwinder.broken()[0].error, CfiError::Read(gimli::Error::TextRelativePointerButTextBaseIsUndefined));
}

#[test]
fn debug_frame_in_every_version_and_width() {
    for abi in Abi::ALL {
        for version in [1, 3, 4] {
            for wide in [false, true] {
                let mut section = Section::debug_frame(abi);
                let cie = Cie { version, wide, augmentation: "", ..Cie::new(abi) };
                let cie = section.cie(cie, |asm| initial(abi, asm));
                section.fde(&cie, Fde { start: 0x1000, length: 0x20 }, |asm| asm.advance(4).def_cfa_offset(64).end());
                let row = at(&section.sound(), 0x101f);
                assert_eq!((row.start, row.end), (Pc(0x1000 + 4 * Cie::new(abi).code_alignment), Pc(0x1020)));
            }
        }
    }
}

/// libgcc accepts CIEs of version 4 in `.eh_frame` too (unwind-dw2.c), and GNU as writes them with
/// `--gdwarf-cie-version=4`.
#[test]
fn eh_frame_in_every_version() {
    for abi in Abi::ALL {
        let rows = |version| {
            let mut section = Section::new(abi);
            let cie = section.cie(Cie { version, ..Cie::augmented(abi, "zPLR") }, |asm| initial(abi, asm));
            section.fde(&cie, Fde { start: 0x1000, length: 0x20 }, |asm| asm.advance(4).def_cfa_offset(64).end());
            let unwinder = section.sound();
            [0x1000, 0x101f].map(|pc| at(&unwinder, pc))
        };
        assert_eq!(rows(4), rows(1), "{abi}");
        assert_eq!(rows(3), rows(1), "{abi}");
    }
}

#[test]
fn sizes_of_version_4_that_no_target_has_break_the_cie() {
    for abi in Abi::ALL {
        for section in [Section::new(abi), Section::debug_frame(abi)] {
            let augmentation = if section.flavour == Flavour::EhFrame { "zR" } else { "" };
            let error = |at: usize, value: u8| {
                let mut section = section.clone();
                let cie = section.cie(Cie { version: 4, ..Cie::augmented(abi, augmentation) }, |asm| initial(abi, asm));
                section.fde(&cie, Fde { start: 0x1000, length: 0x20 }, |_| {});
                // After the length, the identifier, the version and the string.
                section.asm.bytes[4 + 4 + 1 + augmentation.len() + 1 + at] = value;
                section.unwinder().broken()[0].error.clone()
            };
            for size in [0, 4, 16, 255] {
                assert_eq!(error(0, size), CfiError::Invalid("a CIE whose addresses are not of 8 bytes"));
            }
            assert_eq!(error(1, 2), CfiError::Invalid("a CIE with segment selectors"));
        }
    }
}

/// `DW_EH_PE_indirect`: some readers read the start from memory.
#[test]
fn an_indirect_start_breaks_the_cie() {
    for abi in Abi::ALL {
        let mut section = Section::new(abi);
        let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x1000, length: 0x20 }, |_| {});
        let at = section.asm.bytes.iter().position(|byte| *byte == PCREL_SDATA4).expect("the encoding");
        section.asm.bytes[at] |= 0x80;
        let error = section.unwinder().broken()[0].error.clone();
        assert_eq!(error, CfiError::Invalid("FDE starts that are read from memory (DW_EH_PE_indirect)"), "{abi}");
    }
}

/// DWARF 5, 6.4.1: a register without a rule is undefined; producers that have rules for FP omit
/// them where it has the caller's value.
#[test]
fn debug_frame_that_never_mentions_fp_says_nothing_of_it() {
    let abi = Abi::Amd64;
    let fp = |mentions: bool, mut section: Section| {
        let cie = section.cie(Cie { augmentation: "", ..Cie::new(abi) }, |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x1000, length: 0x20 }, |_| {});
        section.fde(&cie, Fde { start: 0x2000, length: 0x20 }, |asm| {
            if mentions {
                asm.advance(1).offset(6, 2);
            }
        });
        at(&section.sound(), 0x1000).fp
    };
    assert_eq!(fp(false, Section::debug_frame(abi)), ValueRule::Undefined);
    assert_eq!(fp(true, Section::debug_frame(abi)), ValueRule::SameValue);
    assert_eq!(fp(false, Section::new(abi)), ValueRule::SameValue);
}

#[test]
fn eh_frame_with_64_bit_lengths() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie { wide: true, ..Cie::new(abi) }, |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: 0x20 }, |_| {});
    assert_eq!(section.sound().functions().len(), 1);
}

#[test]
fn debug_frame_is_asked_only_without_eh_frame() {
    let abi = Abi::Amd64;
    let function = |mut section: Section, start| {
        let augmentation = if section.flavour == Flavour::EhFrame { "zR" } else { "" };
        let cie = section.cie(Cie::augmented(abi, augmentation), |asm| initial(abi, asm));
        section.fde(&cie, Fde { start, length: 16 }, |_| {});
        section.asm.bytes
    };
    let eh_frame = function(Section::new(abi), 0x1000);
    let debug_frame = function(Section::debug_frame(abi), 0x2000);
    let starts = |eh_frame, debug_frame| {
        let sections = CfiSections { eh_frame, debug_frame, ..CfiSections::default() };
        let unwinder = CfiUnwinder::new(abi, &sections);
        unwinder.functions().map(|function| function.start.0).collect::<Vec<u64>>()
    };
    let (eh, debug) = (Some((0x8000, eh_frame.as_slice())), Some((0, debug_frame.as_slice())));
    assert_eq!(starts(eh, debug), [0x1000]);
    assert_eq!(starts(None, debug), [0x2000]);
    // A terminator alone describes nothing.
    assert_eq!(starts(Some((0x8000, &[0; 4])), debug), [0x2000]);
    assert_eq!(starts(None, None), [0; 0]);
}

#[test]
fn entries_after_a_terminator_are_read() {
    let abi = Abi::S390x;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: 16 }, |_| {});
    section.asm.u32(0);
    section.fde(&cie, Fde { start: 0x2000, length: 16 }, |_| {});
    let starts: Vec<u64> = section.sound().functions().map(|function| function.start.0).collect();
    assert_eq!(starts, [0x1000, 0x2000]);
}

/// Augmentation strings of AArch64 CIEs, with the key and signal flag that they mean.
const AUGMENTATIONS: [(&str, PacKey, bool); 12] = [
    ("zR", PacKey::A, false),
    ("zRS", PacKey::A, true),
    ("zRB", PacKey::B, false),
    ("zBR", PacKey::B, false),
    ("zRSB", PacKey::B, true),
    ("zRBS", PacKey::B, true),
    ("zPLR", PacKey::A, false),
    ("zPLRB", PacKey::B, false),
    ("zPLRSB", PacKey::B, true),
    ("zBPLR", PacKey::B, false),
    ("zRG", PacKey::A, false),
    ("zPRBG", PacKey::B, false),
];

#[test]
fn key_and_signal_letters_in_any_order() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        // All in one section, so that letters of one CIE would affect another.
        let mut section = Section::new(abi);
        for (augmentation, start) in AUGMENTATIONS.iter().map(|all| all.0).zip((0x1000..).step_by(0x100)) {
            let cie = section.cie(Cie::augmented(abi, augmentation), |asm| initial(abi, asm));
            section.fde(&cie, Fde { start, length: 0x40 }, |asm| asm.advance(1).negate_ra_state().end());
        }
        let unwinder = section.sound();
        for ((augmentation, key, signal), start) in AUGMENTATIONS.iter().zip((0x1000..).step_by(0x100)) {
            let row = at(&unwinder, start + 4);
            assert_eq!((row.start, row.end), (Pc(start + 4), Pc(start + 0x40)), "{augmentation}");
            assert_eq!((row.key, row.signal, row.signed), (*key, *signal, true), "{augmentation}");
        }
    }
}

#[test]
fn bare_letters_of_debug_frame() {
    for (augmentation, key, signal) in [("B", PacKey::B, false), ("SB", PacKey::B, true), ("S", PacKey::A, true)] {
        let abi = Abi::Aarch64;
        let mut section = Section::debug_frame(abi);
        let cie = section.cie(Cie::augmented(abi, augmentation), |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x1000, length: 0x40 }, |_| {});
        let row = at(&section.sound(), 0x1000);
        assert_eq!((row.key, row.signal), (key, signal), "{augmentation}");
    }
}

#[test]
fn letters_of_another_abi_are_not_guessed_at() {
    for (abi, augmentation) in [(Abi::Amd64, "zRB"), (Abi::S390x, "zRB"), (Abi::Aarch64, "zRX"), (Abi::Amd64, "eh")] {
        let mut section = Section::new(abi);
        let cie = section.cie(Cie::augmented(abi, augmentation), |asm| initial(abi, asm));
        let fde = section.fde(&cie, Fde { start: 0x1000, length: 0x40 }, |_| {});
        let unwinder = section.unwinder();
        let offsets: Vec<u64> = unwinder.broken().iter().map(|broken| broken.offset).collect();
        assert_eq!(offsets, [0, fde as u64], "{abi} {augmentation}");
        assert_eq!(unwinder.broken()[0].error, CfiError::Read(gimli::Error::UnknownAugmentation));
        assert!(matches!(unwinder.broken()[1].error, CfiError::BrokenCie { offset: 0, .. }));
        assert_eq!(unwinder.broken()[1].error.kind(), unwinder.broken()[0].error.kind());
        assert!(unwinder.broken().iter().all(|broken| broken.function.is_none()));
        assert_eq!(unwinder.row(CodePoint::Exact(Pc(0x1000))), Err(Fault::NoFunction));
    }
}

#[test]
fn a_broken_fde_breaks_no_other() {
    type Write = fn(&mut crate::support::Asm);
    // Invalid rules in a CIE, undefined opcodes, states never remembered, advances beyond the
    // address space.
    let broken: [(&str, Write); 6] = [
        ("unknown opcode", |asm| asm.u8(0x3f).end()),
        ("restore_state alone", |asm| asm.restore_state().end()),
        ("offset of an expression", |asm| asm.def_cfa_expression(|e| e.breg(7, 8).end()).def_cfa_offset(8).end()),
        ("register that no table has", |asm| asm.offset_extended(0x1_0000, 1).end()),
        ("expression past the entry", |asm| asm.u8(0x0f).uleb(0x4000).end()),
        ("offset that leaves 64 bits", |asm| {
            asm.offset_extended(6, u64::MAX / 2);
        }),
    ];
    for (name, write) in broken {
        let abi = Abi::Amd64;
        let mut section = Section::new(abi);
        let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
        section.fde(&cie, Fde { start: 0x1000, length: 16 }, |_| {});
        let bad = section.fde(&cie, Fde { start: 0x2000, length: 16 }, |asm| {
            asm.advance(4).def_cfa_offset(16);
            write(asm);
        });
        section.fde(&cie, Fde { start: 0x3000, length: 16 }, |_| {});

        let unwinder = section.unwinder();
        let offsets: Vec<u64> = unwinder.broken().iter().map(|broken| broken.offset).collect();
        assert_eq!(offsets, [bad as u64], "{name}");
        assert_eq!(unwinder.broken()[0].function, Some(Pc(0x2000)), "{name}");
        assert!(unwinder.broken()[0].to_string().starts_with(&format!(".eh_frame+{bad:#x}: ")), "{name}");
        for (pc, expected) in [(0x1000, None), (0x2000, Some(Fault::NoRow)), (0x3000, None)] {
            assert_eq!(unwinder.row(CodePoint::Exact(Pc(pc))).err(), expected, "{name}");
        }
    }
}

/// The rows before and after it are unaffected, as in libgcc and gdb.
#[test]
fn a_cfa_offset_that_is_negative_as_uleb_is_a_row_like_any_other() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: 16 }, |asm| {
        asm.advance(4).u8(0x0e).uleb(8_u64.wrapping_neg()).advance(4).def_cfa_offset(16);
    });
    let unwinder = section.sound();
    let offset = |pc| match at(&unwinder, pc).cfa {
        CfaRule::Register { offset, .. } => offset,
        cfa => panic!("{cfa:?}"),
    };
    assert_eq!([0x1000, 0x1004, 0x1008].map(offset), [8, -8, 16]);
}

#[test]
fn a_broken_cie_breaks_its_own_fdes() {
    type Write = fn(&mut crate::support::Asm);
    let broken: [(&str, Write); 3] = [
        ("advance", |asm| asm.advance(1).end()),
        ("restore", |asm| asm.restore(6).end()),
        ("half a CFA", |asm| asm.def_cfa_offset(8).end()),
    ];
    for (name, write) in broken {
        let abi = Abi::Amd64;
        let mut section = Section::new(abi);
        let bad = section.cie(Cie::new(abi), write);
        let good = section.cie(Cie::new(abi), |asm| initial(abi, asm));
        section.fde(&bad, Fde { start: 0x1000, length: 16 }, |_| {});
        section.fde(&good, Fde { start: 0x2000, length: 16 }, |_| {});
        let unwinder = section.unwinder();
        assert_eq!(unwinder.broken().len(), 2, "{name}");
        assert_eq!(unwinder.row(CodePoint::Exact(Pc(0x1000))), Err(Fault::NoFunction), "{name}");
        assert!(unwinder.row(CodePoint::Exact(Pc(0x2000))).is_ok(), "{name}");
    }
}

#[test]
fn a_cie_pointer_that_names_no_cie() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
    let fde = section.fde(&cie, Fde { start: 0x1000, length: 16 }, |_| {});
    // The pointer is relative to its own field.
    section.asm.bytes[fde + 4] -= 1;
    let unwinder = section.unwinder();
    assert_eq!(unwinder.broken()[0].error, CfiError::NoCie(1));
}

#[test]
fn a_length_past_the_section_ends_the_reading() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: 0x1000, length: 16 }, |_| {});
    let last = section.fde(&cie, Fde { start: 0x2000, length: 16 }, |_| {});
    let bytes = &section.asm.bytes[..section.asm.here() - 1];
    let unwinder = read(abi, Flavour::EhFrame, 0x8000, bytes);
    assert_eq!(unwinder.functions().len(), 1);
    assert_eq!((unwinder.broken()[0].offset, &unwinder.broken()[0].error), (last as u64, &CfiError::Length));
}

#[test]
fn a_range_that_leaves_the_address_space() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie { encoding: ABSPTR, ..Cie::new(abi) }, |asm| initial(abi, asm));
    section.fde(&cie, Fde { start: u64::MAX - 7, length: 16 }, |_| {});
    assert_eq!(section.unwinder().broken()[0].error, CfiError::Overflow(u64::MAX - 7));
}

#[test]
fn functions_are_sorted_and_half_open() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
    for start in [0x3000, 0x1000, 0x2000] {
        section.fde(&cie, Fde { start, length: 0x10 }, |_| {});
    }
    let unwinder = section.sound();
    let starts: Vec<u64> = unwinder.functions().map(|function| function.start.0).collect();
    assert_eq!(starts, [0x1000, 0x2000, 0x3000]);
    let answers = |point| unwinder.row(point).is_ok();
    assert!(answers(CodePoint::Exact(Pc(0x1000))));
    assert!(answers(CodePoint::Exact(Pc(0x100f))));
    assert!(!answers(CodePoint::Exact(Pc(0x0fff))));
    assert!(!answers(CodePoint::Exact(Pc(0x1010))));
    // A return address after a call at the function's end, and one that is the first byte of a
    // function.
    assert!(answers(CodePoint::AfterCall(Pc(0x1010))));
    assert!(!answers(CodePoint::AfterCall(Pc(0x1000))));
}

#[test]
fn where_functions_overlap_the_one_that_starts_last_answers() {
    let abi = Abi::Amd64;
    let mut section = Section::new(abi);
    let cie = section.cie(Cie::new(abi), |asm| initial(abi, asm));
    let cfa = |offset: u64| move |asm: &mut crate::support::Asm| asm.def_cfa_offset(offset).end();
    section.fde(&cie, Fde { start: 0x1000, length: 0x100 }, cfa(16));
    section.fde(&cie, Fde { start: 0x1040, length: 0x20 }, cfa(24));
    section.fde(&cie, Fde { start: 0x1040, length: 0x40 }, cfa(32));
    section.fde(&cie, Fde { start: 0x1050, length: 0 }, cfa(40));
    let found = crate::support::listing(abi, &section.sound(), 0, u64::MAX);
    let offsets: Vec<&str> = found.iter().map(|row| row.split_whitespace().nth(1).unwrap_or_default()).collect();
    assert_eq!(offsets, ["cfa=rsp+16", "cfa=rsp+24", "cfa=rsp+32", "cfa=rsp+16"]);
    let unwinder = section.sound();
    let boundaries: Vec<u64> = unwinder.boundaries(Pc(0), Pc(u64::MAX)).map(|pc| pc.0).collect();
    assert_eq!(boundaries, [0x1000, 0x1040, 0x1060, 0x1080]);
}
