//! Commands and their output, as one text that is the same on each machine: machine-dependent text
//! is replaced only here.

use crate::command::support::{Folder, Ran};
use testing::printed;

/// A text for [`printed`].
pub(crate) struct Transcript {
    /// Texts that differ by machine or day, with their replacements.
    names: Vec<(String, String)>,
    calls: Vec<String>,
}

impl Transcript {
    /// Creates a transcript with the paths, versions and days of the test, and their replacements.
    pub(crate) fn new(names: &[(&str, &str)]) -> Self {
        let program = (env!("CARGO_BIN_EXE_sframe-conformance"), "sframe-conformance");
        let own = |(from, to): &(&str, &str)| ((*from).to_owned(), (*to).to_owned());
        Transcript { names: names.iter().chain([&program]).map(own).collect(), calls: Vec::new() }
    }

    /// Creates a transcript for calls with files of this folder.
    pub(crate) fn from_folder(folder: &Folder) -> Self {
        Transcript::new(&[(&folder.path(""), "")])
    }

    /// Adds a call that is refused because of its arguments or input: with exit code 3, and no
    /// standard output.
    #[track_caller]
    pub(crate) fn refused(&mut self, call: &str, ran: &Ran) {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{call}: {}", ran.stderr);
        self.call(&format!("sframe-conformance {call}"), ran);
    }

    /// Adds a call as a user would type it, and its output.
    pub(crate) fn call(&mut self, call: &str, ran: &Ran) {
        self.text(&format!("$ {}\n{}{}", call.trim_end(), ran.stdout, ran.stderr));
    }

    /// Adds a part of the output.
    pub(crate) fn text(&mut self, text: &str) {
        let text = self.names.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        let mut lines: Vec<String> = text.split_inclusive('\n').map(alike).collect();
        lines.dedup_by(|one, other| one == other && one == SLOWEST);
        self.calls.push(lines.concat());
    }

    /// Compares the whole text with the golden file of this name.
    #[track_caller]
    pub(crate) fn printed(&self, name: &str) {
        printed!(name, &self.calls.join("\n"));
    }
}

/// The slowest files differ in each run.
const SLOWEST: &str = "      0.0 s  FILE\n";

/// A line without times (numbers with a point before ` s`), number of threads, holder of a lock,
/// and current date.
fn alike(line: &str) -> String {
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
        _ if timed(at) => "0.0".to_owned(),
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
        Some((before, after)) => format!("{before} a day after TODAY{}", &after["2026-11-01".len()..]),
        None => line,
    }
}
