//! Every frozen executable runs from `_start` to its exit in exactly the instructions it is known to take, and at each step
//! the innermost frame fits the machine's state where that can be told without any table.

mod common;
#[path = "common/samples.rs"]
mod samples;

use machine::{End, Plan, run};
use model::{Event, Step};

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
                    // At the first instruction of a function the ABI fixes the CFA and the place of the return address.
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
                Event::Unwound => panic!("{file}: nothing unwinds, yet frames were dropped at {}", step.pc),
                Event::Entry => assert_eq!(steps, 1),
                Event::Sequential | Event::Jump => {}
            }
            assert_eq!(step.frames.depth() as u64, calls - returns, "{file} {}", step.pc);
            assert!(step.frames.iter().is_sorted_by_key(|frame| frame.cfa), "{file}: CFAs rise outwards");
        };
        let run = run(&Plan::new(&image), &mut observer).expect("runs");
        assert_eq!((run.end, run.steps, steps), (End::Exit(status), instructions, instructions), "{folder}/{file}");
        // `_start` calls `ms`, and it returns before the exit: no call is left open.
        assert_eq!(calls, returns, "{folder}/{file}");
        // `ms`, `sw`, `rec(5)` down to `rec(1)`, and what that calls; optimisation joins some.
        assert!(run.max_depth >= 7, "{folder}/{file}: {}", run.max_depth);
    }
}
