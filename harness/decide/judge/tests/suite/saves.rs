//! The true frame names the slot into which a value was saved, and none that only holds an equal
//! one.

use judge::saves::Saves;
use judge::tables::Tables;
use judge::witness::Witness;
use types::{Abi, Bytes, Event, Frame, FrameRegs, Frames, Image, Outermost, Pc, Regs, Stack, Step};

use crate::eh_frame_hdr::{TEXT, image};

const CFA: u64 = 0x7000_0040;
/// `push %rbp`
const PUSH: &[u8] = &[0x55];

/// Calls `look` with a step in a frame of eight words.
fn at<T>(pc: u64, (sp, fp): (u64, u64), caller_fp: u64, mut words: [u64; 8], look: impl Fn(&Step<'_>) -> T) -> T {
    words[7] = 0x40_2000;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let frames = [Frame::called(Pc(0x40_2000), CFA, caller_fp)];
    let regs = Regs { abi: Abi::Amd64, sp, fp, ra: pc, others: &FrameRegs::none() };
    look(&Step {
        pc: Pc(pc),
        thread: types::ThreadId::FIRST,
        event: Event::Sequential,
        regs,
        stack: Stack::new(CFA - 64, &bytes, sp - 128, types::ByteOrder::Little, &()),
        frames: Frames(&frames),
        outermost: Outermost::Begun,
        changes: 0,
        earlier_calls: &(),
    })
}

fn claim(saves: &Saves, image: &Image, pc: u64, words: [u64; 8], caller_fp: u64) -> String {
    let tables = Tables::new(image);
    at(pc, (CFA - 48, 0x1234), caller_fp, words, |step| {
        Witness::new(step, saves, &tables, image).claim(Abi::Amd64).to_string()
    })
}

#[test]
fn the_slot_of_the_save_is_named_whatever_its_value() {
    let mut image = image(&[], Vec::new());
    image.sections[0].bytes = Bytes::from_static(PUSH);
    let zeros = [0; 8];
    let unknown = "cfa=rsp+48 ra=[cfa-8] fp=elsewhere";
    assert_eq!(claim(&Saves::default(), &image, TEXT, zeros, 0), unknown);
    // Pushed with SP 24 below the CFA: the slot is 32 below it.
    let tables = Tables::new(&image);
    let saves = at(TEXT, (CFA - 24, 0), 0, zeros, |step| {
        let mut saved = Saves::default();
        saved.record(step, &tables, &image);
        saved
    });
    assert_eq!(claim(&saves, &image, TEXT, zeros, 0), "cfa=rsp+48 ra=[cfa-8] fp=[cfa-32]");
    // A slot that was overwritten is not where the value is.
    assert_eq!(claim(&saves, &image, TEXT, [0, 0, 0, 0, 7, 0, 0, 0], 0), unknown);
}

#[test]
fn without_a_save_only_an_unambiguous_slot_is_named() {
    let image = image(&[], Vec::new());
    let fp = 0x7000_0090;
    let named = |words| claim(&Saves::default(), &image, TEXT, words, fp);
    assert_eq!(named([0, 0, 0, 0, 0, fp, 0, 0]), "cfa=rsp+48 ra=[cfa-8] fp=[cfa-24]");
    assert_eq!(named([0, 0, 0, 0, fp, fp, 0, 0]), "cfa=rsp+48 ra=[cfa-8] fp=elsewhere");
}
