//! Tests of layouts: the same rows in each, and sizes counted by hand.

use generators::sframe::{Base, FunctionSpec, PcType, RowSpec, SectionAddress, SectionSpec, Width, encode};
use types::{Abi, PacKey, Rng, SframeVersion};

use super::model::{MODELS, read, write};
use super::{Part, layouts, parts};
use crate::Input;

const SECTION: u64 = 0x40_0000;

/// Random functions that V2 can express.
fn functions(abi: Abi, seed: u64) -> Vec<FunctionSpec> {
    let mut rng = Rng::new(seed);
    let mut at = 0x1000;
    let count = 1 + rng.below(20);
    let function = |_| {
        let rows = 1 + rng.below(6) as u32;
        let step = [1, 16, 300, 40_000][rng.below(4) as usize];
        let offset = |rng: &mut Rng| [8, 16, -16, 127, 128, -129, 32_768, -40_000][rng.below(8) as usize];
        let row = |index: u32, rng: &mut Rng| {
            let words: Vec<i32> = (0..rng.below(4)).map(|_| offset(rng)).collect();
            let base = if rng.below(2) == 0 { Base::Sp } else { Base::Fp };
            let signed = abi == Abi::Aarch64 && rng.below(3) == 0;
            RowSpec { signed, ..RowSpec::offsets(index * step, base, &words) }
        };
        let spec: Vec<RowSpec> = (0..rows).map(|index| row(index, &mut rng)).collect();
        let last = spec.last().expect("a row").start;
        let plain = FunctionSpec::new(at, last + 8, spec);
        at += u64::from(plain.size) + rng.below(64);
        let key = if abi == Abi::Aarch64 && rng.below(2) == 0 { PacKey::B } else { PacKey::A };
        FunctionSpec { starts: FunctionSpec::narrowest_starts(last), key, ..plain }
    };
    (0..count).map(function).collect()
}

/// Bytes of the functions in V2, which differ where the functions do.
fn bytes(abi: Abi, functions: &[FunctionSpec]) -> Vec<u8> {
    let spec = SectionSpec { functions: functions.to_vec(), ..SectionSpec::new(abi, SframeVersion::V2Errata1) };
    encode(&spec, SectionAddress::Linked { section: SECTION }).expect("a section").bytes
}

#[test]
fn each_variant_reads_what_it_wrote() {
    for abi in [Abi::Amd64, Abi::Aarch64, Abi::S390x] {
        for seed in 0..10 {
            let mut functions = functions(abi, seed);
            let again = functions[0].clone();
            let start = functions.last().map_or(0, |last| last.start + u64::from(last.size));
            functions.push(FunctionSpec { start, ..again });
            for model in &MODELS {
                let written = write(abi, model, &functions, SECTION).expect("a variant");
                assert_eq!(written.parts.total(), written.bytes.len() as u64, "{}", model.name);
                let back = read(&written.bytes, SECTION).expect(model.name);
                assert_eq!(bytes(abi, &back), bytes(abi, &functions), "{} of seed {seed}", model.name);
                for length in 0..written.bytes.len() {
                    // Truncated: an error, or fewer functions, but no panic.
                    _ = read(&written.bytes[..length], SECTION);
                }
            }
        }
    }
}

#[test]
fn a_function_of_more_rows_than_16_bits_count_is_split() {
    let rows: Vec<RowSpec> =
        (0..70_000).map(|start| RowSpec::offsets(start, Base::Sp, &[8 + (start as i32 & 1) * 8])).collect();
    let one = FunctionSpec { starts: Width::Four, ..FunctionSpec::new(0x1000, 70_001, rows) };
    let written = write(Abi::Amd64, &MODELS[0], &[one], SECTION).expect("a variant");
    let back = read(&written.bytes, SECTION).expect("functions");
    let parts: Vec<(u64, u32, usize)> = back.iter().map(|one| (one.start, one.size, one.rows.len())).collect();
    assert_eq!(parts, [(0x1000, 65_535, 65_535), (0x1000 + 65_535, 4_466, 4_465)]);
}

