//! Texts for trackers and mailing lists.

use std::fmt::Write as _;

use results::bundle::Bugzilla;

use super::{Filed, legend, native, other_versions, outcome, script, subject, tracked, words};
use crate::escape::{fence, markdown, one_line, prose, wrap};

/// Maximum number of columns of a mail.
const WIDTH: usize = 72;

impl Filed<'_> {
    /// A mail: subject and plain text.
    pub(super) fn mail(&self) -> String {
        format!("Subject: {}\n\n{}", subject(&self.0.bundle), self.plain())
    }

    /// The Bugzilla fields of the culprit, then plain text; `None` if its project has no Bugzilla.
    pub(super) fn bugzilla(&self) -> Option<String> {
        let culprit = &self.0.bundle.culprit;
        let Bugzilla { product, component } = culprit.bugzilla.as_ref()?;
        let version = one_line(&tracked(&self.0.bundle).to_string());
        let (target, subject) = (words::machine(self.0.bundle.abi), subject(&self.0.bundle));
        Some(format!(
            "Product: {product}\nComponent: {component}\nVersion: {version}\nTarget: {target}\nSummary: {subject}\n\n{}",
            self.plain()
        ))
    }

    /// A GitHub issue: title, then body.
    pub(super) fn github(&self) -> String {
        let bundle = &self.0.bundle;
        let mut text = format!("Title: {}\n\n", subject(bundle));
        if let Some(fixed) = self.fixed() {
            let _ = writeln!(text, "{}\n", prose(&fixed));
        }
        if !bundle.note.is_empty() {
            let _ = writeln!(text, "{}\n", prose(&bundle.note));
        }
        text += &self.blocks();
        let _ = writeln!(text, "{}", fence("sh", &script::typed_commands(bundle)));
        let _ = writeln!(text, "**Actual**\n\n{}", fence("", &outcome::actual(bundle)));
        let _ = writeln!(text, "**Expected**\n\n{}", fence("", &outcome::expected(bundle)));
        if let Some(holds) = outcome::holds(bundle) {
            let _ = writeln!(text, "{}\n\n{}", legend(bundle), fence("", &holds));
        }
        if let Some(clause) = &bundle.clause {
            let sentence = format!("{} ({})", one_line(&clause.demand), one_line(&clause.section));
            let _ = writeln!(text, "{}\n", prose(&sentence));
        }
        if let Some(test) = native::test(self.0) {
            let _ = writeln!(text, "{} `{}`:\n\n{}", test.form, test.name, fence("", &test.text));
        }
        for line in other_versions(bundle).into_iter().chain(self.0.upstream.as_ref().map(words::upstream)) {
            let _ = writeln!(text, "{}\n", markdown(&line));
        }
        if let Some(terms) = self.terms() {
            let _ = writeln!(text, "{terms}");
        }
        text.trim_end().to_owned() + "\n"
    }

    /// Plain text of 72 columns.
    fn plain(&self) -> String {
        let bundle = &self.0.bundle;
        let mut text = String::new();
        if let Some(fixed) = self.fixed() {
            let _ = writeln!(text, "{}\n", wrap(&fixed, WIDTH));
        }
        if !bundle.note.is_empty() {
            let _ = writeln!(text, "{}\n", wrap(&bundle.note, WIDTH));
        }
        let indented = |block: &str| -> String {
            let plain = block.lines().map(|line| line.replace(|c: char| c.is_control() && c != '\t', ""));
            plain.map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
        };
        for (name, source) in self.needed_sources() {
            let _ = writeln!(text, "{}:\n\n{}", one_line(name), indented(source));
        }
        let _ = writeln!(text, "Commands:\n\n{}", indented(&script::typed_commands(bundle)));
        let _ = writeln!(text, "Actual:\n\n{}", indented(&outcome::actual(bundle)));
        let _ = writeln!(text, "Expected:\n\n{}", indented(&outcome::expected(bundle)));
        if let Some(holds) = outcome::holds(bundle) {
            let _ = writeln!(text, "{}\n\n{}", wrap(legend(bundle), WIDTH), indented(&holds));
        }
        if let Some(clause) = &bundle.clause {
            let sentence = format!("{} ({})", one_line(&clause.demand), one_line(&clause.section));
            let _ = writeln!(text, "{}\n", wrap(&sentence, WIDTH));
        }
        if let Some(test) = native::test(self.0) {
            let _ =
                writeln!(text, "{}\n\n{}", wrap(&format!("{} {}:", test.form, test.name), WIDTH), indented(&test.text));
        }
        for line in other_versions(bundle).into_iter().chain(self.0.upstream.as_ref().map(words::upstream)) {
            let _ = writeln!(text, "{}", wrap(&line, WIDTH));
        }
        if let Some(terms) = self.terms() {
            let _ = writeln!(text, "{}", wrap(terms, WIDTH));
        }
        text.trim_end().to_owned() + "\n"
    }
}
