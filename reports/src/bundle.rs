//! The directory of one discrepancy: a report, a script that shows whether the bug still exists,
//! and texts ready to be filed.
//!
//! Pure: creates the texts of the files from a [`Bundle`] and its sources. Nothing is ever sent.

mod list;
mod native;
mod outcome;
mod queue;
pub mod reader;
mod script;
mod tracker;
mod words;

pub use list::{COUNTS, TABLE, counts, list};
pub use queue::queue;

use std::fmt::Write as _;

use results::bundle::{Bundle, Check, Filing, Named, ReducedFinding, Upstream};
use results::{Finding, Shape, ToolVersion};

use crate::escape::{fence, markdown, one_line, prose, wrap};
use crate::page::picture::Picture;

struct Filed<'a>(&'a Filing);

/// The files of the filed directory, by name: the sources, and all generated texts.
pub fn files(filing: &Filing) -> Vec<(String, String)> {
    Filed(filing).files()
}

/// The licence of all files of a bundle, which allows a project to use the reproducer as a test.
const LICENCE: &str = include_str!("../known/LICENSE-MIT-0");

/// The texts for people.
const TEXTS: [&str; 4] = ["report.md", "github.md", "mail.txt", "bugzilla.txt"];

/// The licence in one line.
const TERMS: &str = "The reproducer is licensed under MIT-0: no attribution is required.";

