//! Cases that tests with machine code cannot show, or only with long code.

use types::{LeftBy, PacKey};

use super::*;
use crate::pac::PacOp;

/// A shadow stack with manual input. Every instruction is four bytes long.
struct Feeder(Shadow, Branch);

impl Feeder {
    fn new(abi: Abi) -> Self {
        Feeder(Shadow::new(abi), Branch::Other)
    }

    /// `ra` is LR on link-register targets, the word at the top of the stack on AMD64.
    fn at(&mut self, pc: u64, sp: u64, ra: u64) -> (Event, usize) {
        let at = Observation { pc, size: 4, sp, fp: sp, link: ra };
        let event = self.0.observe(&at, || Some(ra), |_| self.1);
        (event, self.0.frames().len())
    }
}

#[test]
fn a_jump_that_finds_the_next_address_below_sp_is_no_call() {
    let mut fed = Feeder::new(Abi::Amd64);
    assert_eq!(fed.at(0x100, 0x1000, 0), (Event::Entry, 0));
    // No calls: SP falls by 16, or the word is not the return address.
    assert_eq!(fed.at(0x200, 0xff0, 0x104), (Event::Jump, 0));
    assert_eq!(fed.at(0x300, 0xfe8, 0x208), (Event::Jump, 0));
    assert_eq!(fed.at(0x400, 0xfe0, 0x304), (Event::Call, 1));
}

#[test]
fn frames_are_followed_after_a_return_that_skips_some() {
    // Three nested calls, then control at the outermost frame's return address and SP.
    let mut fed = Feeder::new(Abi::Aarch64);
    fed.at(0x100, 0x1000, 0);
    assert_eq!(fed.at(0x200, 0x1000, 0x104), (Event::Call, 1));
    fed.at(0x204, 0xff0, 0x104);
    assert_eq!(fed.at(0x300, 0xff0, 0x208), (Event::Call, 2));
    fed.at(0x304, 0xfe0, 0x208);
    assert_eq!(fed.at(0x400, 0xfe0, 0x308), (Event::Call, 3));
    assert_eq!(fed.at(0x104, 0x1000, 0x104), (Event::Unwound, 0));
    assert_eq!(fed.0.max_depth(), 3);
}

#[test]
fn a_landing_needs_a_call_of_a_function_that_still_runs() {
    let mut fed = Feeder::new(Abi::Aarch64);
    fed.at(0x100, 0x1000, 0);
    // F at 0x200 calls; the call returns at 0x204 with SP 0xff0; then F returns.
    fed.at(0x200, 0x1000, 0x104);
    fed.at(0x1f8, 0xff0, 0x104);
    fed.at(0x1fc, 0xff0, 0x104);
    assert_eq!(fed.at(0x300, 0xff0, 0x200), (Event::Call, 2));
    assert_eq!(fed.at(0x200, 0xff0, 0x200), (Event::Return, 1));
    assert_eq!(fed.at(0x104, 0x1000, 0x104), (Event::Return, 0));
    // Another function with the same SP 0xff0 calls G, and G jumps to 0x200: F has ended, so G
    // stays.
    assert_eq!(fed.at(0x500, 0x1000, 0x108), (Event::Call, 1));
    fed.at(0x504, 0xff0, 0x108);
    assert_eq!(fed.at(0x600, 0xff0, 0x508), (Event::Call, 2));
    assert_eq!(fed.at(0x200, 0xff0, 0x508), (Event::Jump, 2));
}

#[test]
fn the_innermost_of_equal_frames_returns_first() {
    // Two functions without stack usage: the SP of their callers is the same.
    let mut fed = Feeder::new(Abi::S390x);
    fed.at(0x100, 0x1000, 0);
    assert_eq!(fed.at(0x200, 0x1000, 0x104), (Event::Call, 1));
    assert_eq!(fed.at(0x300, 0x1000, 0x204), (Event::Call, 2));
    assert_eq!(fed.0.frames()[1].cfa, 0x1000 + 160);
    assert_eq!(fed.at(0x204, 0x1000, 0x204), (Event::Return, 1));
    assert_eq!(fed.at(0x104, 0x1000, 0x104), (Event::Return, 0));
}

