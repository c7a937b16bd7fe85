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

/// Reduces the text of a bench to the least that shows `identity`. `guards` are other producers that must not show it.
///
/// # Errors
/// When the text as it is does not show it, or a guard does, or `watch` cannot keep a better text.
pub fn reduce(
    bench: &Bench,
    guards: &[Bench],
    text: &str,
    identity: Identity,
    bounds: Bounds,
    watch: &mut dyn Watch,
) -> Result<Reduced, BenchError> {
    let whole = bench.judge(text)?;
    if !whole.shows(&identity) {
        return Err(BenchError::NotShown(identity.to_string()));
    }
    for guard in guards {
        if guard.judge(text)?.shows(&identity) {
            return Err(BenchError::GuardShows(guard.name()));
        }
    }
    // A tool that breaks on nonsense is no finding: the text must stay one that the tool takes as long as it writes no .sframe.
    let mut legal = None;
    if matches!(identity, Identity::Failure(_)) {
        let plain = bench.without_sframe(text)?;
        legal = plain.judge(text)?.is_made().then_some(plain);
    }
    let shows = |candidate: &str| {
        let Ok(seen) = bench.judge(candidate) else { return false };
        seen.shows(&identity)
            && seen.adds_nothing_to(&whole)
            && legal.iter().chain(guards).all(|guard| guard.judge(candidate).is_ok_and(|seen| seen.is_made() && !seen.shows(&identity)))
    };
    let language = Language { abi: bench.abi(), is_c: bench.is_c() };
    let mut search = Search::new(text, &shows, bounds, watch);
    search.run(language);
    let (text, counts) = search.finish()?;
    Ok(Reduced { text, form: bench.form(), identity, counts })
}
