//! Text under construction: lines with indentation, names that are used once, and the helpers that
//! the lines call.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::helper::Helper;
use super::{Compiler, Target};

/// A text under construction.
pub(super) struct Writer {
    /// What it is written for.
    pub target: Target,
    text: String,
    depth: usize,
    names: u32,
    helpers: BTreeSet<Helper>,
    /// The function under construction.
    pub function: u8,
    /// Numbers of parameters of all functions, by number.
    pub parameters: Vec<(u8, u8)>,
}

impl Writer {
    pub(super) fn new(target: Target) -> Writer {
        let (text, helpers) = (String::new(), BTreeSet::new());
        Writer { target, text, depth: 0, names: 0, helpers, function: 0, parameters: Vec::new() }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: &str) {
        // Directives are at the left.
        let depth = if line.starts_with('#') { 0 } else { self.depth };
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 4);
    }

    /// Adds text as it is.
    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a line, and indents those after it.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// Ends what was indented.
    pub(super) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line("}");
    }

    /// A number that no name has yet.
    pub(super) fn fresh(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    /// Makes sure that a helper is there.
    pub(super) fn uses(&mut self, helper: Helper) {
        self.helpers.extend(helper.needs());
        self.helpers.insert(helper);
    }

    /// The arguments of a call of a function: `x, x + 1u`.
    pub(super) fn arguments(&self, number: u8) -> String {
        let count = self.parameters.iter().find(|(of, _)| *of == number).map_or(1, |(_, count)| *count);
        arguments(count)
    }

    /// The whole text, with helpers and variables in front.
    pub(super) fn finish(self, fuel: u32) -> String {
        let keep = match self.target.compiler {
            Compiler::Gcc => "noipa",
            Compiler::Clang => "noinline",
        };
        let mut text = format!("#define KEEP __attribute__(({keep}))\n");
        for helper in &self.helpers {
            text.push_str(&helper.text(fuel));
        }
        text + &self.text
    }
}

/// Arguments of a call.
pub(super) fn arguments(count: u8) -> String {
    let more = (1..count).map(|nth| format!(", x + {nth}u"));
    std::iter::once("x".to_owned()).chain(more).collect()
}
