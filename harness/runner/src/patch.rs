//! A patch of an assembly source: edits of its directives as a unified diff.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use results::{RepairAction, RepairEdit};
use types::Abi;

use crate::assembled::{is_to_preprocess, marker};

/// A text, and what replaces its lines.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// Of the file with the text; of preprocessed text the one to patch has another.
    name: String,
    abi: Abi,
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    text: String,
    /// The file and line, from 1, that the preprocessor names.
    origin: Option<(String, usize)>,
    change: Change,
}

/// What replaces a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Change {
    is_removed: bool,
    /// Lines after it.
    added: Vec<String>,
}

/// A place of directives: the lines, from 1, of the instructions around it.
#[derive(Clone, Copy)]
struct Place {
    before: usize,
    after: Option<usize>,
}

/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;

impl Patch {
    pub(crate) fn new(file: &Path, text: &str, abi: Abi) -> Patch {
        // Compilers write markers around inline assembly, of a source that is no assembly.
        let is_preprocessed = text.lines().next().is_some_and(|line| marker(line).is_some());
        let mut origin: Option<(String, usize)> = None;
        let mut lines = Vec::new();
        for text in text.lines() {
            let named = marker(text).filter(|_| is_preprocessed).map(|(line, file)| (file.to_owned(), line));
            let is_marker = named.is_some();
            lines.push(Line {
                text: text.to_owned(),
                origin: if is_marker { None } else { origin.clone() },
                change: Change::default(),
            });
            match (named, &mut origin) {
                (Some(named), _) => origin = Some(named),
                (None, Some((_, line))) => *line += 1,
                (None, None) => {}
            }
        }
        Patch { name: file.display().to_string(), abi, lines }
    }

    /// Adds an edit; `line_of` gives the line of an instruction, from 1.
    pub(crate) fn add(&mut self, edit: &RepairEdit, line_of: impl Fn(u64) -> Option<usize>) -> anyhow::Result<()> {
        let line = |pc: u64| {
            let line = line_of(pc).filter(|line| (1..=self.lines.len()).contains(line));
            line.with_context(|| format!("no line of the source is known at {pc:#x}"))
        };
        let (before, after) = (line(edit.pc)?, edit.after.map(line).transpose()?);
        let is_followed = |after| self.code_after(after).is_some_and(|line| is_data(line.text.trim()));
        let is_one = after.is_none_or(|after| after != before || is_followed(after));
        ensure!(is_one, "line {before} has several instructions");
        let place = Place { before, after };
        let is_start = |line: &Line| line.text.trim_start().starts_with(".cfi_startproc");
        let start = || self.lines.iter().take(before).rposition(is_start).map(|at| at + 1);
        let after = || after.or_else(start).context("the directive belongs to the entry");
        match edit.action {
            RepairAction::Delete => {
                self.remove(place, &edit.directive)?;
            }
            RepairAction::Change => {
                let at = self.remove(place, &edit.directive)?;
                self.put(at, &edit.directive);
            }
            RepairAction::Move => {
                let after = self.last_directive(after()?, &edit.directive);
                let from = edit.from.map(line).transpose()?.unwrap_or(before);
                let own = self.remove(Place { before: from, after: None }, &edit.directive)?;
                let own = self.lines.get(own).map(|line| line.text.trim().to_owned()).unwrap_or_default();
                self.put(after, &own);
            }
            RepairAction::Insert => {
                let at = self.last_directive(after()?, &edit.directive);
                self.put(at, &edit.directive);
            }
        }
        Ok(())
    }

    /// The first line of code after a line.
    fn code_after(&self, line: usize) -> Option<&Line> {
        self.lines.get(line..)?.iter().find(|line| !is_no_code(line.text.trim()))
    }

    /// Removes the line with a directive of the same kind, between two instructions; returns its
    /// position.
    fn remove(&mut self, place: Place, directive: &str) -> anyhow::Result<usize> {
        let is_it =
            |(_, line): &(usize, &Line)| !line.change.is_removed && is_alike(self.abi, line.text.trim(), directive);
        let is_between = |(_, line): &(usize, &Line)| is_no_code(line.text.trim());
        let lines = || self.lines.iter().enumerate();
        let after = place.after.and_then(|after| lines().skip(after).take_while(is_between).filter(is_it).last());
        let before = || lines().take(place.before.saturating_sub(1)).rev().take_while(is_between).find(is_it);
        let at = after.or_else(before).map(|(at, _)| at);
        let at = at.with_context(|| format!("{directive} is not a line of its own before line {}", place.before))?;
        if let Some(line) = self.lines.get_mut(at) {
            line.change.is_removed = true;
        }
        Ok(at)
    }

    /// Position of the line after which a directive takes effect last: the one of the instruction,
    /// or of directives after it.
    fn last_directive(&self, line: usize, directive: &str) -> usize {
        let own = line.saturating_sub(1);
        if directive == ".cfi_remember_state" {
            return own;
        }
        let after = self.lines.iter().enumerate().skip(line);
        let after = after.take_while(|(_, line)| {
            let text = line.text.trim();
            (text.starts_with(".cfi_") && ![".cfi_remember_state", ".cfi_endproc"].contains(&text)) || text.is_empty()
        });
        let mut directives = after.filter(|(_, line)| line.text.trim().starts_with(".cfi_"));
        directives.by_ref().last().map_or(own, |(at, _)| at)
    }

