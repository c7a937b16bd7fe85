//! Patterns of trial names, as in the ledger: matching, and generating all patterns for a trial.

use super::{Key, SEPARATOR, VARIED};
use crate::ToolName;
use types::Abi;

/// A trial name in which `*` matches any text, including `::`: `gas@2.47.50*::*::c::leaf+*`. A
/// complete name is also a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPattern<'a>(pub &'a str);

/// The parts of a pattern between its stars.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    first: &'a str,
    /// Middle parts and last part; `None` without a star.
    rest: Option<(Vec<&'a str>, &'a str)>,
}

impl Pieces<'_> {
    /// Returns true if the pattern matches the whole text.
    pub fn fit(&self, text: &str) -> bool {
        let Some((middle, last)) = &self.rest else { return self.first == text };
        // Both ends are compared before the middle, which needs a search; most names differ at
        // their end.
        let Some(mut rest) = text.strip_prefix(self.first).filter(|rest| rest.ends_with(last)) else { return false };
        for part in middle {
            match rest.split_once(part) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

impl<'a> KeyPattern<'a> {
    /// Returns true if the pattern matches the whole text.
    pub fn matches(self, text: &str) -> bool {
        // A trial is compared with the whole ledger; the first and last characters alone
        // distinguish most patterns from its name.
        let ends = |text: &str| [text.bytes().next(), text.bytes().next_back()];
        if ends(self.0).into_iter().zip(ends(text)).any(|(of, end)| of != Some(b'*') && of != end) {
            return false;
        }
        let Some((_, last)) = self.0.rsplit_once('*') else { return self.0 == text };
        // Of the remaining patterns most differ at an end: only the others are parsed.
        text.ends_with(last) && text.starts_with(self.beginning()) && self.pieces().fit(text)
    }

    /// The compiled pattern, for many texts.
    pub fn pieces(self) -> Pieces<'a> {
        let Some((first, tail)) = self.0.split_once('*') else { return Pieces { first: self.0, rest: None } };
        let (middle, last) = tail.rsplit_once('*').unwrap_or(("", tail));
        Pieces { first, rest: Some((middle.split('*').collect(), last)) }
    }

    /// Prefix of all matches.
    pub fn beginning(self) -> &'a str {
        self.0.split_once('*').map_or(self.0, |(first, _)| first)
    }

    /// The tools in the pattern, each as a pattern: `gas@2.44` and `gcc@12*` in
    /// `gas@2.44::amd64::v2::c::leaf+gcc@12*+O2`.
    pub fn tools(self) -> impl Iterator<Item = &'a str> {
        self.0.split(SEPARATOR).flat_map(|part| part.split(VARIED)).filter(|part| part.contains('@'))
    }

    /// Returns true if the pattern contains a tool without a version.
    pub fn names(self, tool: &str) -> bool {
        self.0.split(SEPARATOR).flat_map(|part| part.split(VARIED)).any(|part| part == tool)
    }

    /// Target, as a pattern; `*` if it has none.
    pub fn abi(self) -> &'a str {
        self.0.split(SEPARATOR).nth(1).unwrap_or("*")
    }

    /// SFrame version, as a pattern; `*` if it has none: `gas::aarch64*::cfi::leaf`.
    pub fn sframe(self) -> &'a str {
        let parts: Vec<&str> = self.0.split(SEPARATOR).collect();
        if let [_, _, version, _, _] = parts[..] { version } else { "*" }
    }

    /// Returns true if the pattern matches trials of a target.
    pub fn is_for(self, abi: Abi) -> bool {
        KeyPattern(self.abi()).matches(abi.name())
    }

    /// Returns true if the pattern contains this topic.
    pub fn is_of_topic(self, topic: &str) -> bool {
        self.0.split(SEPARATOR).any(|part| part == topic)
    }

    /// Returns true if the pattern matches any producer.
    pub fn leaves_producer_open(self) -> bool {
        self.0.starts_with('*')
    }

    /// Returns true if target or SFrame version contain a `*`, or are missing.
    pub fn leaves_target_open(self) -> bool {
        [self.abi(), self.sframe()].into_iter().any(|part| part.contains('*'))
    }

    /// Returns true if the case contains a `*`, so that the second tool is not fixed.
    pub fn leaves_case_open(self) -> bool {
        self.0.rsplit(SEPARATOR).next().is_some_and(|case| case.contains('*'))
    }
}

impl Key {
    /// Patterns that match this name and omit the version of a project, the widest first: from all
    /// trials of its producer down to the name itself. Dates of snapshots are left open in each.
    pub fn patterns(&self, project: &str) -> Vec<String> {
        let Key { abi, sframe, topic, .. } = self;
        let text = |tool: &ToolName| if tool.name == project { tool.name.clone() } else { tool.any_day() };
        let case = self.case_name();
        let plain = case.plain();
        let mut cases = vec!["*".to_owned(), plain.to_owned(), format!("{plain}+*")];
        let beside = case.tool().map(|tool| text(&tool));
        if let Some(beside) = &beside {
            let rest = if case.options().is_some() { "+*" } else { "" };
            cases.extend([format!("*+{beside}{rest}"), format!("{plain}+{beside}{rest}")]);
        }
        if let Some(options) = case.options() {
            cases.push(format!("{plain}+*+{options}"));
        }
        cases.push(case.with_tools(text));
        let own = text(&self.tool());
        // If the project is that of the second tool, any producer is allowed.
        let producers = if self.producer == project { vec![own] } else { vec!["*".to_owned(), own] };
        let mut patterns = Vec::new();
        for case in &cases {
            for producer in &producers {
                for target in ["*", "*::v*", &format!("{abi}::*"), &format!("*::{sframe}"), &format!("{abi}::{sframe}")]
                {
                    patterns.push(format!("{producer}::{target}::{topic}::{case}"));
                }
            }
        }
        patterns
    }
}
