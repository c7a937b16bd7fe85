//! Where a run ends that killed a worker, and what is said of it there.

use std::ops::{ControlFlow, Range};

use isa::{Disassembler, Instruction};
use machine::position::{self, Position};
use machine::{AtLimit, End, MachineError, Plan, Run, Start, run_with_memo};
use serde::{Deserialize, Serialize};
use types::memo::Memo;
use types::{Image, Pc, SignalsTold, StopReason};

use super::{Cause, Death, Limits, execute_until};

/// Where a run is to end because it killed a worker there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Which run of the file's, from 1.
    run: u64,
    at: At,
    reason: StopReason,
    /// How the worker died.
    cause: String,
    /// The last instruction that it came to.
    last: String,
}

/// A place in a run, by instructions counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum At {
    /// The run is not begun.
    Start,
    /// Before this instruction.
    Before(u64),
    /// After it, before the emulator translates what comes next: the instruction that it does not survive is most often there.
    After(u64),
}

impl Stop {
    pub(super) fn of(death: &Death, image: &Image) -> Stop {
        let Position { runs, steps, pc, .. } = death.position;
        let at = match death.cause {
            _ if steps == 0 => At::Start,
            Cause::Signal(_) | Cause::Status(_) => At::After(steps),
            // To see the same again may cost as much again.
            Cause::Hung | Cause::Memory => At::Before(steps),
        };
        let disassembler = Disassembler::new(image);
        let last = instruction(&disassembler, image, pc..disassembler.end_of(pc));
        Stop { run: runs, at, reason: death.cause.reason(), cause: death.cause.to_string(), last }
    }

    /// Which run of the file's, from 1.
    pub(crate) fn run(&self) -> u64 {
        self.run
    }

    /// The word in reports.
    pub(crate) fn reason(&self) -> StopReason {
        self.reason
    }

    /// How the worker died, and how far it had come: where the run is left out, so that no more of it is found out.
    pub(crate) fn message(&self) -> String {
        format!("{} at {}, or when it translated what comes next", self.cause, self.last)
    }

    /// Adds it. Where the same run was to end already, and yet killed another worker, it ends earlier.
    pub(super) fn add_to(mut self, stops: &mut Vec<Stop>) {
        let Some(known) = stops.iter_mut().find(|stop| stop.run == self.run) else { return stops.push(self) };
        self.at = match (known.at, self.at) {
            (At::After(last), At::After(now)) if now == last => At::Before(now),
            (At::After(last) | At::Before(last), At::After(now) | At::Before(now)) if now < last => self.at,
            _ => At::Start,
        };
        *known = self;
    }
}

/// Executes a plan as the `number`-th run of a file's, to where one of the stops says.
///
/// # Errors
/// As [`machine::run_with_memo`].
pub(crate) fn run_until<M: Memo>(
    plan: &Plan<'_>,
    number: u64,
    stops: &[Stop],
    observer: &mut M,
) -> Result<Run, MachineError> {
    let Some(stop) = stops.iter().find(|stop| stop.run == number) else { return run_with_memo(plan, observer) };
    let bounded = match stop.at {
        At::Start => {
            position::leave_out();
            let pc = match plan.start {
                Start::ElfEntry => plan.image.entry,
                Start::Function(pc) => pc,
            };
            let message = format!("{} before the first instruction", stop.cause);
            let end = End::Undecided { reason: stop.reason, pc, message };
            let signals = SignalsTold::default();
            return Ok(Run {
                steps: 0,
                end,
                max_depth: 0,
                written: 0,
                output: Vec::new(),
                mapped: Vec::new(),
                signals,
            });
        }
        At::Before(step) => Plan { step_limit: plan.step_limit.min(step - 1), blocks_from: u64::MAX, ..plan.clone() },
        At::After(step) => {
            Plan { step_limit: plan.step_limit.min(step), at_limit: AtLimit::OverwriteCode, ..plan.clone() }
        }
    };
    let ran = run_with_memo(&bounded, observer)?;
    Ok(Run { end: stop.end(ran.end, plan.image), ..ran })
}

