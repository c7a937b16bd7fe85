//! The folder of one discrepancy: a report, a script that shows whether it is still there, and texts ready to be filed.
//!
//! Pure: from a [`Bundle`] to the texts of its files. Nothing is ever sent.

mod quote;
mod rank;
mod script;
mod words;

pub use quote::{one_line, shell};
pub use rank::{Ranked, rank};

use std::fmt::Write as _;

use model::{Abi, Finding};
use quote::{fence, wrap};

use crate::page::picture::Picture;

/// Everything that the texts are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// What is wrong, in a few words, without the culprit's name.
    pub title: String,
    /// The culprit as its makers call it, and its version: `GNU as 2.47.50`.
    pub culprit: String,
    /// The target.
    pub abi: Abi,
    /// SFrame version that is written: `v1`, `v2`, `v2e1`, `v3`, `none`.
    pub sframe: String,
    /// The finding in the reproducer; none where a tool fails.
    pub finding: Option<Finding>,
    /// What a tool said when it failed.
    pub failure: Option<String>,
    /// What the clause demands and where it stands.
    pub clause: Option<Clause>,
    /// What happens and what should, in a few sentences.
    pub note: String,
    /// The files of the reproducer: one source, or those of a link.
    pub repros: Vec<Repro>,
    /// The commands, in order.
    pub commands: Vec<Command>,
    /// Name and version of each tool, as it prints them.
    pub tools: Vec<(String, String)>,
    /// Other versions of the producer, and whether they show it; none where they cannot build the reproducer.
    pub others: Vec<(String, Option<bool>)>,
    /// How a script sees it.
    pub check: Check,
    /// The trial that it was found in, and what it was reduced from and to.
    pub origin: Option<(String, String)>,
}

/// A clause of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clause {
    /// The section it stands in, with its document.
    pub section: String,
    /// What it demands, in our words.
    pub demand: String,
}

/// A file of a reproducer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repro {
    /// Its file name in the folder.
    pub name: String,
    /// The file as it stands in the folder.
    pub text: String,
    /// Of the file's bytes, 64 hex digits.
    pub sha256: String,
}

/// A command of a reproduction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The variable by which a script lets its user name another program: `AS`.
    pub variable: String,
    /// The program as it was run here.
    pub program: String,
    /// Its arguments, unquoted.
    pub words: Vec<String>,
}

/// How a script sees the fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// A command fails by a fault of its own, which prints this; empty where it is a signal that ends it.
    Fails(String),
    /// readelf decodes the row of a PC, and one of its columns says this.
    Row {
        /// The PC in the object.
        pc: u64,
        /// The column: 2 CFA, 3 FP, 4 RA.
        column: u8,
        /// What is there while the bug is.
        wrong: String,
        /// What ought to be there.
        right: String,
    },
    /// The linked file has `.sframe` and no segment for it.
    NoSegment,
    /// readelf prints no line of this regular expression (extended, of grep) of the last file's table, and does of a right one.
    Lacks(String),
    /// This program names the rule when it checks the last file with these words.
    Rule(Vec<String>),
    /// What is wrong lies between files: their tables are printed, and a person compares.
    #[default]
    ByEye,
}

impl Bundle {
    /// The subject line: culprit, version, fault, target.
    pub fn subject(&self) -> String {
        one_line(&format!("{}: {} ({})", self.culprit, self.title, words::machine(self.abi)))
    }

    /// The files, by name.
    pub fn files(&self) -> Vec<(String, String)> {
        let named = |name: &str, text: String| (name.to_owned(), text);
        let mut files: Vec<(String, String)> =
            self.repros.iter().map(|repro| (repro.name.clone(), repro.text.clone())).collect();
        files.extend([
            named("run.sh", self.script()),
            named("report.md", self.report()),
            named("github.md", self.github()),
            named("mail.txt", format!("Subject: {}\n\n{}", self.subject(), self.plain(false))),
        ]);
        files.extend(words::bugzilla(&self.culprit).map(|_| named("bugzilla.txt", self.plain(true))));
        files
    }

    /// The files as blocks of Markdown, each with its name where there are several.
    fn blocks(&self) -> String {
        let mut text = String::new();
        for repro in &self.repros {
            if self.repros.len() > 1 {
                let _ = writeln!(text, "`{}`:\n", one_line(&repro.name).replace('`', ""));
            }
            let _ = writeln!(text, "{}", fence(words::language(&repro.name), &repro.text));
        }
        text
    }

