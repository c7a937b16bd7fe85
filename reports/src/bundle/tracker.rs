//! The texts of trackers and mailing lists.

use std::fmt::Write as _;

use model::bundle::Bugzilla;

use super::{Filing, other_versions, result, script, subject, words};
use crate::escape::{fence, markdown, one_line, wrap};

/// Columns of a mail.
const WIDTH: usize = 72;

impl Filing {
    /// A mail: its subject, then plain text.
    pub(super) fn mail(&self) -> String {
        format!("Subject: {}\n\n{}", subject(&self.bundle), self.plain())
    }

    /// The fields of the culprit's Bugzilla, then plain text; none where its project has no Bugzilla.
    pub(super) fn bugzilla(&self) -> Option<String> {
        let culprit = &self.bundle.culprit;
        let Bugzilla { product, component } = culprit.bugzilla.as_ref()?;
        let version = one_line(culprit.version.as_str());
        let (target, subject) = (words::machine(self.bundle.abi), subject(&self.bundle));
        Some(format!(
            "Product: {product}\nComponent: {component}\nVersion: {version}\nTarget: {target}\nSummary: {subject}\n\n{}",
            self.plain()
        ))
    }

    /// An issue on GitHub: title line, then the body.
    pub(super) fn github(&self) -> String {
        let bundle = &self.bundle;
        let mut text = format!("Title: {}\n\n", subject(bundle));
        if !bundle.note.is_empty() {
            let _ = writeln!(text, "{}\n", markdown(&bundle.note));
        }
        text += &self.blocks();
        let _ = writeln!(text, "{}", fence("sh", &script::typed_commands(bundle)));
        let _ = writeln!(text, "{}", fence("", &result(bundle)));
        if let Some(clause) = &bundle.clause {
            let said = format!("{} ({})", one_line(&clause.demand), one_line(&clause.section));
            let _ = writeln!(text, "{}\n", markdown(&said));
        }
        for line in other_versions(bundle) {
            let _ = writeln!(text, "{}\n", markdown(&line));
        }
        text.trim_end().to_owned() + "\n"
    }

    /// Plain text of 72 columns.
    fn plain(&self) -> String {
        let bundle = &self.bundle;
        let mut text = String::new();
        if !bundle.note.is_empty() {
            let _ = writeln!(text, "{}\n", wrap(&bundle.note, WIDTH));
        }
        let indented = |block: &str| -> String {
            let plain = block.lines().map(|line| line.replace(|c: char| c.is_control() && c != '\t', ""));
            plain.map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
        };
        for (name, source) in self.sources() {
            let _ = writeln!(text, "{}:\n\n{}", one_line(name), indented(source));
        }
        let _ = writeln!(text, "Commands:\n\n{}", indented(&script::typed_commands(bundle)));
        let _ = writeln!(text, "Result:\n\n{}", indented(&result(bundle)));
        if let Some(clause) = &bundle.clause {
            let said = format!("{} ({})", one_line(&clause.demand), one_line(&clause.section));
            let _ = writeln!(text, "{}\n", wrap(&said, WIDTH));
        }
        for line in other_versions(bundle) {
            let _ = writeln!(text, "{}", wrap(&line, WIDTH));
        }
        text.trim_end().to_owned() + "\n"
    }
}
