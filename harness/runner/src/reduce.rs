//! Making a finding small: the least text that still shows the same fault of the same producer.
//!
//! What "the same" means is [`Identity`]; which lines go together is [`cuts`]; the search is [`Search`]; the judge is the pipeline of the
//! trial that the finding comes from, [`Bench`].

mod bench;
mod chosen;
pub mod cuts;
pub mod describe;
mod identity;
mod search;

pub use bench::{Bench, BenchError, Form, Seen};
pub use chosen::{Chosen, choose};
pub use identity::{Identity, Relation};
pub use search::{Bounds, Counts, Search, Watch};

use cuts::Language;

/// What a reduction came to.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The least text.
    pub text: String,
    /// How it is judged: an object alone, or linked and run.
    pub form: Form,
    /// What stayed the same.
    pub identity: Identity,
    /// What was tried and kept.
    pub counts: Counts,
}

/// Other producers that a text is tried with.
#[derive(Debug, Default)]
pub struct Others {
    /// Those that must show it as well.
    pub with: Vec<Bench>,
    /// Those that must take the text and not show it.
    pub unless: Vec<Bench>,
}

/// Reduces the text of a bench to the least that shows `identity`.
///
/// # Errors
/// When the text as it is does not show it, or a guard does, or `watch` cannot keep a better text.
pub fn reduce(
    bench: &Bench,
    others: &Others,
    text: &str,
    identity: Identity,
    bounds: Bounds,
    watch: &mut dyn Watch,
) -> Result<Reduced, BenchError> {
    let whole = bench.judge(text)?;
    if !whole.shows(&identity) {
        return Err(BenchError::NotShown(identity.to_string()));
    }
    for (other, wanted) in
        others.with.iter().map(|other| (other, true)).chain(others.unless.iter().map(|other| (other, false)))
    {
        if other.judge(text)?.shows(&identity) != wanted {
            return Err(BenchError::Other { name: other.name(), shows: !wanted });
        }
    }
    // A tool that breaks on nonsense is no finding: the text must stay one that the tool takes as long as it writes no .sframe.
    let mut legal = None;
    if matches!(identity, Identity::Failure(_)) {
        let plain = bench.without_sframe(text)?;
        legal = plain.judge(text)?.is_made().then_some(plain);
    }
    // What execution showed must be shown by a program that still runs to its end.
    let executed = matches!(&identity, Identity::Finding(relation) if relation.executed);
    let must_end = executed && whole.ends();
    let shows = |candidate: &str| {
        let Ok(seen) = bench.judge(candidate) else { return false };
        seen.shows(&identity)
            && seen.adds_nothing_to(&whole)
            && (seen.ends() || !must_end)
            && others.with.iter().all(|other| other.judge(candidate).is_ok_and(|seen| seen.shows(&identity)))
            && legal
                .iter()
                .chain(&others.unless)
                .all(|guard| guard.judge(candidate).is_ok_and(|seen| seen.is_made() && !seen.shows(&identity)))
    };
    let language = Language { abi: bench.abi(), is_c: bench.is_c() };
    let mut search = Search::new(text, &shows, bounds, watch);
    search.run(language);
    let (text, counts) = search.finish()?;
    Ok(Reduced { text, form: bench.form(), identity, counts })
}
