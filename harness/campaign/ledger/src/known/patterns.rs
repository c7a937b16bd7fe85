//! Finds trial patterns for an entry: the fewest that match the trials that show its bug, and no
//! others.

use std::collections::BTreeSet;

use results::{Key, KeyPattern};

/// Finds few patterns, names without the version of the project, that match `shown` and no others
/// of `all`.
///
/// `shown` are the trials that show a finding, `all` those that could have shown it: that ran, with
/// the versions that must show the bug.
pub fn patterns(project: &str, shown: &[Key], all: &[Key]) -> Vec<String> {
    let name = |key: &Key| key.without_version_of(project);
    let wanted: BTreeSet<String> = shown.iter().map(name).collect();
    let others: BTreeSet<String> = all.iter().map(name).filter(|name| !wanted.contains(name)).collect();
    let mut left: Vec<(&Key, String)> = Vec::new();
    for key in shown {
        if !left.iter().any(|(_, other)| *other == name(key)) {
            left.push((key, name(key)));
        }
    }
    let mut patterns: Vec<String> = Vec::new();
    while let Some((first, own)) = left.first() {
        let fits = |pattern: &String| {
            KeyPattern(pattern).matches(own) && !others.iter().any(|other| KeyPattern(pattern).matches(other))
        };
        let reach = |pattern: &String| left.iter().filter(|(_, name)| KeyPattern(pattern).matches(name)).count();
        // Of the patterns with most matches the first, which is the widest.
        let best = first.patterns(project).into_iter().filter(fits).rev().max_by_key(reach);
        let best = best.unwrap_or_else(|| own.clone());
        left.retain(|(_, name)| !KeyPattern(&best).matches(name) && *name != best);
        patterns.push(best);
    }
    patterns.sort();
    patterns
}
