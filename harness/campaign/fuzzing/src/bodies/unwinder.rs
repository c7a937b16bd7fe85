//! Fuzzes unwinding by arbitrary tables.

use sframe::{Placement, Section, Table};
use types::{Abi, Answer, CodePoint, FrameRegs, Pc, Reg, Stack};
use unwind::{CfiSections, CfiUnwinder, SframeUnwinder, Unwinder};

use super::image;

/// Lowest address of the stack.
const STACK: u64 = 0x7000_0000;

/// Words of the stack, each equal to its own address in some byte order.
const WORDS: [u8; 0x1000] = [0x70; 0x1000];

pub(crate) fn sframe(input: &[u8]) -> bool {
    let Some(image) = image::from_input(input, ".sframe") else { return false };
    let Some(section) = image.section(".sframe") else { return false };
    let Ok(parsed) = Section::parse(&section.bytes) else { return false };
    let Ok(table) = Table::new(&parsed, Placement::in_file(image.kind, section.address)) else { return false };
    let abi = table.abi();
    ask(abi, &SframeUnwinder::new(table))
}

pub(crate) fn cfi(input: &[u8]) -> bool {
    let Some((how, bytes)) = input.split_first() else { return false };
    let Some(abi) = Abi::ALL.into_iter().nth(usize::from(how & 3)) else { return false };
    let section = Some((image::ADDRESS, bytes));
    let sections = match how & 4 {
        0 => CfiSections { eh_frame: section, ..CfiSections::default() },
        _ => CfiSections { debug_frame: section, ..CfiSections::default() },
    };
    ask(abi, &CfiUnwinder::new(abi, &sections))
}

/// Looks up callers at the first boundaries of the first functions, and at PCs without a
/// description; returns true if a caller was found.
fn ask(abi: Abi, unwinder: &impl Unwinder) -> bool {
    let mut answered = false;
    let mut regs = FrameRegs::none();
    for number in 0..40 {
        regs.set(Reg(number), Some(0x1000 + u64::from(number)));
    }
    regs.set(abi.facts().sp, Some(STACK + 0x400));
    regs.set(abi.facts().fp, Some(STACK + 0x600));
    let stack = Stack::new(STACK, &WORDS, STACK + 0x400, abi.facts().order, &());
    for function in unwinder.functions().take(4) {
        for pc in unwinder.boundaries(function.start, function.end).take(32) {
            for at in [CodePoint::Exact(pc), CodePoint::AfterCall(Pc(pc.0.wrapping_add(1)))] {
                let Ok(row) = unwinder.row(at) else { continue };
                assert!(unwinder.rules(row, at.lookup()).covers(at.lookup()), "a row answers where it does not hold");
                if let Ok(Answer::Caller(caller)) = unwinder.evaluate(row, at, &regs, &stack) {
                    answered = true;
                    let _ = unwinder.caller_regs(row, at, &caller, &regs, &stack);
                }
            }
        }
    }
    for pc in [0, 0x1000, u64::MAX] {
        let _ = unwinder.caller(CodePoint::Exact(Pc(pc)), &regs, &stack);
        let _ = unwinder.caller(CodePoint::AfterCall(Pc(pc)), &regs, &stack);
    }
    answered
}