#[test]
fn repeated_blocks_of_another_size_than_the_implied_one_are_unrolled() {
    let rows = vec![RowSpec::offsets(0, Base::Sp, &[8]), RowSpec::offsets(6, Base::Sp, &[16])];
    let plt = |block| FunctionSpec { pc_type: PcType::Mask(block), ..FunctionSpec::new(0x1000, 48, rows.clone()) };
    let model = &MODELS[2];
    for (block, expected) in [(16, (PcType::Mask(16), 2)), (8, (PcType::Inc, 12))] {
        let written = write(Abi::Amd64, model, &[plt(block)], SECTION).expect("a variant");
        let back = read(&written.bytes, SECTION).expect("functions");
        assert_eq!((back[0].pc_type, back[0].rows.len()), expected);
    }
}

/// Sizes of a descriptor by version: 17, 20, 20, and 16 with an attribute block of 5 bytes.
#[test]
fn parts_of_a_function_with_two_rows() {
    let rows = vec![RowSpec::offsets(0, Base::Sp, &[8]), RowSpec::offsets(1, Base::Sp, &[16, -16])];
    let functions = [FunctionSpec::new(0x1000, 16, rows)];
    for (version, expected) in SframeVersion::ALL.into_iter().zip([[17, 0], [18, 2], [18, 2], [21, 0]]) {
        let spec = SectionSpec { functions: functions.to_vec(), ..SectionSpec::new(Abi::Amd64, version) };
        let bytes = encode(&spec, SectionAddress::Linked { section: SECTION }).expect("a section").bytes;
        let parts = parts::sframe(Abi::Amd64, version, &functions, bytes.len() as u64);
        let of = |wanted| parts.iter().find(|(part, _)| *part == wanted).map(|(_, bytes)| bytes);
        assert_eq!([of(Part::Functions), of(Part::Padding)], expected.map(Some), "{version}");
        assert_eq!([of(Part::Headers), of(Part::Starts), of(Part::Infos), of(Part::Words)], [28, 2, 2, 3].map(Some));
    }
}

/// `.eh_frame` at 0 of a function at 0x1000 with 16 bytes of code, which pushes FP and sets it.
fn amd64() -> Vec<u8> {
    let mut bytes =
        vec![0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0];
    bytes.extend([0x1c, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0x0f, 0, 0, 0x10, 0, 0, 0, 0]);
    // DW_CFA_advance_loc 1, def_cfa_offset 16, offset r6; advance 3, def_cfa_register r6; advance
    // 11, def_cfa r7 8.
    bytes.extend([0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x4b, 0x0c, 7, 8, 0, 0, 0]);
    bytes.extend([0; 4]);
    bytes
}

#[test]
fn a_file_with_one_function_in_every_layout() {
    let eh_frame = amd64();
    let input = Input { abi: Abi::Amd64, version: SframeVersion::V3, eh_frame: (0, &eh_frame) };
    let made = layouts(input, 20).expect("sizes");
    assert_eq!((made.functions, made.omitted, made.rows, made.code), (1, 0, 4, 16));
    let sizes: Vec<(&str, u64, u64, u64)> =
        made.sizes.iter().map(|size| (size.layout, size.functions, size.without, size.parts.total())).collect();
    // Rows: cfa=rsp+8; rsp+16 and fp; rbp+16 and fp; rsp+8 (fp is still at CFA-16 by its CFI).
    let expected = [
        ("eh_frame", 1, 0, 24 + 32 + 4 + 20),
        ("v1", 1, 0, 28 + 17 + 3 + 4 * 3),
        ("v2", 1, 0, 28 + 20 + 3 + 4 * 3),
        ("v2e1", 1, 0, 28 + 20 + 3 + 4 * 3),
        ("v3", 1, 0, 28 + 21 + 3 + 4 * 3),
        ("16-bit row counts", 1, 0, 28 + 18 + 15),
        ("no padding", 1, 0, 28 + 18 + 15),
        ("no block size", 1, 0, 28 + 19 + 15),
        ("offsets as varints", 1, 0, 28 + 20 + 15),
        ("delta starts", 1, 0, 28 + 20 + 15),
        ("shared rows", 1, 0, 28 + 20 + 15),
        ("linking view", 1, 0, 12 + 16 + 15),
        ("all but linking view", 1, 0, 28 + 15 + 15),
        ("all but shared rows", 1, 0, 12 + 11 + 15),
        ("ORC", 1, 0, 4 * 10 + 8),
        ("compact unwind", 1, 5, 4 + 28 + 12 + 24),
        ("Windows", 1, 0, 12 + 4 + 4),
    ];
    assert_eq!(sizes, expected);
}