impl Filed<'_> {
    fn files(&self) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> =
            self.sources().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        let mut add = |name: &str, text: String| files.push((name.to_owned(), text));
        add("run.sh", script::script(&self.0.bundle));
        add("report.md", self.report());
        add("github.md", self.github());
        add("mail.txt", self.mail());
        // A file of another project has its own.
        if !matches!(self.0.bundle.check, Check::File { .. }) {
            add("LICENSE-MIT-0", LICENCE.to_owned());
        }
        if let Some(text) = self.bugzilla() {
            add("bugzilla.txt", text);
        }
        if let Some(test) = native::test(self.0) {
            add(test.name, test.text);
        }
        if let Some(why) = self.0.bundle.unproven() {
            // What a person files begins with it: it cannot be overlooked, and has to be removed.
            for (_, text) in files.iter_mut().filter(|(name, _)| TEXTS.contains(&name.as_str())) {
                *text = format!("NOT PROVEN: {}\n{text}", one_line(&why));
            }
        }
        files
    }

    /// The licence in one line; `None` for a file of another project.
    fn terms(&self) -> Option<&'static str> {
        (!matches!(self.0.bundle.check, Check::File { .. })).then_some(TERMS)
    }

    /// For a fixed bug, that there is nothing to file.
    fn fixed(&self) -> Option<String> {
        let fixed = self.0.upstream.as_ref()?.fixed.as_ref()?;
        Some(one_line(&format!("Fixed in {fixed}: a test for older versions and against its return, not to be filed.")))
    }

    fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.bundle.sources.iter().map(|source| source.name.as_str()).zip(self.0.texts.iter().map(String::as_str))
    }

    /// The sources that are needed to see the bug.
    fn needed_sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources().filter(|(name, _)| script::needs_source(&self.0.bundle, name))
    }

    /// The sources as blocks of Markdown, each with its name if there are several.
    fn blocks(&self) -> String {
        let mut text = String::new();
        for (name, source) in self.needed_sources() {
            if self.needed_sources().count() > 1 {
                let _ = writeln!(text, "`{}`:\n", one_line(name).replace('`', ""));
            }
            let _ = writeln!(text, "{}", fence(words::language(name), source));
        }
        text
    }

    /// The full report, for readers of this project.
    fn report(&self) -> String {
        let bundle = &self.0.bundle;
        let mut text = format!("# {}\n\n", prose(&subject(bundle)));
        if let Some(fixed) = self.fixed() {
            let _ = writeln!(text, "{}\n", wrap(&fixed, 120));
        }
        if !bundle.note.is_empty() {
            let _ = writeln!(text, "{}\n", wrap(&bundle.note, 120));
        }
        if let Some(clause) = &bundle.clause {
            let sentence = format!("Required: {} ({})", one_line(&clause.demand), one_line(&clause.section));
            let _ = writeln!(text, "{}\n", wrap(&sentence, 120));
        }
        let _ = writeln!(text, "## Reproduce\n\n{}", fence("sh", &script::shown_commands(bundle)));
        text += &self.blocks();
        text += "`run.sh` runs these commands: it exits with 1 while the bug is there, 0 if not, 77 without the tools, 2 if it cannot decide. \
                 `git bisect run sh run.sh --bisect` finds the change.\n\n";
        let _ = writeln!(text, "## Actual\n\n{}", fence("", &outcome::actual(bundle)));
        let _ = writeln!(text, "## Expected\n\n{}", fence("", &outcome::expected(bundle)));
        if let Some(holds) = outcome::holds(bundle) {
            let _ = writeln!(text, "## Evidence\n\n{}\n\n{}", legend(bundle), fence("", &holds));
        }
        if let Some(picture) = bundle.finding.as_ref().and_then(|shown| Picture::new(&finding(bundle, shown))) {
            let _ = writeln!(
                text,
                "Where the tables place CFA, RA and FP; `!` marks what is wrong:\n\n{}",
                fence("", &picture.text())
            );
        }
        let further = script::further_commands(bundle);
        if !further.is_empty() {
            let _ = writeln!(
                text,
                "Further commands that make the executed file; the bug is there without them:\n\n{}",
                fence("sh", &further)
            );
        }
        if let Check::File { name, .. } = &bundle.check {
            let sentence = format!(
                "`{name}` is the file that was judged, as it is; its sources are not known here. `FILE=PATH sh run.sh` judges \
                 another build."
            );
            let _ = writeln!(text, "{}\n", wrap(&sentence, 120));
        } else if let (Some(_), Some(pc)) = (&bundle.program, bundle.first_pc()) {
            let sentence = format!(
                "`program` is the file that was executed, and `core` its state at {pc:#x}, where the table is first wrong. \
                 `core.txt` has the true frames, and the commands that show a debugger's."
            );
            let _ = writeln!(text, "## Core file\n\n{}\n", wrap(&sentence, 120));
        } else if let Some(shown) = &bundle.finding {
            let _ = writeln!(text, "No core file: {}.\n", why_no_core(shown));
        }
        if let Some(test) = native::test(self.0) {
            let _ = writeln!(text, "## Test\n\n{} `{}`:\n\n{}", test.form, test.name, fence("", &test.text));
        }
        let _ = writeln!(text, "## Versions\n");
        for line in versions(bundle, self.0.upstream.as_ref()) {
            let _ = writeln!(text, "- {}", markdown(&line));
        }
        if let Some(terms) = self.terms() {
            let _ = writeln!(text, "\n{terms}");
        }
        text
    }
}

/// Why a report about this finding has no core file.
fn why_no_core(shown: &ReducedFinding) -> &'static str {
    match (&shown.truth, shown.window.is_empty()) {
        (Some(_), _) => "the data of this report does not include the program that was executed",
        (None, false) => "the finding is a difference between the tables; no execution of the reproducer reaches it",
        (None, true) => "the finding is about the contents of the section, not about executed code",
    }
}

/// Explanation of the columns with rows.
fn legend(bundle: &Bundle) -> &'static str {
    match bundle.finding.as_ref().is_some_and(|shown| shown.truth.is_some()) {
        true => {
            "`truth` is the result of executing the code in an emulator, without reading any table; `>` marks the \
             instructions at which a table is wrong."
        }
        false => "The tables are compared with each other, the code is not executed; `>` marks where they differ.",
    }
}

/// The affected version for a tracker's field, which takes one: the newest affected release, or
/// the snapshot if no release is affected.
fn tracked(bundle: &Bundle) -> &ToolVersion {
    let all = std::iter::once(&bundle.culprit.version).chain(&bundle.others.show);
    let released = all.filter(|version| !version.is_snapshot()).max_by(|a, b| a.cmp_numbers(b));
    released.unwrap_or(&bundle.culprit.version)
}

