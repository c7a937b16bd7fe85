//! Stacks of executions: random programs are executed, and registers, stack and true callers are
//! stored where they are deepest. A reader that walks has to find the complete chain.

use generators::elf::FileKind;
use generators::program::numbered;
use generators::vectors::{self, Chain, Expected, Lookup, Vector};
use machine::{Plan, run};
use rayon::prelude::*;
use results::table_name;
use types::{Abi, SframeVersion, Step, TableFormat, combinations};

use super::stack::{Window, witnessed};

/// Number of stacks for each target and version.
const DRAWN: usize = 2;
const DRAWN_EH_FRAME: usize = 12;
/// Maximum number of programs from which the first suitable ones are taken.
const TRIED: u64 = 2000;
/// Minimum number of callers.
const LEAST: usize = 3;
/// Limits of a stack.
const WINDOW: Window = Window { most: 2048, above: 8 };
/// Maximum number of steps: a longer program is stopped there.
const STEPS: u64 = 50_000;

/// The vectors `valid/.../chain-N` of `.sframe` of a seed whose ids contain a text.
pub fn chains(seed: u64, text: &str) -> Vec<Vector> {
    of_tables(combinations(None, None).into_iter().map(|(abi, version)| (abi, version.into())).collect(), seed, text)
}

/// The same of `.eh_frame`, but for s390x, where debuggers need a rule for SP, which random
/// programs have not.
pub(crate) fn eh_frame_chains(seed: u64, text: &str) -> Vec<Vector> {
    let says_sp = |abi: &Abi| abi.facts().caller_sp_minus_cfa == 0;
    of_tables(Abi::ALL.into_iter().filter(says_sp).map(|abi| (abi, TableFormat::EhFrame)).collect(), seed, text)
}

fn of_tables(tables: Vec<(Abi, TableFormat)>, seed: u64, text: &str) -> Vec<Vector> {
    let of = |(abi, format): (Abi, TableFormat)| {
        let id = |number| format!("valid/{}/chain-{number}", table_name(format, abi));
        // `.eh_frame` is for debuggers also, which are asked for stacks alone.
        let drawn = if format == TableFormat::EhFrame { DRAWN_EH_FRAME } else { DRAWN };
        if !(1..=drawn).any(|number| vectors::has(&id(number), text)) {
            return Vec::new();
        }
        let fit = (0..TRIED).filter_map(|number| vector(abi, format, seed, number)).take(drawn);
        let named = fit.zip(1..).map(|(vector, number)| Vector { id: id(number), ..vector });
        named.filter(|vector| vectors::has(&vector.id, text)).collect()
    };
    tables.into_par_iter().flat_map_iter(of).collect()
}

fn vector(abi: Abi, format: TableFormat, seed: u64, number: u64) -> Option<Vector> {
    let program = numbered(abi, format.sframe().unwrap_or(SframeVersion::LATEST), seed, number);
    if program.kind != FileKind::Executable {
        return None;
    }
    let built = program.build().ok()?;
    let table = vectors::from_program(&built, (abi, format), seed, number)?;
    let sample = built.sample;
    let image = elf::load("chain", &sample.bytes().ok()?.into()).ok()?;
    let mut deepest: Option<Chain> = None;
    let mut keep = |step: &Step<'_>| {
        let most = deepest.as_ref().map_or(LEAST - 1, |chain| chain.callers.len());
        if step.frames.depth() > most {
            let stack = witnessed(abi, step, WINDOW, |pc| at(&table, pc).cloned());
            let whole = stack.filter(|chain| chain.callers.len() == step.frames.depth());
            deepest = whole.or(deepest.take());
        }
    };
    run(&Plan { step_limit: STEPS, ..Plan::new(&image) }, &mut keep).ok()?;
    let chain = deepest?;
    let looked_up = chain.callers.iter().map(|pc| pc - 1).chain([chain.pc]);
    let rows = looked_up.filter_map(|pc| Some(Lookup { pc, expected: at(&table, pc)?.clone() }));
    let mut answers: Vec<Lookup> = table.answers.iter().cloned().chain(rows).collect();
    answers.sort_by_key(|answer| answer.pc);
    answers.dedup_by_key(|answer| answer.pc);
    let about =
        format!("The stack of program {number} of seed {seed} as it ran, {} callers deep.", chain.callers.len());
    Some(Vector { about, answers, chains: vec![chain], ..table })
}

/// The expected answer for an address: that of the last address before it in the table, which has
/// every change.
fn at(table: &Vector, pc: u64) -> Option<&Expected> {
    let after = table.answers.partition_point(|answer| answer.pc <= pc);
    Some(&table.answers.get(after.checked_sub(1)?)?.expected)
}
