//! The readers that are built of the same source: library, readelf and objdump, asked as `readers`
//! asks them.

use std::collections::BTreeSet;
use std::path::Path;

use generators::vectors::Vector;
use ledger::Home;
use readers::corpus::SEED;
use toolchain::consumer::{self, Reader, Reply, SHIPPED};
use toolchain::scratch::Scratch;

use super::SourceError;
use super::tree::Tree;

/// Random programs among the vectors.
const PROGRAMS: u64 = 20;

/// A section that an unmodified reader does not finish within these seconds is left out: it would
/// cost as much for each bug.
const MOST_SECONDS: u64 = 2;

/// A wrong answer: what is wrong with it, in words, and the vector.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WrongAnswer {
    /// The vector's id.
    pub vector: String,
    /// The reader's name and the cause.
    pub cause: String,
}

/// The vectors, and what the readers of the unmodified source answer wrongly.
#[derive(Debug)]
pub(super) struct Answers {
    vectors: Vec<Vector>,
    before: BTreeSet<WrongAnswer>,
}

impl Answers {
    /// Asks the readers of the unmodified source, which are built.
    pub(super) fn new(home: &Home, tree: &Tree) -> Result<Answers, SourceError> {
        let mut answers = Answers { vectors: readers::vectors(SEED, PROGRAMS, ""), before: BTreeSet::new() };
        let mut readers = found(home, tree)?;
        readers.iter_mut().for_each(|reader| reader.consumer.limits.seconds = MOST_SECONDS);
        let (before, slow) = answers.wrong(&readers)?;
        answers.vectors.retain(|vector| !slow.contains(&vector.id));
        answers.before = before;
        Ok(answers)
    }

    /// The first wrong answer of the readers as they are built now that the unmodified ones did not
    /// give.
    pub(super) fn first_new(&self, home: &Home, tree: &Tree) -> Result<Option<WrongAnswer>, SourceError> {
        let (wrong, _) = self.wrong(&found(home, tree)?)?;
        Ok(wrong.into_iter().find(|answer| !self.before.contains(answer)))
    }

    /// The wrong answers, and the vectors for which a reader took too long.
    fn wrong(&self, readers: &[Reader]) -> Result<(BTreeSet<WrongAnswer>, BTreeSet<String>), SourceError> {
        let folder = Scratch::new().map_err(SourceError::Scratch)?;
        let (outcomes, _) = readers::ask_all(readers, &self.vectors, folder.path()).map_err(SourceError::Scratch)?;
        let late = outcomes.iter().filter(|outcome| outcome.reply == Reply::Hang);
        let slow = late.map(|outcome| outcome.vector.id.clone()).collect();
        let findings = readers::findings(&outcomes);
        // The ids of the evidence: a finding that is private, as every crash, lists no sections.
        let wrong = findings.iter().flat_map(|found| {
            let cause = format!("{}: {}", found.finding.reader, found.cause.title());
            found.ids.iter().map(move |vector| WrongAnswer { vector: vector.clone(), cause: cause.clone() })
        });
        // Where the text leaves it open, a change is a wrong answer too.
        let choices = readers::choices(&outcomes).into_iter().flat_map(|choice| {
            let cause = |(reader, made): (String, String)| format!("{reader}: where the text leaves it open: {made}");
            let question = choice.question;
            choice.by_reader.into_iter().map(move |by| WrongAnswer { vector: question.clone(), cause: cause(by) })
        });
        Ok((wrong.chain(choices).collect(), slow))
    }
}

/// The shipped entries of a build of one's own, with the programs of the tree. One that cannot
/// print its version is left out.
fn found(home: &Home, tree: &Tree) -> Result<Vec<Reader>, SourceError> {
    let (folder, own) = tree.readers();
    let here = format!("{}/", folder.display());
    let mut entries = consumer::read(&home.root.join(SHIPPED))?;
    // objdump prints by the same functions as readelf.
    entries.retain(|entry| entry.command.contains(&own) && entry.project() != "objdump");
    entries.iter_mut().for_each(|entry| entry.command = entry.command.replace(&own, &here));
    Ok(entries.iter().filter_map(|entry| entry.find(&home.root, Path::new(""))).collect())
}
