//! Repeats the questions of new findings before a reader is blamed: alone, while no other reader
//! runs.

use std::io;
use std::path::Path;

use generators::vectors::Vector;
use results::ReaderCause;

use super::{ReadersLedger, Scope, VectorResult, ask, cause, file, findings};

/// Asks a reader again about the sections of a new finding, smallest first, until one shows it
/// again; a section that does not gets its new answer. `outcomes` are those of `asked`, whose
/// sections are in the folder. Returns true if any answer changed.
pub fn ask_again<'a>(
    outcomes: &mut [VectorResult<'a>],
    vectors: &'a [Vector],
    ledger: &ReadersLedger,
    asked: Scope<'_>,
    folder: &Path,
) -> io::Result<bool> {
    let mut changed = false;
    for (reader, wrong) in new(outcomes, ledger, asked) {
        let shows = |outcome: &VectorResult<'_>| outcome.judged.iter().any(|judged| cause(outcome, judged) == wrong);
        let mut suspects: Vec<&mut VectorResult<'a>> =
            outcomes.iter_mut().filter(|one| one.reader.consumer.name == reader && shows(one)).collect();
        suspects.sort_by_key(|one| (one.vector.bytes.len(), &one.vector.id));
        for one in suspects {
            let index = vectors.iter().position(|vector| std::ptr::eq(vector, one.vector));
            let index = index.ok_or_else(|| io::Error::other("a section of another run"))?;
            let Some(again) = ask(one.reader, &[(one.vector, folder.join(file(one.vector, &index.to_string())))]).pop()
            else {
                continue;
            };
            if shows(&again) {
                break;
            }
            (*one, changed) = (again, true);
        }
    }
    Ok(changed)
}

/// Findings that the ledger does not cover, with their readers.
fn new(outcomes: &[VectorResult<'_>], ledger: &ReadersLedger, asked: Scope<'_>) -> Vec<(String, ReaderCause)> {
    let mut found = findings(outcomes);
    ledger.hold(&mut found, asked);
    let unknown = found.into_iter().filter(|one| one.finding.known.is_none());
    unknown.map(|one| (one.finding.reader, one.cause)).collect()
}
