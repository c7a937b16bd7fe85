//! Whether enough of a file was executed to call it clean.

use results::{Report, Summary, Undecided, UnreachedIn};
use types::{Reach, UndecidedReason, counted};

use crate::link::listed;

/// The least share, in per mille, of the instructions that tables describe, executed in any state,
/// for a file that was explored.
const LEAST_INSTRUCTIONS: u64 = 800;

/// The least share, in per mille, of a run's steps that a table describes.
const LEAST_STEPS: u64 = 10;

/// Undecided items for what was not executed; the report has its summary.
pub(crate) fn unreached(report: &Report) -> Vec<Undecided> {
    let summary = &report.summary;
    let items = [of_functions(&report.unreached), of_instructions(summary), of_steps(summary)];
    items.into_iter().flatten().collect()
}

/// Functions of which no more than the first instruction was executed.
fn of_functions(functions: &[UnreachedIn]) -> Option<Undecided> {
    let unseen: Vec<&UnreachedIn> = functions.iter().filter(|one| one.counts.is_unseen()).collect();
    let name = |one: &&UnreachedIn| match &one.stopped_by {
        Some(instruction) => format!("{} ({instruction})", one.function),
        None => one.function.clone(),
    };
    let names: Vec<String> = unseen.iter().map(name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let message = format!(
        "{} not executed beyond the first instruction: {}",
        match unseen.len() {
            1 => "1 function was".to_owned(),
            count => format!("{} were", counted(count, "function")),
        },
        listed(&names)
    );
    unseen.first().map(|first| item(Some(first.counts.start), message))
}

fn of_instructions(summary: &Summary) -> Option<Undecided> {
    let reach = summary.reach?;
    let any_state = Reach { executed: reach.executed.saturating_add(reach.unconfirmed), ..reach };
    if any_state.permille() >= LEAST_INSTRUCTIONS {
        return None;
    }
    let message = format!(
        "{} of {} instructions that the tables describe were executed ({})",
        any_state.executed,
        any_state.covered,
        any_state.percent()
    );
    Some(item(None, message))
}

fn of_steps(summary: &Summary) -> Option<Undecided> {
    let run = summary.run().filter(|run| run.permille() < LEAST_STEPS)?;
    let message = format!(
        "{} of {} steps were judged ({}): no table describes the code of the others",
        run.judged,
        run.steps,
        run.percent()
    );
    Some(item(None, message))
}

fn item(pc: Option<u64>, message: String) -> Undecided {
    Undecided { reason: UndecidedReason::Unreached, pc, message }
}