/// The subject line: culprit, version, bug, target.
pub fn subject(bundle: &Bundle) -> String {
    let culprit = &bundle.culprit;
    if let (Check::File { .. }, Some(shown)) = (&bundle.check, &bundle.finding) {
        let within = if shown.function.is_empty() { String::new() } else { format!(" in {}", shown.function) };
        return one_line(&format!("{}: {}{within} ({})", culprit.name, bundle.title, words::machine(bundle.abi)));
    }
    let version = versioned(bundle);
    one_line(&format!("{} {version}: {} ({})", culprit.name, bundle.title, words::machine(bundle.abi)))
}

/// The affected versions: that of the reproducer to the newest affected release; for a snapshot,
/// which no user has, also the newest affected release.
fn versioned(bundle: &Bundle) -> String {
    let version = &bundle.culprit.version;
    if bundle.culprit.own_build {
        return format!("(own build of {version})");
    }
    let released = bundle.others.show.iter().filter(|other| !other.is_snapshot());
    match (version.is_snapshot(), released.max_by(|a, b| a.cmp_numbers(b))) {
        (false, Some(newest)) if newest.cmp_numbers(version).is_gt() => format!("{version} to {newest}"),
        (false, _) => version.to_string(),
        (true, Some(release)) => format!("{release} and snapshot {version}"),
        (true, None) => format!("snapshot {version}"),
    }
}

/// A finding with the values for a picture.
fn finding(bundle: &Bundle, shown: &ReducedFinding) -> Finding {
    let mut found = Finding::new(shown.rule, shown.blame, &shown.function, Shape::Rule);
    let [truth, sframe, eh_frame] = [&shown.truth, &shown.sframe, &shown.eh_frame]
        .map(|reading| reading.as_ref().map(|reading| reading.values(bundle.abi)));
    (found.evidence.truth, found.evidence.sframe, found.evidence.eh_frame, found.evidence.field) =
        (truth, sframe, eh_frame, shown.field);
    found
}

/// Tools, other versions and the reproducer's origin, one per line.
fn versions(bundle: &Bundle, upstream: Option<&Upstream>) -> Vec<String> {
    let mut lines: Vec<String> = bundle.tools.iter().map(|tool| format!("{}: {}", tool.name, tool.says)).collect();
    lines.extend(other_versions(bundle));
    lines.extend(upstream.map(words::upstream));
    lines.extend(bundle.sources.iter().map(|source| format!("sha256 of {}: {}", source.name, source.sha256)));
    let name = if let Check::File { name, .. } = &bundle.check { name } else { "program" };
    lines.extend(bundle.program.iter().map(|sum| format!("sha256 of {name}: {sum}")));
    lines.extend(bundle.sframe.map(|version| format!("SFrame {version}")));
    let tried = bundle.tried.iter().filter(|one| one.fits());
    lines.extend(tried.map(|one| format!("run.sh exits with {} with {}", one.expected.status(), one.tool)));
    lines.extend(words::origin(&bundle.found, bundle.remark.as_deref()));
    if let Some(shown) = &bundle.finding {
        let named = match &shown.named {
            Named::Fingerprint(fingerprint) => format!("fingerprint {fingerprint}"),
            Named::Class(class) => format!("class {class}"),
        };
        let message = if shown.message.is_empty() { String::new() } else { format!(": {}", one_line(&shown.message)) };
        lines.push(format!("rule {}, blame {}, {named}{message}", shown.rule, shown.blame));
    }
    lines
}

fn other_versions(bundle: &Bundle) -> Vec<String> {
    let others = &bundle.others;
    let lists = [("Also in", &others.show), ("Not in", &others.are_right), ("Refused by", &others.refuse)];
    let line = |(what, versions): (&str, &Vec<ToolVersion>)| {
        let names: Vec<String> = versions.iter().map(released).collect();
        (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
    };
    lists.into_iter().filter_map(line).collect()
}

/// A version, marked if it is not a release.
fn released(version: &ToolVersion) -> String {
    if version.is_snapshot() { format!("{version} (snapshot)") } else { version.to_string() }
}