#[test]
fn sp_that_wanders_above_the_frame_ends_it_only_when_control_moves() {
    let mut fed = Feeder::new(Abi::Amd64);
    fed.at(0x100, 0x1000, 0);
    assert_eq!(fed.at(0x200, 0xff8, 0x104), (Event::Call, 1));
    assert_eq!(fed.at(0x204, 0x1100, 0), (Event::Sequential, 1));
    assert_eq!(fed.at(0x300, 0x1100, 0), (Event::Unwound, 0));
}

#[test]
fn a_return_instruction_ends_the_innermost_frame_however_low_sp_is() {
    for abi in Abi::ALL {
        let size = if abi.facts().link_register { 0 } else { 8 };
        let mut fed = Feeder::new(abi);
        fed.at(0x100, 0x1000, 0);
        assert_eq!(fed.at(0x200, 0x1000 - size, 0x104), (Event::Call, 1), "{abi}");
        // The function calls itself, and jumps to the return address of that call while its own SP
        // is low.
        fed.at(0x2fc, 0xff0, 0x104);
        assert_eq!(fed.at(0x200, 0xff0 - size, 0x300), (Event::Call, 2), "{abi}");
        fed.at(0x204, 0xfe0, 0x300);
        for branch in [Branch::Relative, Branch::Other] {
            fed.1 = branch;
            assert_eq!(fed.at(0x300, 0xfe0, 0x300), (Event::Jump, 2), "{abi} {branch:?}");
            fed.at(0x304, 0xfe0, 0x300);
        }
        fed.1 = Branch::Return;
        assert_eq!(fed.at(0x104, 0xfe0, 0x104), (Event::Jump, 2), "{abi}: not the innermost frame's");
        assert_eq!(fed.at(0x300, 0xfe0, 0x300), (Event::Return, 1), "{abi}");
        // The caller releases its own stack and the 16 bytes that the callee left allocated.
        assert_eq!(fed.at(0x104, 0x1000, 0x104), (Event::Return, 0), "{abi}");
    }
}

#[test]
fn a_relative_branch_of_a_longjmp_under_way_lands_nowhere() {
    for abi in Abi::ALL {
        let size = if abi.facts().link_register { 0 } else { 8 };
        let mut fed = Feeder::new(abi);
        fed.at(0x100, 0x1000, 0);
        fed.at(0x200, 0x1000 - size, 0x104);
        fed.at(0x204, 0xff0, 0x104);
        assert_eq!(fed.at(0x300, 0xff0 - size, 0x208), (Event::Call, 2), "{abi}");
        // SP equals that of the function at 0x200; the jump skips an instruction, the next one goes
        // to the address where SP had this value.
        assert_eq!(fed.at(0x304, 0xff8, 0x208), (Event::Sequential, 2), "{abi}");
        fed.1 = Branch::Relative;
        assert_eq!(fed.at(0x310, 0xff8, 0x208), (Event::Jump, 2), "{abi}");
        fed.1 = Branch::Other;
        assert_eq!(fed.at(0x210, 0xff8, 0x208), (Event::Unwound, 1), "{abi}");
    }
}

/// `__builtin_setjmp` and the call that jumps are in one function: SP is the caller's at once.
#[test]
fn a_longjmp_to_a_place_in_the_caller_that_no_call_made_lands_on_amd64() {
    let mut fed = Feeder::new(Abi::Amd64);
    fed.at(0x100, 0x1000, 0);
    assert_eq!(fed.at(0x200, 0xff8, 0x104), (Event::Call, 1));
    assert_eq!(fed.at(0x204, 0x1000, 0), (Event::Sequential, 1));
    fed.1 = Branch::Relative;
    assert_eq!(fed.at(0x210, 0x1000, 0), (Event::Jump, 1), "it branches meanwhile");
    fed.1 = Branch::Other;
    assert_eq!(fed.at(0x120, 0x1000, 0), (Event::Unwound, 0));
}