    /// Adds a line after that at a position.
    fn put(&mut self, at: usize, text: &str) {
        if let Some(line) = self.lines.get_mut(at) {
            let indent: String = line.text.chars().take_while(|c| c.is_whitespace()).collect();
            let is_directive = line.text.starts_with(".cfi_");
            let indent = if indent.is_empty() && !is_directive { "\t" } else { &indent };
            line.change.added.push(format!("{indent}{text}"));
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            if !line.change.is_removed {
                text.extend([&line.text, "\n"]);
            }
            line.change.added.iter().for_each(|added| text.extend([added.as_str(), "\n"]));
        }
        text
    }

    /// The unified diff, of the source that line markers name if there are any; empty without
    /// edits.
    ///
    /// # Errors
    /// A changed line is in no readable file, or the preprocessor made several of it.
    pub(crate) fn diff(&self) -> anyhow::Result<String> {
        let mut files: BTreeMap<&str, BTreeMap<usize, &Change>> = BTreeMap::new();
        for (at, line) in self.lines.iter().enumerate().filter(|(_, line)| line.change != Change::default()) {
            let (file, number) = match &line.origin {
                None => (self.name.as_str(), at),
                Some(origin) => {
                    let is_other =
                        |other: &&Line| other.origin.as_ref() == Some(origin) && !other.text.trim().is_empty();
                    let count = self.lines.iter().filter(is_other).count();
                    ensure!(count <= 1, "{}:{} is an expansion of several lines", origin.0, origin.1);
                    (origin.0.as_str(), origin.1.saturating_sub(1))
                }
            };
            files.entry(file).or_default().insert(number, &line.change);
        }
        let mut written = String::new();
        for (file, changes) in files {
            let own;
            let lines: Vec<&str> =
                if self.lines.iter().any(|line| line.origin.is_some()) || is_to_preprocess(Path::new(file)) {
                    own = std::fs::read_to_string(file).with_context(|| file.to_owned())?;
                    own.lines().collect()
                } else {
                    self.lines.iter().map(|line| line.text.as_str()).collect()
                };
            written.push_str(&unified(file, &lines, &changes));
        }
        Ok(written)
    }
}

/// The unified diff of a file.
fn unified(file: &str, lines: &[&str], changes: &BTreeMap<usize, &Change>) -> String {
    let mut written = format!("--- {file}\n+++ {file}\n");
    let (mut at, mut shift) = (0, 0_isize);
    while let Some((first, _)) = changes.range(at..).next() {
        let start = first.saturating_sub(CONTEXT).max(at);
        let mut end = *first;
        while let Some((next, _)) = changes.range(end + 1..end + 2 + 2 * CONTEXT).next() {
            end = *next;
        }
        let stop = (end + 1 + CONTEXT).min(lines.len());
        let (mut body, mut old, mut new) = (String::new(), 0, 0);
        for (at, line) in lines.iter().enumerate().take(stop).skip(start) {
            let change = changes.get(&at);
            let is_removed = change.is_some_and(|change| change.is_removed);
            // Writing to a String cannot fail.
            let _ = writeln!(body, "{}{line}", if is_removed { '-' } else { ' ' });
            let added = change.map_or(&[][..], |change| &change.added);
            added.iter().for_each(|text| body.extend(["+", text, "\n"]));
            (old, new) = (old + 1, new + usize::from(!is_removed) + added.len());
        }
        let to = start.saturating_add(1).saturating_add_signed(shift);
        let _ = write!(written, "@@ -{},{old} +{to},{new} @@\n{body}", start + 1);
        shift += new as isize - old as isize;
        at = stop;
    }
    written
}

/// Returns true if a line has no instruction.
fn is_no_code(text: &str) -> bool {
    text.is_empty() || (text.starts_with(['.', '#', '/']) && !is_data(text)) || text.ends_with(':')
}

/// Returns true if a line has bytes of an instruction, which has no line of its own.
fn is_data(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    [".byte", ".2byte", ".4byte", ".short", ".hword", ".value", ".word", ".long", ".inst", ".insn"].contains(&word)
}

/// Returns true if two directives set the same part of a row.
fn is_alike(abi: Abi, one: &str, other: &str) -> bool {
    let part = |text: &str| {
        let (word, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let operand = |nth| operands.split(',').nth(nth).unwrap_or_default().trim();
        let register = |nth| directives::register_number(operand(nth), abi).map(|reg| ("register", reg.0));
        match word {
            ".cfi_def_cfa" | ".cfi_def_cfa_offset" | ".cfi_adjust_cfa_offset" | ".cfi_def_cfa_register" => {
                Some(("cfa", 0))
            }
            ".cfi_offset" | ".cfi_rel_offset" | ".cfi_restore" | ".cfi_same_value" | ".cfi_undefined"
            | ".cfi_register" | ".cfi_val_offset" => register(0),
            // DW_CFA_def_cfa_expression, DW_CFA_expression and DW_CFA_val_expression.
            ".cfi_escape" => match operand(0) {
                "0x0f" | "0xf" => Some(("cfa", 0)),
                "0x10" | "0x16" => register(1),
                _ => None,
            },
            ".cfi_remember_state" => Some(("remember", 0)),
            ".cfi_restore_state" => Some(("restore", 0)),
            ".cfi_negate_ra_state" | ".cfi_window_save" => Some(("signing", 0)),
            _ => None,
        }
    };
    part(one).is_some_and(|one| part(other) == Some(one))
}
