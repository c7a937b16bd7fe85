//! What somebody may have meant who typed a name that there is not.

/// The one most like a text; `None` if all are unlike it.
pub fn near<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// As clap has it for the names of its options.
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