/// In a leaf of the other targets SP always equals the caller's: the evidence is that control lands
/// in the middle of the caller.
#[test]
fn elsewhere_it_has_to_come_into_the_middle_of_the_caller() {
    let function =
        |address, size| Symbol { name: "".into(), address, size, function: true, local: false, section: None };
    let called = |symbols: &[Symbol]| {
        let mut fed = Feeder(Shadow::new(Abi::Aarch64).with_functions(symbols), Branch::Other);
        fed.at(0x100, 0x1000, 0);
        assert_eq!(fed.at(0x200, 0x1000, 0x104), (Event::Call, 1));
        fed
    };
    let symbols = [function(0x200, 0x40), function(0x100, 0x40), function(0x300, 0x40)];
    assert_eq!(called(&symbols).at(0x120, 0x1000, 0x104), (Event::Unwound, 0));
    for (pc, what) in [(0x220, "a switch"), (0x310, "another function"), (0x100, "a tail call of the caller")] {
        assert_eq!(called(&symbols).at(pc, 0x1000, 0x104), (Event::Jump, 1), "{what}");
    }
    assert_eq!(called(&[]).at(0x120, 0x1000, 0x104), (Event::Jump, 1), "no symbols");
    let mut thrown = called(&symbols);
    thrown.1 = Branch::Return;
    assert_eq!(thrown.at(0x120, 0x1000, 0x120), (Event::Unwound, 0), "a throw that returns to its landing pad");
    let mut near = called(&symbols);
    near.1 = Branch::Relative;
    assert_eq!(near.at(0x120, 0x1000, 0x104), (Event::Jump, 1), "to a part of the caller");
}

#[test]
fn a_call_made_where_sp_has_passed_a_frame_ends_that_frame() {
    let mut fed = Feeder::new(Abi::Amd64);
    fed.at(0x100, 0x1000, 0);
    fed.at(0x200, 0xff8, 0x104);
    fed.at(0x204, 0x1100, 0);
    assert_eq!(fed.at(0x300, 0x10f8, 0x208), (Event::Call, 1));
    assert_eq!(fed.0.frames()[0].ra, Pc(0x208));
}

#[test]
fn signing_concerns_the_return_address_alone() {
    let mut fed = Feeder::new(Abi::Aarch64);
    fed.at(0x100, 0x1000, 0);
    fed.at(0x200, 0x1000, 0x104);
    let (plain, signed) = (0x104, 0x7700_0000_0000_0104);
    let never = |_| panic!("it was not signed");
    let state = |fed: &Feeder| (fed.0.frames()[0].raw_ra, fed.0.frames()[0].signed_by);
    fed.0.authenticate(PacOp::Sign(PacKey::B), 0x999, 0x7700_0000_0000_0999, never);
    assert_eq!(state(&fed), (plain, None), "another value was signed");
    fed.0.authenticate(PacOp::Sign(PacKey::B), plain, signed, never);
    assert_eq!(state(&fed), (signed, Some(PacKey::B)));
    fed.0.authenticate(PacOp::Authenticate(PacKey::A), signed, 0x2000_0000_0000_0104, |_| false);
    assert_eq!(state(&fed), (signed, Some(PacKey::B)), "authentication failed");
    for op in [PacOp::Strip, PacOp::Authenticate(PacKey::B)] {
        fed.0.authenticate(op, signed, plain, |value| value == signed);
        assert_eq!(state(&fed), (signed, Some(PacKey::B)), "a copy was stripped or authenticated");
    }
    fed.0.authenticate(PacOp::Strip, signed, plain, |_| false);
    assert_eq!(state(&fed), (plain, None), "the last copy was stripped");
}

#[test]
fn calls_of_ended_functions_are_swept_away() {
    let mut calls = Calls::default();
    calls.push_level();
    calls.record(0x10, 0x20);
    // Many short functions, one level deeper.
    for call in 0..1_000_000 {
        calls.push_level();
        calls.record(0x1000 + call, 0x30);
        calls.truncate_levels(1);
    }
    assert!(calls.len() <= 1 << 18, "{}", calls.len());
    assert_eq!(calls.level_of(0x10, 0x20), Some(1));
    assert_eq!(calls.level_of(0x1000 + 999_999, 0x30), None);
}

