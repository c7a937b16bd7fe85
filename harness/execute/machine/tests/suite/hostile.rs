//! Images that cannot be loaded are refused with the reason, before memory is allocated.

use crate::common::{CODE, RW, RX, image, load};
use machine::{MachineError, Plan, Start, run};
use types::{Abi, Image, ImageKind, Pc, Segment, Step};

fn refused(image: &Image) -> MachineError {
    run(&Plan::new(image), &mut |_: &Step<'_>| {}).expect_err("refused")
}

/// A program of one `hlt`, with a second segment.
fn with(second: Segment) -> Image {
    image(Abi::Amd64, CODE, vec![load(CODE, RX, &[0xf4], 1), second])
}

#[test]
fn relocatable_objects_and_empty_images_do_not_run() {
    let mut object = with(load(0x50_0000, RW, &[], 1));
    object.kind = ImageKind::Relocatable;
    assert_eq!(refused(&object), MachineError::NothingToRun("test".to_owned()));
    assert_eq!(refused(&image(Abi::S390x, 0, Vec::new())), MachineError::NothingToRun("test".to_owned()));
}

#[test]
fn a_start_must_be_code() {
    let mut image = with(load(0x50_0000, RW, &[], 0x1000));
    for address in [0, CODE + 1, 0x50_0000, u64::MAX] {
        image.entry = Pc(address);
        assert_eq!(refused(&image), MachineError::BadStart(address));
        let plan = Plan { start: Start::Function(Pc(address)), ..Plan::new(&image) };
        assert_eq!(run(&plan, &mut |_: &Step<'_>| {}), Err(MachineError::BadStart(address)));
    }
}

#[test]
fn sizes_and_addresses_are_bounded() {
    let limit = 1 << 30;
    let huge = refused(&with(load(0x1000_0000, RW, &[], 1 << 40)));
    assert!(matches!(huge, MachineError::TooLarge { limit: found, .. } if found == limit), "{huge:?}");
    // Two segments, each of which fits alone.
    let mut pair = with(load(0x1000_0000, RW, &[], 600 << 20));
    pair.segments.push(load(0x8000_0000, RW, &[], 600 << 20));
    assert!(matches!(refused(&pair), MachineError::TooLarge { .. }));
    for (address, size) in
        [(u64::MAX - 10, 5), (u64::MAX - 10, 100), (0x1000_0000, u64::MAX), (1 << 47, 1), (1 << 63, 16)]
    {
        assert_eq!(refused(&with(load(address, RW, &[], size))), MachineError::OutOfRange { address, size });
    }
    let overfull = refused(&with(load(0x1000_0000, RW, &[1, 2, 3], 2)));
    assert_eq!(overfull, MachineError::FileLargerThanMemory { address: 0x1000_0000, file: 3, memory: 2 });
}

#[test]
fn segments_are_counted() {
    let many = (0..65537).map(|n| load(CODE + n * 0x10, RX, &[0xf4], 1)).collect();
    let limit = MachineError::TooManySegments { count: 65537, limit: 65536 };
    assert_eq!(refused(&image(Abi::Amd64, CODE, many)), limit);
    // A section for each function, as of `-ffunction-sections`.
    let many = (0..3000).map(|n| load(CODE + n * 0x10, RX, &[0xf4], 1)).collect();
    let run = run(&Plan::new(&image(Abi::Amd64, CODE, many)), &mut |_: &Step<'_>| {}).expect("loads");
    assert_eq!(run.end, machine::End::Halt(Pc(CODE)));
}

#[test]
fn segments_must_not_overlap() {
    let overlap = MachineError::Overlap { address: CODE + 0x80, end: CODE + 0x100 };
    let segments = vec![load(CODE, RX, &[0xf4], 0x100), load(CODE + 0x80, RW, &[], 0x10)];
    assert_eq!(refused(&image(Abi::Amd64, CODE, segments)), overlap);
}

#[test]
fn segments_may_share_pages() {
    // Three segments in one page, the last reaching into the next page, and one that begins at that
    // page's end.
    let code = [0x88, 0x04, 0x25, 0x10, 0x00, 0x40, 0x00, 0xf4]; // mov %al,0x400010; hlt
    let segments = vec![
        load(CODE + 0x800, RW, &[2], 0x1000),
        load(CODE, RX, &code, code.len() as u64),
        load(CODE + 0x10, 4, &[1], 1),
        load(CODE + 0x2000, RW, &[3], 1),
    ];
    // The shared page is writable because one segment in it is.
    let run = run(&Plan::new(&image(Abi::Amd64, CODE, segments)), &mut |_: &Step<'_>| {}).expect("loads");
    assert_eq!(run.end, machine::End::Halt(Pc(CODE + 7)));
}

#[test]
fn stacks_and_arguments_are_bounded() {
    let image = with(load(0x50_0000, RW, &[], 1));
    let mut observer = |_: &Step<'_>| {};
    let stack = run(&Plan { stack_size: u64::MAX, ..Plan::new(&image) }, &mut observer);
    assert!(matches!(stack, Err(MachineError::TooLarge { .. })), "{stack:?}");
    let plan = Plan { arguments: vec!["x".repeat(1 << 20)], stack_size: 1 << 16, ..Plan::new(&image) };
    let arguments = run(&plan, &mut observer);
    assert!(matches!(arguments, Err(MachineError::ArgumentsTooLong { .. })), "{arguments:?}");
}

#[test]
fn an_image_where_the_stack_would_be_moves_the_stack() {
    let stack_place = 0x3ff_efff_0000;
    let image = image(Abi::Amd64, CODE, vec![load(CODE, RX, &[0x50, 0xf4], 2), load(stack_place, RW, &[], 0x1000)]);
    let mut sp = 0;
    let run = run(&Plan::new(&image), &mut |step: &Step<'_>| sp = step.regs.sp).expect("loads");
    assert_eq!(run.end, machine::End::Halt(Pc(CODE + 1)));
    assert!(sp < stack_place, "{sp:#x}");
}
