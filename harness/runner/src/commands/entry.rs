//! An entry of the ledger as a finding that is shown with the tools that are here.

use anyhow::bail;
use ledger::known::{LedgerEntry, Within, recorded_versions};
use ledger::{Home, Ledger, OBJECTS};
use matrix::trial::Trial;
use matrix::{Extent, Matrix};
use reduce::describe::{References, WrongProgram};
use reduce::recorded::{self, Proven};
use reduce::{Chosen, Others};
use results::Finding;
use toolchain::producers::Producers;
use types::Abi;

use super::reduce::Reducible;

/// Trials of an entry that are run to find one that shows it.
const TRIED: usize = 20;

/// What shows an entry.
pub(crate) enum Proof {
    /// A trial, by its key, and the fingerprint of its finding.
    Trial(String, String),
    /// A program that proves a cause, or a text that fuzzing found: small already.
    Least(Reducible),
    /// A program that a compiler gets wrong as a whole.
    Program(Box<WrongProgram>),
}

/// An entry, with what shows it.
pub(crate) struct EntryWithProof {
    /// What is wrong, without the tool's name and the target.
    pub(crate) title: String,
    /// Why it is wrong.
    pub(crate) reason: String,
    /// What shows it.
    pub(crate) shown: Proof,
}

impl EntryWithProof {
    /// The entry of that name; nothing where there is none.
    pub(crate) fn find(
        home: &Home,
        name: &str,
        producers: Producers,
        references: &References,
    ) -> anyhow::Result<Option<EntryWithProof>> {
        let ledger = Ledger::read(home)?;
        let Some(index) = (0..ledger.entries.len()).find(|index| ledger.stem(*index) == name) else { return Ok(None) };
        let Some(entry) = ledger.entries.get(index) else { return Ok(None) };
        let matrix = Matrix::with(home.clone(), producers);
        let small = |chosen: Chosen| Proof::Least(Reducible::Source(Box::new(chosen), Others::default()));
        let shown = match recorded::proven(references, &home.root, entry)? {
            Some(Proven::Finding(chosen)) => Some(small(*chosen)),
            Some(Proven::Program(program)) => Some(Proof::Program(program)),
            None => match trial(&matrix, &ledger, index, entry)? {
                None => recorded::found(&matrix, &ledger, index)?.map(small),
                trial => trial,
            },
        };
        let Some(shown) = shown else {
            bail!(
                "{name}: not reproduced with the tools found here; the entry names its trials, and ci/producers \
                 fetches tools"
            )
        };
        Ok(Some(EntryWithProof {
            title: title(&entry.title).to_owned(),
            reason: entry.reason.trim().to_owned(),
            shown,
        }))
    }
}

/// The first trial here that shows an entry.
fn trial(matrix: &Matrix, ledger: &Ledger, index: usize, entry: &LedgerEntry) -> anyhow::Result<Option<Proof>> {
    let file = ledger.name(index);
    let versions = recorded_versions(&ledger.entries, &entry.project);
    let recorded = |trial: &&Trial| {
        let seen = entry.sees(&trial.key, &trial.tools());
        entry.findings.iter().any(|record| entry.place(record, &seen, &versions) != Within::Outside)
    };
    let trials = matrix.trials(Extent::Full)?;
    let here = trials.iter().filter(|trial| trial.absent().is_none() && trial.key.topic != OBJECTS);
    for trial in here.filter(recorded).take(TRIED) {
        let line = trial.run(ledger);
        let known = |found: &&Finding| found.standing.known.as_deref() == Some(file.as_str());
        if let Some(found) = line.findings.iter().find(known) {
            return Ok(Some(Proof::Trial(line.key.clone(), found.fingerprint().to_owned())));
        }
    }
    Ok(None)
}

/// The title of an entry without the tool before it and the targets after it, which the subject
/// line of a bundle has.
fn title(title: &str) -> &str {
    let what = title.split_once(": ").map_or(title, |(_, what)| what);
    let is_target = |text: &str| {
        let names = Abi::ALL.map(|abi| abi.facts().family.to_ascii_lowercase());
        text.split(", ").all(|name| names.contains(&name.to_ascii_lowercase()))
    };
    let tail = what.strip_suffix(')').and_then(|what| what.rsplit_once(" ("));
    tail.filter(|(_, targets)| is_target(targets)).map_or(what, |(what, _)| what)
}
