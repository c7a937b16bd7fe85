//! Encodings of the start of a function (LSB 10.5.1).

use types::Abi;

use super::draft::{Bench, Draft};
use super::{DATA_RELATIVE, TEXT_RELATIVE};
use crate::eh_frame::{DATAREL_SDATA4, Letter, TEXTREL_SDATA4};

/// DW_EH_PE_pcrel.
const PCREL: u8 = 0x10;
/// Formats, by name.
const FORMATS: [(&str, u8); 9] = [
    ("absptr", 0x00),
    ("uleb", 0x01),
    ("udata-half", 0x02),
    ("udata-word", 0x03),
    ("udata-double", 0x04),
    ("sleb", 0x09),
    ("sdata-half", 0x0a),
    ("sdata-word", 0x0b),
    ("sdata-double", 0x0c),
];

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = Vec::new();
    for (name, format) in FORMATS {
        // Addresses of 15 bits fit every format.
        let about = format!("Absolute pointers in the format {format:#04x}.");
        all.push(placed(bench, &format!("pointer-{name}"), &about, format, (0x1000, 0x3000)));
        // Unsigned distances are positive: the code is after the section.
        let about = format!("Pointers relative to themselves in the format {format:#04x}.");
        all.push(placed(bench, &format!("pointer-pcrel-{name}"), &about, PCREL | format, (0x40_3000, 0x40_1000)));
    }
    let high = "Absolute pointers of 4 unsigned bytes above 2 GiB.";
    all.push(placed(bench, "pointer-udata-word-high", high, 0x03, (0x9000_1000, 0x9000_3000)));
    for (name, format) in [("sleb", 0x09), ("sdata-half", 0x0a), ("sdata-word", 0x0b), ("sdata-double", 0x0c)] {
        let about = format!("Negative distances in the format {format:#04x}.");
        all.push(placed(bench, &format!("pointer-down-{name}"), &about, PCREL | format, (0x40_1000, 0x40_3000)));
    }
    if bench.abi == Abi::Amd64 {
        let (text, section) = (0xffff_ffff_8000_1000, 0xffff_ffff_8000_3000);
        let about = "Absolute pointers of 4 signed bytes in the last 2 GiB.";
        all.push(placed(bench, "pointer-sdata-word-kernel", about, 0x0b, (text, section)));
    }
    let far = "Functions nearly 2 GiB after the section.";
    all.push(placed(bench, "pointer-far-up", far, PCREL | 0x0b, (0x8000_0000, 0x40_0000)));
    let near = (0x40_1000, 0x40_3000);
    let of_text = placed(bench, "pointer-textrel", "Pointers relative to the code.", TEXTREL_SDATA4, near);
    all.push(of_text.written(|form| form.base = near.0).asks(&TEXT_RELATIVE));
    let of_data = placed(bench, "pointer-datarel", "Pointers relative to .eh_frame_hdr.", DATAREL_SDATA4, near);
    let base = of_data.index_address();
    all.push(of_data.written(|form| form.base = base).asks(&DATA_RELATIVE));
    all
}

/// Two functions at an address, the section at another, pointers in an encoding.
fn placed(bench: Bench, name: &str, about: &str, encoding: u8, (text, section): (u64, u64)) -> Draft {
    let frames = bench.frames();
    let draft = bench.empty(name, about).with(text + 0x100, 0x30, &frames).with(text + 0x140, 0x10, &frames[..1]);
    draft.written(|form| form.letters = Some(vec![Letter::Pointers(encoding)])).edited(|draft| {
        (draft.text, draft.address) = ((text, text + 0x1000), section);
    })
}
