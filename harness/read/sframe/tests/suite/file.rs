//! Sections as text (`generators::sframe`), and files that contain them, for the tests of rules.

use generators::sframe::{SectionAddress, SectionSpec, encode};
use types::{Abi, Image, ImageKind, ImageSection, Pc, Segment, SframeVersion};

use crate::examples::FUNCTION;

/// The bytes of a section at address 0.
pub(crate) fn bytes(abi: Abi, version: SframeVersion, edits: &str) -> Vec<u8> {
    encoded(&SectionSpec::new(abi, version).edited(edits), 0)
}

/// The bytes of a section at an address.
pub(crate) fn encoded(section: &SectionSpec, address: u64) -> Vec<u8> {
    encode(section, SectionAddress::Linked { section: address }).expect("an encodable section").bytes
}

pub(crate) fn abi_of(bytes: &[u8]) -> Abi {
    Abi::from_sframe_id(bytes[4]).expect("a known ABI")
}

const SFRAME_TYPE: u32 = 0x6fff_fff4;
const SFRAME_SEGMENT: u32 = 0x6474_e554;
/// PT_LOAD.
const LOAD_SEGMENT: u32 = 1;

fn section(index: usize, name: &str, kind: u32, flags: u64, address: u64, bytes: Vec<u8>) -> ImageSection {
    let section = ImageSection::new(index, name, flags, address, bytes);
    ImageSection { kind, file_offset: address, align: 8, ..section }
}

/// Size of `.text`, which begins at the examples' function.
const TEXT_SIZE: usize = 0x1000;

/// An executable with 4 KiB of `.text` at 0x1000 and a section at address 0.
pub(crate) fn linked(bytes: Vec<u8>) -> Image {
    linked_for(abi_of(&bytes), bytes)
}

/// As [`linked`], for an ABI that may not be that of the section.
pub(crate) fn linked_for(abi: Abi, bytes: Vec<u8>) -> Image {
    let sframe = section(2, ".sframe", SFRAME_TYPE, 2, 0, bytes);
    let segment = Segment::new(SFRAME_SEGMENT, 4, 0, sframe.bytes.clone());
    Image {
        sections: vec![section(1, ".text", 1, 6, FUNCTION, vec![0; TEXT_SIZE]), sframe],
        segments: vec![
            segment.clone(),
            Segment { kind: LOAD_SEGMENT, memory_size: 0x1_0000, file_size: 0x1_0000, ..segment },
        ],
        ..Image::new("a.out", abi, ImageKind::Executable, Pc(FUNCTION))
    }
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
