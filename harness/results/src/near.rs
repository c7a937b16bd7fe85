//! Suggestions for mistyped names.

/// The name most similar to a text; `None` if none is similar.
pub fn near<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// The threshold that clap has for its options.
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