impl Stop {
    /// How the run is said to have ended, which ended so at the stop.
    fn end(&self, end: End, image: &Image) -> End {
        let End::Undecided { reason, pc, .. } = end else { return end };
        let (cause, last) = (&self.cause, &self.last);
        let message = match (self.at, reason) {
            (_, StopReason::TimeLimit) => return end,
            (At::Before(_), StopReason::StepLimit) if self.reason == StopReason::EmulatorDied => {
                format!("{cause} at {last}")
            }
            (At::After(_), StopReason::StepLimit) => match deadly(image, pc) {
                Some((culprit, place)) => format!("{cause} when it translated {culprit} at {place}"),
                None => format!("{cause} at {last}, and not when that was tried again"),
            },
            _ => format!("{cause} at {last}, or when it translated what comes next"),
        };
        End::Undecided { reason: self.reason, pc, message }
    }
}

/// The most instructions that the emulator translates at a time (`TCG_MAX_INSNS`), and the pages that it does not go beyond.
const MOST_TRANSLATED: usize = 512;
const PAGE: u64 = 4096;

/// The instruction that ends the emulator when it translates the block of code at an address, and its place. Found by translating the first
/// instruction of the block, the first two, and so on, in another worker.
fn deadly(image: &Image, Pc(start): Pc) -> Option<(String, String)> {
    let disassembler = Disassembler::new(image);
    let page_end = (start / PAGE + 1) * PAGE;
    // What is undecoded where any byte may begin an instruction has no known end: it goes with what follows.
    let has_end = |one: &Instruction| one.mnemonic.is_some() || one.length > 1;
    let ends: Vec<u64> = std::iter::successors(disassembler.at(start), |one| disassembler.at(one.pc + one.length))
        .take_while(|one| one.pc < page_end)
        .take(MOST_TRANSLATED)
        .filter(has_end)
        .map(|one| one.pc + one.length)
        .collect();
    let code = image.bytes_at(start)?;
    let beginning = |end: &u64| code.get(..usize::try_from(end - start).ok()?).map(<[u8]>::to_vec);
    let blocks: Vec<Vec<u8>> = ends.iter().map_while(beginning).collect();
    let mut survived = 0;
    let tried = execute_until(image.abi, &blocks, Limits::default(), |end| {
        survived += usize::from(end.is_ok());
        if end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    // Without another worker it stays unknown.
    tried.ok().filter(|_| survived < blocks.len())?;
    let pc = survived.checked_sub(1).and_then(|before| ends.get(before).copied()).unwrap_or(start);
    let end = ends.get(survived).copied()?;
    Some((instruction(&disassembler, image, pc..end), image.place(pc)))
}

/// An instruction's bytes and what they mean: `b3160000 sqxbr %f0, %f0`.
fn instruction(disassembler: &Disassembler<'_>, image: &Image, at: Range<u64>) -> String {
    let found = || {
        let decoded = disassembler.at(at.start)?;
        let bytes = image.bytes_at(at.start)?.get(..usize::try_from(at.end.checked_sub(at.start)?).ok()?)?;
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(format!("{hex} {}", decoded.text.trim_end()))
    };
    found().unwrap_or_else(|| format!("{:#x}", at.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(run: u64, at: At) -> Stop {
        Stop { run, at, reason: StopReason::EmulatorDied, cause: "died".to_owned(), last: "nop".to_owned() }
    }

    /// Each death makes the run end earlier than the one before: so there is an end.
    #[test]
    fn a_run_that_kills_again_ends_earlier() {
        use At::{After, Before, Start};
        let mut stops = vec![stop(2, After(4))];
        for (death, then) in [
            (After(7), After(7)),
            // It came as far again: the instruction itself did it.
            (After(7), Before(7)),
            (After(5), After(5)),
            (Before(4), Before(4)),
            (After(4), Start),
            (Start, Start),
        ] {
            stop(1, death).add_to(&mut stops);
            assert_eq!(stops, [stop(2, After(4)), stop(1, then)], "{death:?}");
        }
    }
}
