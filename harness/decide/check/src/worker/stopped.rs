//! Executes up to a stop, because the run killed a worker there, and describes the death.

use std::ops::Range;

use isa::{Disassembler, Instruction};
use linux::Absent;
use machine::{AtLimit, Backend as _, End, MachineError, Plan, Run, Start, Unicorn, position};
use types::memo::Memo;
use types::{Abi, Image, Pc, SignalCounts, StopReason};

use crate::protocol::{At, Stop};

/// Executes blocks of code, each alone and in order, in a process that may die: returns the number
/// of blocks that the emulator survived; `None` if it could not be tried.
pub type Survived<'a> = &'a dyn Fn(Abi, &[Vec<u8>]) -> Option<usize>;

/// The stops of the runs of a file, and the instruction that is expected at each.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stops<'a> {
    pub(crate) all: &'a [Stop],
    pub(crate) survived: Option<Survived<'a>>,
}

/// Maximum number of instructions that the emulator translates at a time (`TCG_MAX_INSNS`), and the
/// size of the pages that a block does not cross.
const MOST_TRANSLATED: usize = 512;
const PAGE: u64 = 4096;

/// Executes a plan as the file's run number `number`, up to one of the stops.
pub(crate) fn run_until<M: Memo>(
    engine: Unicorn,
    plan: &Plan<'_>,
    number: u64,
    stops: Stops<'_>,
    observer: &mut M,
) -> Result<Run, MachineError> {
    let Some(stop) = stops.all.iter().find(|stop| stop.run == number) else { return engine.run(plan, observer) };
    let (engine, step_limit) = match stop.at {
        At::Start => {
            position::leave_out();
            let pc = match plan.start {
                Start::ElfEntry => plan.image.entry,
                Start::Function(pc) => pc,
            };
            let message = format!("{} before the first instruction", stop.cause);
            let end = End::Undecided { reason: stop.reason, pc, message };
            let signals = SignalCounts::default();
            return Ok(Run {
                steps: 0,
                end,
                max_depth: 0,
                written: 0,
                output: Vec::new(),
                mapped: Vec::new(),
                absent: Absent::default(),
                refused: Vec::new(),
                threads: 1,
                processes: 1,
                programs: 1,
                signals,
            });
        }
        At::Before(step) => (engine, step - 1),
        At::After(step) => (Unicorn { at_limit: AtLimit::OverwriteCode }, step),
    };
    let bounded = Plan { step_limit: plan.step_limit.min(step_limit), ..plan.clone() };
    let ran = engine.run(&bounded, observer)?;
    Ok(Run { end: stops.end(stop, ran.end, plan.image), ..ran })
}

impl Stop {
    /// How the worker died, and its position: used if the run is not repeated, so that no more is
    /// known.
    pub(crate) fn message(&self, image: &Image) -> String {
        format!("{} at {}, or when it translated the code after it", self.cause, self.last_instruction(image))
    }

    /// The last instruction that the worker reached.
    fn last_instruction(&self, image: &Image) -> String {
        let disassembler = Disassembler::new(image);
        instruction(&disassembler, image, self.last..disassembler.end_of(self.last))
    }
}

impl Stops<'_> {
    /// The reported end of a run that ended at the stop.
    fn end(self, stop: &Stop, end: End, image: &Image) -> End {
        let End::Undecided { reason, pc, .. } = end else { return end };
        let cause = &stop.cause;
        let last = || stop.last_instruction(image);
        let message = match (stop.at, reason) {
            (_, StopReason::TimeLimit) => return end,
            (At::Before(_), StopReason::StepLimit) if stop.reason == StopReason::EngineDied => {
                format!("{cause} at {}", last())
            }
            (At::After(_), StopReason::StepLimit) => match self.deadly(image, pc) {
                Some((culprit, place)) => format!("{cause} when it translated {culprit} at {place}"),
                None => format!("{cause} at {}, but not at a second try", last()),
            },
            _ => stop.message(image),
        };
        End::Undecided { reason: stop.reason, pc, message }
    }

    /// The instruction that crashes the emulator when it translates the block at an address, with
    /// its position. Found by translating the first instruction of the block, then the first two,
    /// and so on, in another worker.
    fn deadly(self, image: &Image, Pc(start): Pc) -> Option<(String, String)> {
        let disassembler = Disassembler::new(image);
        let page_end = (start / PAGE + 1) * PAGE;
        // If instructions may begin at any byte, an undecoded one has no known end: it is combined
        // with the next.
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
        // Without another worker it stays unknown.
        let survived = self.survived?(image.abi, &blocks).filter(|survived| *survived < blocks.len())?;
        let pc = survived.checked_sub(1).and_then(|before| ends.get(before).copied()).unwrap_or(start);
        let end = ends.get(survived).copied()?;
        Some((instruction(&disassembler, image, pc..end), image.place(pc)))
    }
}

/// An instruction's bytes and disassembly: `b38c0040 efpc %r4`.
pub(super) fn instruction(disassembler: &Disassembler<'_>, image: &Image, at: Range<u64>) -> String {
    let found = || {
        let decoded = disassembler.at(at.start)?;
        if decoded.mnemonic.is_none() {
            return Some(decoded.text);
        }
        let bytes = image.bytes_at(at.start)?.get(..usize::try_from(at.end.checked_sub(at.start)?).ok()?)?;
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(format!("{hex} {}", decoded.text.trim_end()))
    };
    found().unwrap_or_else(|| format!("{:#x}", at.start))
}