    /// The whole of it, for readers of this project.
    fn report(&self) -> String {
        let mut text = format!("# {}\n\n", quote::markdown(&self.subject()));
        if !self.note.is_empty() {
            let _ = writeln!(text, "{}\n", wrap(&self.note, 120));
        }
        if let Some(clause) = &self.clause {
            let said = format!("What holds: {} ({})", one_line(&clause.demand), one_line(&clause.section));
            let _ = writeln!(text, "{}\n", wrap(&said, 120));
        }
        let _ = writeln!(text, "## Reproduce\n\n{}", fence("sh", &self.shown_commands()));
        text += &self.blocks();
        text += "`run.sh` does it: it ends with 1 while the fault is there, 0 when it is not, 77 without the tools and 2 when it cannot tell.\n\n";
        text += "## Result\n\n";
        let _ = writeln!(text, "{}", fence("", &self.result()));
        if let Some(found) = &self.finding {
            if !found.window.is_empty() {
                let _ = writeln!(
                    text,
                    "The rows at each instruction, `>` where they are wrong:\n\n{}",
                    fence("", &words::window(found))
                );
            }
            if let Some(picture) = Picture::of(found) {
                let _ = writeln!(
                    text,
                    "Where each places CFA, RA and FP, `!` where that is wrong:\n\n{}",
                    fence("", &picture.text())
                );
            }
        }
        text += "## Versions\n\n";
        for (name, version) in &self.tools {
            let _ = writeln!(text, "- {}: {}", quote::markdown(name), quote::markdown(version));
        }
        for line in self.other_versions() {
            let _ = writeln!(text, "- {}", quote::markdown(&line));
        }
        for repro in &self.repros {
            let _ = writeln!(text, "- sha256 of {}: {}", quote::markdown(&repro.name), repro.sha256);
        }
        let _ = writeln!(text, "- SFrame {}", quote::markdown(&self.sframe));
        if let Some((key, sizes)) = &self.origin {
            let _ = writeln!(text, "- reduced from {} ({sizes})", quote::markdown(key));
        }
        if let Some(found) = &self.finding {
            let _ =
                writeln!(text, "- rule {}, blame {}, fingerprint {}", found.rule(), found.blame(), found.fingerprint());
        }
        text
    }

    /// Plain text of 72 columns: with the fields of the culprit's Bugzilla before it, or as the body of a mail.
    fn plain(&self, bugzilla: bool) -> String {
        let mut text = String::new();
        if let (true, Some((product, component))) = (bugzilla, words::bugzilla(&self.culprit)) {
            let version = words::version(&self.culprit);
            let _ = writeln!(text, "Product: {product}\nComponent: {component}\nVersion: {version}");
            let _ = writeln!(text, "Target: {}\nSummary: {}\n", words::machine(self.abi), self.subject());
        }
        if !self.note.is_empty() {
            let _ = writeln!(text, "{}\n", wrap(&self.note, 72));
        }
        let indented = |block: &str| -> String {
            let plain = block.lines().map(|line| line.replace(|c: char| c.is_control() && c != '\t', ""));
            plain.map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
        };
        for repro in &self.repros {
            let _ = writeln!(text, "{}:\n\n{}", one_line(&repro.name), indented(&repro.text));
        }
        let _ = writeln!(text, "Commands:\n\n{}", indented(&self.typed_commands()));
        let _ = writeln!(text, "Result:\n\n{}", indented(&self.result()));
        if let Some(clause) = &self.clause {
            let _ = writeln!(
                text,
                "{}\n",
                wrap(&format!("{} ({})", one_line(&clause.demand), one_line(&clause.section)), 72)
            );
        }
        for line in self.other_versions() {
            let _ = writeln!(text, "{}", wrap(&line, 72));
        }
        text.trim_end().to_owned() + "\n"
    }

    /// An issue on GitHub: title line, then the body.
    fn github(&self) -> String {
        let mut text = format!("Title: {}\n\n", self.subject());
        if !self.note.is_empty() {
            let _ = writeln!(text, "{}\n", quote::markdown(&self.note));
        }
        text += &self.blocks();
        let _ = writeln!(text, "{}", fence("sh", &self.typed_commands()));
        let _ = writeln!(text, "{}", fence("", &self.result()));
        if let Some(clause) = &self.clause {
            let said = format!("{} ({})", one_line(&clause.demand), one_line(&clause.section));
            let _ = writeln!(text, "{}\n", quote::markdown(&said));
        }
        for line in self.other_versions() {
            let _ = writeln!(text, "{}\n", quote::markdown(&line));
        }
        text.trim_end().to_owned() + "\n"
    }

    /// What came out and what ought to have.
    fn result(&self) -> String {
        let mut text = String::new();
        if let Some(failure) = &self.failure {
            for line in failure.lines() {
                let _ = writeln!(text, "{}", one_line(line));
            }
        }
        if let Check::Row { pc, column, wrong, right } = &self.check {
            let field = words::column(*column);
            let (wrong, right) = (one_line(wrong), one_line(right));
            let _ = writeln!(text, "readelf --sframe at {pc:#x}: {field} {wrong}; expected: {right}");
        }
        if let Check::Lacks(right) = &self.check {
            let _ = writeln!(text, "readelf --sframe prints no line of: {}", one_line(right));
        }
        if let (Some(found), None) = (&self.finding, &self.failure) {
            let rows = [("truth", &found.truth), (".sframe", &found.sframe), (".eh_frame", &found.eh_frame)];
            if rows.iter().any(|(_, values)| values.is_some()) {
                // An address says nothing without the code that it is in.
                let home =
                    if found.place.starts_with("0x") { format!(" in {}", found.function()) } else { String::new() };
                let _ = writeln!(text, "{}", one_line(&format!("{}{home}", found.place)));
            } else {
                let _ = writeln!(text, "{}", one_line(&found.message));
            }
            for (source, values) in rows {
                if let Some(values) = values {
                    let _ = writeln!(text, "  {source:<9} {}", one_line(&values.row.to_string()));
                }
            }
        }
        text
    }

    fn other_versions(&self) -> Vec<String> {
        let of = |wanted: Option<bool>| {
            let names: Vec<&str> =
                self.others.iter().filter(|(_, shows)| *shows == wanted).map(|(version, _)| version.as_str()).collect();
            names.join(", ")
        };
        let line = |what: &str, versions: String| (!versions.is_empty()).then(|| format!("{what}: {versions}"));
        let lines = [
            line("Also in", of(Some(true))),
            line("Not in", of(Some(false))),
            line("Does not take this file", of(None)),
        ];
        lines.into_iter().flatten().collect()
    }
}
