//! C text under construction: indented lines, unique names, and the helpers that the lines call.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::helper::Helper;
use super::{Compiler, CompilerTarget};

/// A text under construction.
pub(super) struct Writer {
    pub target: CompilerTarget,
    text: String,
    depth: usize,
    names: u32,
    helpers: BTreeSet<Helper>,
    /// Number of the current function.
    pub function: u8,
    /// The current function may do without a frame pointer.
    pub without_fp: bool,
    /// Number of parameters of each function, by the function's number.
    pub parameters: Vec<(u8, u8)>,
}

impl Writer {
    pub(super) fn new(target: CompilerTarget) -> Writer {
        let (text, helpers) = (String::new(), BTreeSet::new());
        Writer { target, text, depth: 0, names: 0, helpers, function: 0, without_fp: false, parameters: Vec::new() }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: &str) {
        // Preprocessor directives are not indented.
        let depth = if line.starts_with('#') { 0 } else { self.depth };
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 4);
    }

    /// Adds text unchanged.
    pub(super) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a line, and indents the following ones.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// Ends an indented block.
    pub(super) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line("}");
    }

    /// A number that no name uses yet.
    pub(super) fn fresh(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    /// Adds a helper if it is missing.
    pub(super) fn uses(&mut self, helper: Helper) {
        self.helpers.extend(helper.needs());
        self.helpers.insert(helper);
    }

    /// The arguments of a call of a function: `x, x + 1u`.
    pub(super) fn arguments(&self, number: u8) -> String {
        let count = self.parameters.iter().find(|(of, _)| *of == number).map_or(1, |(_, count)| *count);
        arguments(count)
    }

    /// The whole text, with helpers and variables first.
    pub(super) fn finish(self, fuel: u32) -> String {
        let keep = match self.target.compiler {
            Compiler::Gcc => "noipa",
            Compiler::Clang => "noinline",
        };
        let mut text = format!("#define KEEP __attribute__(({keep}))\n");
        for helper in &self.helpers {
            text.push_str(&helper.text(self.target, fuel));
        }
        text + &self.text
    }
}

/// The arguments of a call.
pub(super) fn arguments(count: u8) -> String {
    let more = (1..count).map(|nth| format!(", x + {nth}u"));
    std::iter::once("x".to_owned()).chain(more).collect()
}
