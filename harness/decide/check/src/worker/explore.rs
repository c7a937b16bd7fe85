//! Explores a file under its judge: executes its functions without their inputs.

use std::rc::Rc;

use isa::Disassembler;
use judge::Judge;
use judge::tables::Tables;
use judge::territory::Territory;
use machine::{Bits, Budget, Executor, Pad};
use results::{Undecided, UnreachedIn};
use types::{Image, Pc, StopReason, UndecidedReason, Unreached, counted};

use super::error::CheckError;
use super::run::{Runs, not_loadable};
use super::stopped::instruction;
use crate::options::{Explore, Options};

/// Memory limit in bytes for exploring the image of a file, which exists twice.
const MEMORY: u64 = 1 << 30;

/// Explores the selected functions; returns the instructions that were reached.
pub(super) fn explore(
    image: &Image,
    tables: &Tables,
    options: &Options,
    runs: &Runs<'_>,
    judge: &mut Judge<'_>,
) -> Option<Rc<Bits>> {
    match options.explores() {
        Explore::Nothing => return None,
        Explore::All => {}
    }
    let territory = Territory::new(image, tables);
    let pads: Vec<Pad> = territory.pads.iter().map(|pad| Pad { site: pad.site.clone(), pad: pad.pad }).collect();
    let stops = runs.stops.all.iter().filter(|stop| stop.run > runs.begun);
    let skipped: Vec<u64> = stops.clone().map(|stop| stop.run - runs.begun).collect();
    for stop in stops {
        let message = format!("a function was left out: {}", stop.message(image));
        let reason = UndecidedReason::Stopped(stop.reason);
        judge.report().undecided.push(Undecided { reason, pc: None, message });
    }
    let superseded = territory.superseded;
    let ran = judge.executed_pcs();
    judge.begin(false);
    let territory = machine::Territory {
        functions: &territory.functions,
        pads: &pads,
        callable: &territory.callable,
        pushed: &territory.pushed,
        stops: &territory.stops,
        watched: &territory.watched,
        skipped: &skipped,
        ran: &ran,
        budget: Budget::new(runs.last, options.limits.exploration),
        memory_limit: MEMORY,
        executor: Executor::Crate,
    };
    let explored = machine::explore(image, &territory, judge);
    let report = judge.report();
    let explored = match explored {
        Ok(explored) => explored,
        Err(error) => {
            report.undecided.push(not_loadable(format!("cannot be explored: {error}")));
            return None;
        }
    };
    if explored.left_out > 0 {
        let reason = UndecidedReason::Stopped(StopReason::TimeLimit);
        let message = format!("{} not explored in the time of the file (--seconds N)", were(explored.left_out));
        report.undecided.push(Undecided { reason, pc: None, message });
    }
    if let Some(first) = explored.disagreements.first() {
        let places = counted(explored.disagreements.len() as u64, "place");
        report.error = Some(CheckError::Disagreement { places, start: first.start, end: first.end }.into());
    }
    report.summary.reach = Some(explored.reach);
    report.unreached = explored.unreached.into_iter().map(|counts| unreached(image, counts)).collect();
    let wrong = match explored.dropped {
        0 => String::new(),
        dropped => format!(
            "; {} not reported: a table is wrong there only with some made-up values",
            counted(dropped, "range")
        ),
    };
    report.notes.push(format!("explored {} with made-up inputs{wrong}", counted(explored.entries, "function")));
    if superseded > 0 {
        report.notes.push(format!("{} not explored: BOLT moved them, and left these copies", were(superseded)));
    }
    let assumed = explored.assumed.into_iter().map(|(start, why)| (Pc(start), why));
    let reached = Rc::new(explored.pcs);
    let shared = Rc::clone(&reached);
    let is_reached = move |start: Pc, end: Pc| shared.any(start.0..end.0);
    judge.explored(explored.judged, explored.judged_pcs.iter().map(Pc), assumed, is_reached);
    Some(reached)
}

/// `1 function was`, `8 functions were`.
fn were(functions: u64) -> String {
    format!("{} {}", counted(functions, "function"), if functions == 1 { "was" } else { "were" })
}

/// Names a function that was not reached completely.
fn unreached(image: &Image, counts: Unreached) -> UnreachedIn {
    let (function, place) = (image.place(counts.start), image.span(counts.start, counts.end));
    let disassembler = Disassembler::new(image);
    let stopped_by = counts.stopped_at.map(|pc| instruction(&disassembler, image, pc..disassembler.end_of(pc)));
    UnreachedIn { function, place, counts, stopped_by }
}
