//! Compares a prediction with what the reader itself answers.

use std::collections::BTreeSet;
use std::path::Path;

use results::{Acceptance, AcceptanceLine};
use toolchain::consumer::{Question, Reader, Reply};
use types::SframeVersion;

use crate::answers::answers;
use crate::corpus::AnswerLine;
use crate::judge::claimed;
use crate::linker;

use super::{Predicted, Subject, TableReader, predicted};

/// A prediction beside the reader's answers.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The prediction.
    pub line: AcceptanceLine,
    /// Differences, each with what was predicted and what was answered; empty if there are none.
    pub differences: Vec<String>,
}

/// Maximum number of addresses of one section.
const MOST: usize = 4000;

/// Asks a reader about a section, whose bytes are in a file, and compares. `None` if nothing is
/// predicted, or the reader does not claim to read such sections.
pub fn compare(entry: &TableReader, reader: &Reader, subject: &Subject<'_>, file: &Path) -> Option<Comparison> {
    let prediction = predicted(entry, subject);
    let is_misread = prediction.is_misread();
    let Predicted { line, facts, is_used } = prediction;
    let header = sframe::Header::parse(subject.bytes?).ok()?;
    let abi = header.abi()?;
    let reads = SframeVersion::ALL.into_iter().any(|version| reader.consumer.reads(version.into(), abi));
    if line.answer == Acceptance::Undecided || !reads {
        return None;
    }
    let (pcs, functions) = match &facts {
        Some(facts) => (addresses(facts), facts.functions.as_slice()),
        None => (Vec::new(), &[][..]),
    };
    let lines: String = pcs.iter().map(|(pc, _)| format!("{pc:#x}\n")).collect();
    let question = Question {
        section: file,
        address: subject.address,
        text: subject.registered(),
        order: header.order,
        abi,
        format: header.version().into(),
        register: None,
        index: None,
        lines: &lines,
    };
    let reply = reader.ask(&[question]).into_iter().next()?;
    let refuses = line.answer == Acceptance::Refused;
    let mut differences = Vec::new();
    let found = match (&reply, answers(&reply, pcs.len())) {
        (Reply::NotAsked(_), _) => return None,
        (Reply::Refused, _) => Vec::new(),
        (_, Ok(found)) => found,
        // What is misread leads anywhere.
        (Reply::Crash(..), _) if is_misread => return Some(Comparison { line, differences }),
        (Reply::OutOfMemory, _) if refuses => Vec::new(),
        (other, Err(_)) => {
            differences.push(format!("predicted {}, answered {other:?}", line.answer));
            return Some(Comparison { line, differences });
        }
    };
    if matches!(reply, Reply::Refused | Reply::OutOfMemory) {
        if !refuses && !is_misread {
            differences.push(format!("predicted {}, answered refused", line.answer));
        }
        return Some(Comparison { line, differences });
    }
    let table = facts.as_ref().map(|facts| &facts.table);
    let mut is_right = vec![true; functions.len()];
    let mut asked = vec![false; functions.len()];
    let mut shown: Vec<String> = vec![String::new(); functions.len()];
    for ((pc, index), got) in pcs.iter().zip(found) {
        let Some(table) = table else { continue };
        let want = no_row(claimed(&reader.consumer, linker::answer(table, *pc)));
        let got = no_row(claimed(&reader.consumer, got.named(abi)));
        if let (Some(asked), Some(is_right)) = (asked.get_mut(*index), is_right.get_mut(*index)) {
            *asked = true;
            if *is_right && got != want {
                *is_right = false;
                if let Some(shown) = shown.get_mut(*index) {
                    *shown = format!("{pc:#x}: '{got}', expected '{want}'");
                }
            }
        }
    }
    if is_misread {
        if is_right.iter().all(|is_right| *is_right) {
            differences.push("predicted misreads, answered every row as expected".to_owned());
        }
        return Some(Comparison { line, differences });
    }
    for (index, function) in functions.iter().enumerate().filter(|(_, function)| !function.shares_start) {
        let at = |list: &[bool]| list.get(index).copied().unwrap_or_default();
        if at(&asked) && at(&is_used) != at(&is_right) {
            let shown = shown.get(index).map(String::as_str).unwrap_or_default();
            let predicted = if at(&is_used) { "used" } else { "not used" };
            differences.push(format!("function at {:#x}: predicted {predicted}, answered {shown}", function.start));
        }
    }
    Some(Comparison { line, differences })
}

/// Readers answer differently where there is no row.
fn no_row(line: AnswerLine) -> AnswerLine {
    if line == AnswerLine::Err { AnswerLine::None } else { line }
}

/// Addresses at which functions begin, end or change their row, each with the index of the function
/// that is looked up there. Addresses of which several functions have a row are left out.
fn addresses(facts: &super::Facts) -> Vec<(u64, usize)> {
    let mut pcs = Vec::new();
    for function in facts.table.functions() {
        let starts: BTreeSet<u64> = function.boundaries().collect();
        let lasts = starts.iter().filter_map(|start| start.checked_sub(1)).chain(function.end.checked_sub(1));
        let all: BTreeSet<u64> = starts.iter().copied().chain(lasts).filter(|pc| function.covers(*pc)).collect();
        let alone = |pc: &u64| {
            let mut others = facts.functions.iter().enumerate();
            let is_other = |(index, other): (usize, &super::facts::FunctionFacts)| {
                index != function.fde_index as usize && other.start <= *pc && *pc < other.end
            };
            !others.any(is_other)
        };
        pcs.extend(all.into_iter().filter(alone).map(|pc| (pc, function.fde_index as usize)));
        if pcs.len() > MOST {
            break;
        }
    }
    pcs
}
