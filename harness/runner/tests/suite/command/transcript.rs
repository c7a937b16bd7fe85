//! Calls and what they print, as one text that is the same on each machine: here, and only here,
//! machine-dependent text is replaced.

use crate::command::support::{Folder, Ran};
use testing::printed;

/// A text for [`printed`].
pub(crate) struct Transcript {
    /// Text that differs by machine or day, and the word that replaces it.
    names: Vec<(String, String)>,
    calls: Vec<String>,
}

impl Transcript {
    /// With the paths, versions and days of the test, and the words that stand for them.
    pub(crate) fn new(names: &[(&str, &str)]) -> Self {
        let program = (env!("CARGO_BIN_EXE_sframe-conformance"), "sframe-conformance");
        let own = |(from, to): &(&str, &str)| ((*from).to_owned(), (*to).to_owned());
        Transcript { names: names.iter().chain([&program]).map(own).collect(), calls: Vec::new() }
    }

    /// For calls that name files of this folder.
    pub(crate) fn from_folder(folder: &Folder) -> Self {
        Transcript::new(&[(&folder.path(""), "")])
    }

    /// A call that is refused, for its words or its input: with exit code 3, and nothing on
    /// standard output.
    #[track_caller]
    pub(crate) fn refused(&mut self, call: &str, ran: &Ran) {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{call}: {}", ran.stderr);
        self.call(&format!("sframe-conformance {call}"), ran);
    }

    /// A call as its reader would type it, and what it printed.
    pub(crate) fn call(&mut self, call: &str, ran: &Ran) {
        self.text(&format!("$ {}\n{}{}", call.trim_end(), ran.stdout, ran.stderr));
    }

    /// A part of what was printed.
    pub(crate) fn text(&mut self, text: &str) {
        let text = self.names.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        let mut lines: Vec<String> = text.split_inclusive('\n').map(alike).collect();
        lines.dedup_by(|one, other| one == other && one == SLOWEST);
        self.calls.push(lines.concat());
    }

    /// Holds all of it against the file of this name.
    #[track_caller]
    pub(crate) fn printed(&self, name: &str) {
        printed!(name, &self.calls.join("\n"));
    }
}

/// Which files took the longest is another matter each time.
const SLOWEST: &str = "      0.0 s  FILE\n";

/// A line without what took time (numbers with a point before ` s`), how many threads did it, who
/// holds a lock, and today.
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
    if let Some((before, _)) = line.split_once(" at work in this folder: ") {
        return format!("{before} at work in this folder: PID, HOST, SINCE\n");
    }
    match line.split_once(" a day after ") {
        Some((before, after)) => format!("{before} a day after TODAY{}", &after["2026-11-01".len()..]),
        None => line,
    }
}