#[test]
fn a_call_of_the_next_instruction_is_one_where_a_function_begins() {
    let symbol = |address| Symbol { name: "".into(), address, size: 8, function: true, local: false, section: None };
    for abi in Abi::ALL {
        let pushed = if abi.facts().link_register { 0x1000 } else { 0xff8 };
        let (call, none) = ((Event::Call, 1), (Event::Sequential, 0));
        // Without a symbol for either instruction, AMD64 code that pops reads its own address.
        let popped = if abi.facts().link_register { call } else { none };
        for (starts_at, branch, expected) in [
            (0x104, Branch::Pops, call),
            (0x100, Branch::Other, none),
            (0x200, Branch::Other, call),
            (0x200, Branch::Pops, popped),
        ] {
            let mut fed = Feeder(Shadow::new(abi).with_functions(&[symbol(starts_at)]), branch);
            fed.at(0x100, 0x1000, 0);
            assert_eq!(fed.at(0x104, pushed, 0x104), expected, "{abi}");
        }
        // Sequential control to a function's first instruction is not a call.
        let mut fed = Feeder(Shadow::new(abi).with_functions(&[symbol(0x104)]), Branch::Other);
        fed.at(0x100, 0x1000, 0);
        assert_eq!(fed.at(0x104, pushed, 0x200), (Event::Sequential, 0), "{abi}");
    }
}

/// F at 0x200 calls G at 0x300, which a signal interrupts before 0x304 with SP 0xf00; its handler
/// is at 0x800 and begins with SP 0xe00.
fn interrupted(abi: Abi) -> Feeder {
    let mut fed = Feeder::new(abi);
    let down = abi.facts().cfa_minus_sp_at_entry as u64 % 160;
    fed.at(0x100, 0x1000, 0);
    assert_eq!(fed.at(0x200, 0x1000 - down, 0x104), (Event::Call, 1));
    fed.at(0x204, 0xfc0, 0);
    assert_eq!(fed.at(0x300, 0xfc0 - down, 0x208), (Event::Call, 2));
    fed.at(0x304, 0xf00, 0);
    let by = Interruption { pc: 0x304, sp: 0xf00, fp: 0xf0f0, restorer: 0x900, handler_sp: 0xe00, handler_fp: 0xe0e0 };
    fed.0.interrupt(&by);
    assert_eq!(fed.at(0x800, 0xe00, 0x900), (Event::Signal, 4));
    fed
}

#[test]
fn a_signal_is_a_frame_of_its_own_between_the_handler_and_what_it_interrupted() {
    for abi in Abi::ALL {
        let mut fed = interrupted(abi);
        let frames = fed.0.frames();
        let (left, handler) = (frames[2], frames[3]);
        assert_eq!((left.ra, left.fp, left.left_by), (Pc(0x304), 0xf0f0, LeftBy::Signal), "{abi}");
        assert_eq!(fed.0.caller_sp(&left), 0xf00, "{abi}");
        assert_eq!((handler.ra, handler.fp, handler.left_by), (Pc(0x900), 0xe0e0, LeftBy::Call), "{abi}");
        // The handler returns to the restorer, whose system call ends both frames.
        let after = fed.0.caller_sp(&handler);
        assert_eq!(fed.at(0x900, after, 0x900), (Event::Return, 3), "{abi}");
        assert!(!fed.0.resume(0xf08), "{abi}: nothing was interrupted with this SP");
        assert!(fed.0.resume(0xf00), "{abi}");
        assert_eq!(fed.at(0x304, 0xf00, 0), (Event::Resumed, 2), "{abi}");
        assert_eq!((fed.at(0x308, 0xf00, 0), fed.0.stacks_left()), ((Event::Sequential, 2), 0), "{abi}");
    }
}

#[test]
fn a_longjmp_out_of_a_handler_ends_the_frames_of_the_signal() {
    for abi in Abi::ALL {
        let mut fed = interrupted(abi);
        // SP is back at F's call of G; a relative branch is not yet the landing.
        fed.0.set_away(Some(0));
        fed.at(0x804, 0xfc0, 0);
        fed.1 = Branch::Relative;
        assert_eq!(fed.at(0x820, 0xfc0, 0), (Event::Jump, 4), "{abi}");
        fed.1 = Branch::Other;
        assert_eq!(fed.at(0x208, 0xfc0, 0x208), (Event::Unwound, 1), "{abi}");
        assert_eq!(fed.0.stacks_left(), 0, "{abi}");
    }
}
