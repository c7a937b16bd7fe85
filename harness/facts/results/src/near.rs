//! Suggestions for mistyped names.

use types::Unknown;

/// The name most similar to a text; `None` if none is similar enough.
pub fn near<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Similarity threshold, the same as clap's for options.
    const LIKE: f64 = 0.7;
    let like = |name: &&str| strsim::jaro_winkler(text, name);
    let mut best: Option<(f64, &str)> = None;
    for name in names {
        let score = like(&name);
        if score > LIKE && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The error for an unknown name, with the most similar known one.
pub fn unknown<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Unknown {
    let near = near(name, known.clone()).map(str::to_owned);
    Unknown::new(what, name, known).with_near(near)
}
