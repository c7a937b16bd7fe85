//! Programs for which both engines have the same states.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use libtest_mimic::Failed;
use machine::Unicorn;
use remote::{Both, Remote, StubSource};
use testing::samples;
use types::memo::NoMemo;
use types::{Abi, ImageKind, RunEnd, SframeVersion, SignalRequest, SignalTime, Step, StopReason};
use witness::{Backend as _, Plan};

use crate::{TARGETS, producers};

/// Number of compared steps of one executable in a normal test run.
pub(crate) const SAMPLE: u64 = 1_500;

static COMPARED: [AtomicU64; TARGETS.len()] = [const { AtomicU64::new(0) }; TARGETS.len()];

fn place(abi: Abi) -> usize {
    TARGETS.iter().position(|target| target.0 == abi).expect("a target")
}

/// Number of compared steps of a target.
pub(crate) fn compared(abi: Abi) -> u64 {
    COMPARED[place(abi)].load(Ordering::Relaxed)
}

/// The second engine for a file.
pub(crate) fn second(file: &[u8]) -> Remote {
    Remote { target: StubSource::Qemu { fetched: producers() }, file: file.to_vec().into() }
}

/// Compares the engines on a frozen executable.
pub(crate) fn frozen(file: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(file)?;
    let image = elf::load(&file.display().to_string(), &bytes.clone().into())?;
    let steps = if samples::all() { u64::MAX } else { SAMPLE };
    compare(&Plan { step_limit: steps, ..Plan::new(&image) }, &bytes)
}

/// Compares the engines on random programs, about a third of which are executables, with signals.
pub(crate) fn generated(abi: Abi, count: usize) -> Result<(), Failed> {
    let mut compared = 0;
    for number in 0.. {
        let built = generators::program::numbered(abi, SframeVersion::V3, 1, number).build()?;
        let bytes = built.sample.bytes()?;
        let name = format!("program {number} of seed 1");
        if elf::load(&name, &bytes.clone().into())?.kind != ImageKind::Executable {
            continue;
        }
        // Additional to the signals that the program sends to itself.
        let sent = SignalRequest { when: SignalTime::Random { count: 3, seed: number }, signal: None };
        let signals = if built.handles { vec![sent] } else { Vec::new() };
        let image = elf::load(&name, &bytes.clone().into())?;
        compare(&Plan { signals, ..Plan::new(&image) }, &bytes)
            .map_err(|failed| format!("{name}: {}", failed.message().unwrap_or_default()))?;
        compared += 1;
        if compared == count {
            break;
        }
    }
    Ok(())
}

/// Compares the engines to the end of the plan's run, or to its step limit.
pub(crate) fn compare(plan: &Plan<'_>, file: &[u8]) -> Result<(), Failed> {
    let both = Both::new(Unicorn::default(), second(file));
    let run = both.run(plan, &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let compared = both.compared();
    COMPARED[place(plan.image.abi)].fetch_add(compared.steps, Ordering::Relaxed);
    if compared.ended.is_some() || compared.steps != run.steps {
        return Err(format!("{} of {} steps were compared: {:?}", compared.steps, run.steps, compared.ended).into());
    }
    let whole = matches!(run.end, RunEnd::Exit(_) | RunEnd::Sentinel);
    let bounded =
        matches!(run.end, RunEnd::Undecided { reason: StopReason::StepLimit, .. }) && run.steps == plan.step_limit;
    if whole || bounded { Ok(()) } else { Err(format!("{:?}", run.end).into()) }
}

/// Maximum number of steps of a case: a few wait for ever.
const CASE: u64 = 20_000;
/// Reasons why comparisons of cases ended early, with counts.
static ENDED: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());

/// Compares the engines on a case of the matrix, from its entry to its end or as far as the second
/// engine can follow.
pub(crate) fn case(file: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(file)?;
    let image = elf::load(&file.display().to_string(), &bytes.clone().into())?;
    let both = Both::new(Unicorn::default(), second(&bytes));
    let plan = Plan { step_limit: CASE, ..Plan::new(&image) };
    both.run(&plan, &mut NoMemo(&mut |_: &Step<'_>| {}))?;
    let compared = both.compared();
    COMPARED[place(image.abi)].fetch_add(compared.steps, Ordering::Relaxed);
    if let Some(why) = compared.ended {
        let words: Vec<&str> = why.split(' ').filter(|word| !word.contains("0x")).take(12).collect();
        *ENDED.lock().unwrap_or_else(PoisonError::into_inner).entry(words.join(" ")).or_default() += 1;
    }
    Ok(())
}

/// Reasons why comparisons of cases ended early, with counts.
pub(crate) fn ended() -> BTreeMap<String, u64> {
    ENDED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The second engine alone shows the same number of steps, with the same number of frames.
pub(crate) fn alone(file: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(file)?;
    let image = elf::load(&file.display().to_string(), &bytes.clone().into())?;
    let plan = Plan { step_limit: SAMPLE, ..Plan::new(&image) };
    let (mut first, mut other) = (Vec::new(), Vec::new());
    let state = |step: &Step<'_>| {
        let ra = step.frames.innermost().map(|frame| frame.ra.0);
        // On AMD64 the true return address is in memory.
        let saved = step.frames.innermost().map(|frame| frame.cfa.wrapping_sub(8)).map(|at| step.stack.read(at).ok());
        let saved = if step.regs.abi == Abi::Amd64 { saved.flatten() } else { None };
        (step.pc.0, step.event, step.frames.depth(), ra, saved)
    };
    Unicorn::default().run(&plan, &mut NoMemo(&mut |step: &Step<'_>| first.push(state(step))))?;
    second(&bytes).run(&plan, &mut NoMemo(&mut |step: &Step<'_>| other.push(state(step))))?;
    match first.iter().zip(&other).position(|(one, other)| one != other) {
        None if first.len() == other.len() => Ok(()),
        at => Err(format!("{} and {} steps, first difference at {at:?}", first.len(), other.len()).into()),
    }
}
