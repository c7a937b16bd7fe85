//! Reduces a finding: searches for the smallest source, table or recipe that still shows the same
//! bug of the same producer.
//!
//! Everything that consists of removable [`Parts`] is reduced by one [`Search`]: a [`Text`]
//! (assembly or C), the [`Table`]s of a file, a recipe of [`Linking`], a [`random`] text, a section
//! given to a reader ([`SectionParts`]). Each candidate is built and judged like the trial or file
//! in which the finding was found. [`Identity`] defines "the same bug"; in a file, where code and
//! addresses do not change, it is the fingerprint of the finding.

mod bench;
mod chosen;
pub mod compiled;
pub mod describe;
mod entries;
mod file;
mod identity;
mod linking;
mod parts;
pub mod random;
mod recipe;
pub mod recorded;
mod search;
mod section;
mod seen;
mod table;
mod text;

pub use bench::{Bench, BenchError, Form};
pub use chosen::{Chosen, choose};
pub use file::{FileBench, FileBenchError, FoundInFile};
pub use identity::{Identity, Relation};
pub use linking::{COMMANDS, FoundInLinking, LinkBench};
pub use parts::{Cut, Files, Parts, Set};
pub use recipe::Linking;
pub use search::{Bounds, Counts, Search, SearchEnd, Shows, Watch};
pub use section::{SectionParts, kept_name, reduce_section};
pub use seen::Observation;
pub use table::{Table, TableError};
pub use text::{Language, Text};

/// The result of a reduction.
#[derive(Clone, Debug)]
pub struct Reduced<P> {
    /// The smallest candidate that shows the finding.
    pub least: P,
    /// Numbers of candidates tested and kept.
    pub counts: Counts,
}

/// Other producers that a text is tested with.
#[derive(Debug, Default)]
pub struct Others {
    /// Producers that must also show the finding.
    pub with: Vec<Bench>,
    /// Producers that must accept the text and not show the finding.
    pub unless: Vec<Bench>,
}

/// Reduces a text.
///
/// # Errors
/// The original text does not show the finding, or a guard does, or `watch` cannot store a better
/// text.
pub fn reduce_text(
    chosen: &Chosen,
    others: &Others,
    bounds: Bounds,
    watch: &mut dyn Watch,
) -> Result<Reduced<Text>, BenchError> {
    let Chosen { bench, text, identity, .. } = chosen;
    let whole = bench.observe(text)?;
    if !whole.shows(identity) {
        return Err(BenchError::NotShown(identity.to_string()));
    }
    for (other, wanted) in
        others.with.iter().map(|other| (other, true)).chain(others.unless.iter().map(|other| (other, false)))
    {
        if other.observe(text)?.shows(identity) != wanted {
            return Err(BenchError::Other { name: other.name(), shows: !wanted });
        }
    }
    // A tool that fails on invalid input is not a finding: the tool must accept the text if it does
    // not write .sframe.
    let mut legal = None;
    if matches!(identity, Identity::Failure(_)) {
        let plain = bench.without_sframe(text)?;
        legal = plain.observe(text)?.is_made().then_some(plain);
    }
    // A finding that execution showed must be shown by a program that still runs to its end.
    let executed = matches!(identity, Identity::Finding(relation) if relation.executed);
    let must_end = executed && whole.ends();
    let files = |text: &Text| Files::from([(bench.kept().to_owned(), text.to_string().into_bytes())]);
    let shows = |candidate: &Text| {
        let text = candidate.to_string();
        let seen = bench.observe(&text).ok()?;
        let shown = seen.shows(identity)
            && seen.adds_nothing_to(&whole, &[])
            && (seen.ends() || !must_end)
            && others.with.iter().all(|other| other.observe(&text).is_ok_and(|seen| seen.shows(identity)))
            && legal
                .iter()
                .chain(&others.unless)
                .all(|guard| guard.observe(&text).is_ok_and(|seen| seen.is_made() && !seen.shows(identity)));
        shown.then(|| files(candidate))
    };
    let text = Text::new(text, bench.language());
    search(text.clone(), &files(&text), &shows, bounds, watch)
}

/// Reduces the tables of a file to the smallest that show exactly the same finding.
pub fn reduce_file(found: &FoundInFile, bounds: Bounds, watch: &mut dyn Watch) -> Result<Reduced<Table>, BenchError> {
    let shows = |candidate: &Table| found.shown(candidate);
    search(found.table.clone(), &found.files(&found.table), &shows, bounds, watch)
}

/// Reduces a link recipe and its sources.
pub fn reduce_linking(
    found: &FoundInLinking,
    bounds: Bounds,
    watch: &mut dyn Watch,
) -> Result<Reduced<Linking>, BenchError> {
    let shows = |candidate: &Linking| found.shown(candidate);
    search(found.linking.clone(), &found.files(), &shows, bounds, watch)
}

fn search<P: Parts>(
    whole: P,
    files: &Files,
    shows: &Shows<'_, P>,
    bounds: Bounds,
    watch: &mut dyn Watch,
) -> Result<Reduced<P>, BenchError> {
    let mut search = Search::new(whole, shows, bounds, watch);
    search.run(files);
    let (least, counts) = search.finish()?;
    Ok(Reduced { least, counts })
}
