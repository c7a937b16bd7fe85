//! Sections that cannot be read: truncated, with lengths and references out of bounds, and with
//! call frame instructions that pass the end of their entry (DWARF 5, 7.24; LSB 10.6.1).

use types::{Abi, ByteOrder};

use super::draft::{Bench, Damage, Draft, Entry, FIRST, TEXT};
use crate::code::changes;

/// Distance of truncations in bytes: no multiple of it is an entry's alignment.
const CUT: usize = 5;
/// Offset of the CIE pointer of an FDE, and of the identifier of a CIE.
const POINTER: usize = 4;
/// Offset of the version of a CIE; the augmentation string, `zR`, follows.
const VERSION: usize = 8;
/// Offset of the code alignment factor.
const FACTOR: usize = 12;
/// Offset of the length of a CIE's augmentation data.
const CIE_DATA: usize = 15;
/// Offset of the length of an FDE's augmentation data, which its instructions follow.
const FDE_DATA: usize = 16;

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = truncated(bench);
    all.extend(lengths(bench));
    all.extend(references(bench));
    all.extend(fields(bench));
    all.extend(instructions(bench));
    all
}

/// Truncations, of which the section header has the smaller size.
fn truncated(bench: Bench) -> Vec<Draft> {
    let length = bench.two("whole", "").size();
    let cut = |size: usize| {
        let about = format!("Only the first {size} bytes of {length}.");
        let damage = Damage { size: Some(size), ..Damage::default() };
        bench.two(&format!("cut-{size:03}"), &about).damaged(damage)
    };
    // Without its last 4 bytes, the terminator, it is whole.
    (CUT..length - 4).step_by(CUT).map(cut).collect()
}

fn patched(bench: Bench, name: &str, about: &str, patch: (Entry, usize, Vec<u8>)) -> Draft {
    bench.two(name, about).damaged(Damage { patches: vec![patch], size: None })
}

/// Lengths of entries.
fn lengths(bench: Bench) -> Vec<Draft> {
    let of = |entry, value: u32| (entry, 0, word(bench.abi, value));
    vec![
        patched(bench, "fde-length-out", "The last FDE is longer than the section.", of(Entry::Fde(1), 0x1000)),
        patched(bench, "fde-length-reserved", "An FDE with a reserved length.", of(Entry::Fde(0), 0xffff_fff0)),
        patched(bench, "fde-length-short", "An FDE that ends in its CIE pointer.", of(Entry::Fde(0), 2)),
        patched(bench, "fde-length-start", "An FDE that ends in its start address.", of(Entry::Fde(0), 6)),
        patched(bench, "cie-length-out", "The CIE is longer than the section.", of(Entry::Cie, 0x1000)),
        patched(bench, "cie-length-short", "The CIE ends in its augmentation string.", of(Entry::Cie, 6)),
    ]
}

/// References of FDEs to their CIE.
fn references(bench: Bench) -> Vec<Draft> {
    let of = |value: u32| (Entry::Fde(0), POINTER, word(bench.abi, value));
    let size = bench.two("whole", "").size() as u32;
    vec![
        patched(bench, "cie-pointer-before", "A CIE pointer to before the section.", of(size * 2)),
        patched(bench, "cie-pointer-far", "A CIE pointer of -1: 4 GiB before the field.", of(u32::MAX)),
        patched(bench, "cie-pointer-own", "An FDE that is its own CIE.", of(4)),
    ]
}

/// Fields of the CIE.
fn fields(bench: Bench) -> Vec<Draft> {
    let of = |at, bytes: &[u8]| (Entry::Cie, at, bytes.to_vec());
    let out = &[0xff, 0xff, 0xff, 0x7f];
    vec![
        patched(bench, "cie-version", "A CIE of version 9.", of(VERSION, &[9])),
        patched(bench, "augmentation-endless", "The augmentation string has no end.", of(VERSION + 1, &[b'z'; 15])),
        patched(bench, "cie-data-out", "Augmentation data of the CIE beyond its end.", of(CIE_DATA, out)),
        patched(bench, "factor-endless", "A code alignment factor without an end.", of(FACTOR, &[0x80; 12])),
        patched(
            bench,
            "fde-data-out",
            "Augmentation data of an FDE beyond its end.",
            (Entry::Fde(0), FDE_DATA, out.to_vec()),
        ),
    ]
}

/// Instructions of the first function after its first rows, which can be read.
fn instructions(bench: Bench) -> Vec<Draft> {
    let frames = bench.frames();
    let of = |name: &str, about: &str, bytes: &[u8]| {
        let used = changes(bench.abi, &frames[..1]).unwrap_or_default();
        let draft = bench.empty(name, about).function(TEXT + FIRST.0, FIRST.1, &frames[..1], used);
        let draft = draft.written(|form| form.padding = 8);
        draft.damaged(Damage { patches: vec![(Entry::Fde(0), FDE_DATA + 1, bytes.to_vec())], size: None })
    };
    vec![
        of("instruction-cut", "An instruction whose operand passes the end of its FDE.", &[0x80; 15]),
        of("expression-out", "An expression that is longer than the section.", &[0x0f, 0xff, 0xff, 0x03]),
        of("instruction-undefined", "An undefined instruction.", &[0x3c]),
        of("restore-alone", "DW_CFA_restore_state without DW_CFA_remember_state.", &[0x0b]),
    ]
}

fn word(abi: Abi, value: u32) -> Vec<u8> {
    match abi.facts().order {
        ByteOrder::Little => value.to_le_bytes().to_vec(),
        ByteOrder::Big => value.to_be_bytes().to_vec(),
    }
}
