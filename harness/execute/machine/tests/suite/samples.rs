//! Every frozen executable runs from `_start` to its exit in exactly the known number of
//! instructions, and at each step the innermost frame matches the machine's state if that can be
//! checked without a table.

use crate::common;
use crate::common::samples;

use machine::{End, Plan, run};
use types::{Event, Step};

/// In code that keeps a frame record (saved FP, then return address, at FP: psABI AMD64 1.0 figure
/// 3.3, AAPCS64 6.4.6), the record of each caller must hold the machine's values for the next
/// frame. This is an independent check of the truth, from memory only.
#[test]
fn frames_agree_with_the_frame_records_of_unoptimised_code() {
    let with_records = |folder: &str, file: &str| folder != "s390x" && file.contains("-O0-");
    for (folder, file, instructions, _) in
        samples::SAMPLES.into_iter().filter(|(folder, file, ..)| with_records(folder, file))
    {
        let image = common::read_elf(&samples::path(folder, file));
        let mut compared = 0u64;
        let mut observer = |step: &Step<'_>| {
            let frames = step.frames.0;
            for pair in frames.windows(2) {
                let (outer, inner) = (pair[0], pair[1]);
                let record = (step.stack.read(inner.fp), step.stack.read(inner.fp.wrapping_add(8)));
                assert_eq!(record, (Ok(outer.fp), Ok(outer.raw_ra)), "{folder}/{file} at {}", step.pc);
                compared += 1;
            }
        };
        run(&Plan::new(&image), &mut observer).expect("runs");
        // At most instructions three or more frames are live.
        assert!(compared > instructions, "{folder}/{file}: {compared}");
    }
}

#[test]
fn all_run_to_their_exit() {
    for (folder, file, instructions, status) in samples::SAMPLES {
        let image = common::read_elf(&samples::path(folder, file));
        let facts = image.abi.facts();
        let (mut steps, mut calls, mut returns) = (0u64, 0u64, 0u64);
        let mut observer = |step: &Step<'_>| {
            steps += 1;
            match step.event {
                Event::Call => {
                    calls += 1;
                    // At the first instruction of a function the ABI fixes the CFA and the location
                    // of the return address.
                    let frame = step.frames.innermost().expect("a frame after a call");
                    assert_eq!(
                        frame.cfa,
                        step.regs.sp.wrapping_add_signed(facts.cfa_minus_sp_at_entry),
                        "{file} {}",
                        step.pc
                    );
                    let ra = if facts.link_register { Ok(step.regs.ra) } else { step.stack.read(step.regs.sp) };
                    assert_eq!(ra, Ok(frame.ra.0), "{file} {}", step.pc);
                    assert_eq!(frame.fp, step.regs.fp);
                }
                Event::Return => returns += 1,
                Event::Unwound | Event::Signal | Event::Resumed | Event::Switched => {
                    panic!("{file}: nothing unwinds, yet {:?} at {}", step.event, step.pc)
                }
                Event::Entry => assert_eq!(steps, 1),
                Event::Sequential | Event::Jump => {}
            }
            assert_eq!(step.frames.depth() as u64, calls - returns, "{file} {}", step.pc);
            assert!(step.frames.iter().is_sorted_by_key(|frame| frame.cfa), "{file}: CFAs rise outwards");
        };
        let run = run(&Plan::new(&image), &mut observer).expect("runs");
        assert_eq!((run.end, run.steps, steps), (End::Exit(status), instructions, instructions), "{folder}/{file}");
        // `_start` calls `ms`, which returns before the exit: no call is left open.
        assert_eq!(calls, returns, "{folder}/{file}");
        // `ms`, `sw`, `rec(5)` down to `rec(1)`, and their callees; optimization merges some.
        assert!(run.max_depth >= 7, "{folder}/{file}: {}", run.max_depth);
    }
}
