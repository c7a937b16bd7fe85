//! What a command prints, the same on each machine and day: placeholders for what differs.

use std::fs;
use std::path::Path;

/// Texts that differ between machines, with their replacements.
pub(crate) struct Names(Vec<(String, String)>);

impl Names {
    /// Reads the texts that the transcript itself named: lines of a text, a tab, and its
    /// replacement.
    pub(crate) fn read(path: &Path) -> Names {
        // No file: it named none.
        let text = fs::read_to_string(path).unwrap_or_default();
        let pairs = text.lines().filter_map(|line| line.split_once('\t'));
        Names(pairs.map(|(from, to)| (from.to_owned(), to.to_owned())).collect())
    }

    pub(crate) fn add(&mut self, from: &str, to: &str) {
        self.0.push((from.to_owned(), to.to_owned()));
    }

    /// Returns a text with the replacements.
    pub(crate) fn replaced(&self, text: &str) -> String {
        let named = self.0.iter().filter(|(from, _)| !from.is_empty());
        named.fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    }
}

/// The slowest files differ in each run.
const SLOWEST: &str = "      SECONDS s  FILE\n";

/// Returns a text without times (`SECONDS s`), number of threads (`N threads`), holder of a lock,
/// and current date (`DAY`); control characters are escaped.
pub(crate) fn alike(text: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(line_alike).collect();
    lines.dedup_by(|one, other| one == other && one == SLOWEST);
    let escaped = |c: char| match c {
        '\n' | '\t' => c.to_string(),
        c if c.is_control() => c.escape_default().to_string(),
        c => c.to_string(),
    };
    lines.concat().chars().map(escaped).collect()
}

fn line_alike(line: &str) -> String {
    let is_digits = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = |word: &str| word.split_once('.').is_some_and(|(whole, part)| is_digits(whole) && is_digits(part));
    let words: Vec<&str> = line.split(' ').collect();
    let timed = |at: usize| {
        is_time(words[at]) && words.get(at + 1).is_some_and(|unit| unit.trim_end_matches([',', ';', '\n']) == "s")
    };
    if words[0].is_empty() && (0..words.len()).any(|at| timed(at) && words.get(at + 2) == Some(&"")) {
        return SLOWEST.to_owned();
    }
    let threads = |at: usize| words.get(at + 1).is_some_and(|unit| unit.trim_end().trim_end_matches('s') == "thread");
    let word = |(at, word): (usize, &&str)| match at {
        _ if timed(at) => "SECONDS".to_owned(),
        _ if threads(at) && is_digits(word) => "N".to_owned(),
        _ => (*word).to_owned(),
    };
    let line = words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ");
    if let Some((before, _)) = line.split_once(" using this folder: ") {
        return format!("{before} using this folder: PID, HOST, SINCE\n");
    }
    if let Some((before, _)) = line.split_once(" --expires 20") {
        return format!("{before} --expires DAY\n");
    }
    match line.split_once(" a day after ") {
        Some((before, after)) => format!("{before} a day after DAY{}", &after["2026-11-01".len()..]),
        None => line,
    }
}
