//! Stacks of real runs: random programs are executed, and where they are deepest registers, stack and true callers are kept. A reader that walks
//! owes all of the chain.

use generators::elf::FileKind;
use generators::program::numbered;
use generators::vectors::{self, Answer, Chain, Expected, Row, Vector, Word};
use machine::{Plan, run};
use model::{Abi, AbiFacts, CfaRule, FrameRegs, LeftBy, Reg, RegFile as _, SframeVersion, Step, ValueRule, table_name};
use rayon::prelude::*;

use crate::generate::combinations;

/// So many of each target and version.
const DRAWN: usize = 2;
/// Of so many programs, the first that are fit.
const TRIED: u64 = 2000;
/// Callers, at least.
const LEAST: usize = 3;
/// Bytes of stack, at most.
const MOST_STACK: u64 = 2048;
/// A program that runs longer is left there.
const STEPS: u64 = 50_000;

/// The vectors `valid/.../chain-N` of a seed, where their ids contain a text.
pub fn chains(seed: u64, text: &str) -> Vec<Vector> {
    let of = |(abi, version): (Abi, SframeVersion)| {
        let id = |number| format!("valid/{}/chain-{number}", table_name(version, abi));
        if !(1..=DRAWN).any(|number| id(number).contains(text)) {
            return Vec::new();
        }
        let fit = (0..TRIED).filter_map(|number| vector(abi, version, seed, number)).take(DRAWN);
        let named = fit.zip(1..).map(|(vector, number)| Vector { id: id(number), ..vector });
        named.filter(|vector| vector.id.contains(text)).collect()
    };
    combinations(None, None).into_par_iter().flat_map_iter(of).collect()
}

fn vector(abi: Abi, version: SframeVersion, seed: u64, number: u64) -> Option<Vector> {
    let program = numbered(abi, version, seed, number);
    if program.kind != FileKind::Executable {
        return None;
    }
    let table = vectors::program(abi, version, seed, number)?;
    let sample = program.build().ok()?.sample;
    let image = elf::load("chain", &sample.bytes().ok()?.into()).ok()?;
    let mut deepest: Option<Chain> = None;
    let mut keep = |step: &Step<'_>| {
        let most = deepest.as_ref().map_or(LEAST - 1, |chain| chain.callers.len());
        if step.frames.depth() > most {
            deepest = witnessed(abi, &table, step).or(deepest.take());
        }
    };
    run(&Plan { step_limit: STEPS, ..Plan::new(&image) }, &mut keep).ok()?;
    let chain = deepest?;
    let looked_up = chain.callers.iter().map(|pc| pc - 1).chain([chain.pc]);
    let rows = looked_up.filter_map(|pc| Some(Answer { pc, expected: at(&table, pc)?.clone() }));
    let mut answers: Vec<Answer> = table.answers.iter().cloned().chain(rows).collect();
    answers.sort_by_key(|answer| answer.pc);
    answers.dedup_by_key(|answer| answer.pc);
    let about =
        format!("The stack of program {number} of seed {seed} as it ran, {} callers deep.", chain.callers.len());
    Some(Vector { about, answers, chains: vec![chain], ..table })
}

/// The stack, where the table has rows by which all of it can be walked from these registers alone.
fn witnessed(abi: Abi, table: &Vector, step: &Step<'_>) -> Option<Chain> {
    let frames: Vec<_> = step.frames.iter().collect();
    let rows = frames.iter().map(|frame| frame.ra.0.checked_sub(1));
    let innermost = row(at(table, step.pc.0)?)?;
    if frames.iter().any(|frame| frame.left_by != LeftBy::Call) || innermost.signal {
        return None;
    }
    let mut ends = false;
    for (index, pc) in rows.enumerate() {
        let is_last = index + 1 == frames.len();
        match at(table, pc?)? {
            Expected::Row(row) if is_last => ends = row.frame.ra == ValueRule::Undefined,
            Expected::NoRow if is_last => ends = true,
            Expected::Row(row) if is_walkable(row, abi.facts()) => {}
            _ => return None,
        }
    }
    let regs = FrameRegs::snapshot(&step.regs);
    let facts = abi.facts();
    // What AMD64 counts as column 16 is the PC itself.
    let known = |reg: &Reg| facts.link_register || *reg != facts.ra;
    let registers = (0..32).map(Reg).filter(known).filter_map(|reg| Some((reg, regs.read(reg)?))).collect();
    let from = step.stack.live_from.max(step.stack.base).next_multiple_of(8);
    let to = frames.last()?.cfa.checked_add(8)?;
    if to.checked_sub(from)? > MOST_STACK {
        return None;
    }
    let word = |address: u64| {
        let at = usize::try_from(address.checked_sub(step.stack.base)?).ok()?;
        let bytes = step.stack.bytes.get(at..)?.first_chunk::<8>()?;
        Some(Word { address, value: facts.order.u64(*bytes) })
    };
    let memory = (from..to).step_by(8).map(word).collect::<Option<Vec<Word>>>()?;
    let callers = frames.iter().map(|frame| frame.ra.0).collect();
    Some(Chain { pc: step.pc.0, registers, memory, callers, ends })
}

/// What holds at an address: what holds at the last one before it that is asked for, since every change is.
fn at(table: &Vector, pc: u64) -> Option<&Expected> {
    let after = table.answers.partition_point(|answer| answer.pc <= pc);
    Some(&table.answers.get(after.checked_sub(1)?)?.expected)
}

fn row(expected: &Expected) -> Option<&Row> {
    match expected {
        Expected::Row(row) => Some(row),
        _ => None,
    }
}

/// A caller's row that needs no register but SP and FP.
fn is_walkable(row: &Row, facts: &AbiFacts) -> bool {
    let kept = |reg: Reg| reg == facts.sp || reg == facts.fp;
    let cfa = match row.frame.cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => kept(reg),
        CfaRule::Expression(_) | CfaRule::Unspecified => false,
    };
    let value = |rule| match rule {
        ValueRule::Register { reg, .. } | ValueRule::Memory { reg, .. } => kept(reg),
        ValueRule::AtCfa(_) | ValueRule::CfaPlus(_) => true,
        ValueRule::SameValue | ValueRule::Undefined | ValueRule::Expression(_) => false,
    };
    let fp = row.frame.fp == ValueRule::SameValue || value(row.frame.fp);
    cfa && fp && value(row.frame.ra) && !row.signal
}
