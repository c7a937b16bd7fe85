//! The encoder refuses what the format cannot express, and never truncates.

use generators::code::{FrameAt, FrameState, Function};
use generators::elf::FileKind;
use generators::sample::{Sample, SampleError};
use generators::sframe::{Base, EncodeError, FunctionSpec, RowSpec, SectionAddress, SectionSpec, Width, Word, encode};
use types::{Abi, CfaRule, PacKey, Reg, SframeVersion, ValueRule};

fn encoded(version: SframeVersion, function: FunctionSpec) -> Result<Vec<u8>, EncodeError> {
    let section = SectionSpec { functions: vec![function], ..SectionSpec::new(Abi::Amd64, version) };
    encode(&section, SectionAddress::Linked { section: 0x1000 }).map(|encoded| encoded.bytes)
}

#[test]
fn starts_of_32_bits_end_at_2_gib() {
    let rows = vec![RowSpec::offsets(0, Base::Sp, &[8])];
    // The field is at 0x1000 + 28.
    let far = |distance: u64| FunctionSpec::new(0x1000 + 28 + distance, 16, rows.clone());
    assert!(encoded(SframeVersion::V2Errata1, far(0x7fff_ffff)).is_ok());
    let refused = encoded(SframeVersion::V2Errata1, far(0x8000_0000));
    assert_eq!(refused, Err(EncodeError::Start { function: 0, value: 0x8000_0000, bytes: 4 }));
    assert!(encoded(SframeVersion::V3, far(0x8000_0000)).is_ok());
}

#[test]
fn fields_are_not_cut() {
    let row = RowSpec { width: Width::One, ..RowSpec::offsets(0, Base::Sp, &[128]) };
    let refused = encoded(SframeVersion::V3, FunctionSpec::new(0, 16, vec![row]));
    assert_eq!(refused, Err(EncodeError::Word { function: 0, row: 0, word: 0, bytes: 1 }));
    let refused = encoded(SframeVersion::V3, FunctionSpec::new(0, 16, vec![RowSpec::offsets(256, Base::Sp, &[8])]));
    assert_eq!(refused, Err(EncodeError::RowStart { function: 0, row: 0, start: 256, bytes: 1 }));
    let row = RowSpec::offsets(0, Base::Sp, &[8; 16]);
    let refused = encoded(SframeVersion::V3, FunctionSpec::new(0, 16, vec![row]));
    assert_eq!(refused, Err(EncodeError::Count { what: "words of a row", count: 16 }));
    // V3 counts a function's rows in 16 bits, V2 in 32.
    let rows = |count| FunctionSpec::new(0, 16, vec![RowSpec::outermost(0); count]);
    assert!(encoded(SframeVersion::V3, rows(65_535)).is_ok());
    assert!(encoded(SframeVersion::V3, rows(65_536)).is_err());
    assert!(encoded(SframeVersion::V2Errata1, rows(65_536)).is_ok());
}

/// Control words are unsigned: 255 fits one byte, as an offset it needs two.
#[test]
fn control_words_are_unsigned() {
    assert_eq!(Word::Control(255).narrowest(), Width::One);
    assert_eq!(Word::Control(256).narrowest(), Width::Two);
    assert_eq!(Word::Offset(255).narrowest(), Width::Two);
    assert_eq!(Word::Offset(-128).narrowest(), Width::One);
    assert_eq!(Word::Offset(i32::MIN).narrowest(), Width::Four);
}

fn left_out(abi: Abi, version: SframeVersion, function: Function) -> usize {
    let sample = Sample::new(abi, version, FileKind::Relocatable, vec![Function::leaf(abi, "leaf"), function]).unwrap();
    assert_eq!(sample.section.functions.len() + sample.left_out.len(), 2);
    sample.left_out.len()
}

#[test]
fn functions_without_a_row_form_are_left_out() {
    let saved = |abi| Function::saved_cfa(abi, "saved").unwrap();
    assert_eq!(left_out(Abi::Amd64, SframeVersion::V2Errata1, saved(Abi::Amd64)), 1);
    assert_eq!(left_out(Abi::Amd64, SframeVersion::V3, saved(Abi::Amd64)), 0);
    assert_eq!(left_out(Abi::S390x, SframeVersion::V2Errata1, saved(Abi::S390x)), 1);
    assert_eq!(left_out(Abi::S390x, SframeVersion::V3, saved(Abi::S390x)), 0);

    let with = |abi, change: fn(FrameState) -> FrameState| Function {
        frames: vec![FrameAt { offset: 0, frame: change(FrameState::at_entry(abi)) }],
        ..Function::leaf(abi, "odd")
    };
    let outermost: fn(FrameState) -> FrameState = |frame| FrameState { ra: ValueRule::Undefined, ..frame };
    assert_eq!(left_out(Abi::Amd64, SframeVersion::V2Errata1, with(Abi::Amd64, outermost)), 1);
    assert_eq!(left_out(Abi::Amd64, SframeVersion::V3, with(Abi::Amd64, outermost)), 0);
    // FP saved without the return address: no form on AArch64, a filler on s390x.
    let fp_alone: fn(FrameState) -> FrameState = |frame| FrameState { fp: ValueRule::AtCfa(-72), ..frame };
    assert_eq!(left_out(Abi::Aarch64, SframeVersion::V3, with(Abi::Aarch64, fp_alone)), 1);
    assert_eq!(left_out(Abi::S390x, SframeVersion::V3, with(Abi::S390x, fp_alone)), 0);
    // A return address at CFA+0 would read as not saved on s390x; in V3 it has a flexible row.
    let at_zero: fn(FrameState) -> FrameState = |frame| FrameState { ra: ValueRule::AtCfa(0), ..frame };
    assert_eq!(left_out(Abi::S390x, SframeVersion::V2Errata1, with(Abi::S390x, at_zero)), 1);
    assert_eq!(left_out(Abi::S390x, SframeVersion::V3, with(Abi::S390x, at_zero)), 0);
    // 164 is not a multiple of 8 away from 160: scaled it would lose bits in every form.
    let unaligned: fn(FrameState) -> FrameState =
        |frame| FrameState { cfa: CfaRule::Register { reg: Reg(15), offset: 164 }, ..frame };
    assert_eq!(left_out(Abi::S390x, SframeVersion::V3, with(Abi::S390x, unaligned)), 1);
}

#[test]
fn calls_need_their_callee() {
    let lost = vec![Function::framed(Abi::Amd64, "framed", "nowhere")];
    let refused = Sample::new(Abi::Amd64, SframeVersion::V3, FileKind::Executable, lost);
    assert!(matches!(refused, Err(SampleError::Callee { callee, .. }) if callee == "nowhere"));
    assert!(Function::signed(Abi::S390x, "signed", "leaf", PacKey::A).is_none());
}
