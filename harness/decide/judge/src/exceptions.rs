//! Checks what a throw reads besides rows: the personality routines of CIEs and the
//! language-specific data areas of FDEs (`.gcc_except_table`). LSB 5.0 core, 10.6.1; C++ ABI for
//! Itanium, Exception Handling Tables, 7.
//!
//! Not checked: which handler is chosen, that is whether the call sites, types and their order are
//! those of the source.

mod areas;
mod boundaries;
mod personalities;
mod target;

use std::collections::BTreeMap;

use results::{Blame, Finding, Shape};
use spec::{RuleId, Severity};
use types::{Aspect, Image};

use self::target::Target;
use crate::blame::Table;
use crate::ranges::live;
use crate::tables::Tables;

/// The findings about an image, at most one for each rule and function.
pub fn findings(image: &Image, tables: &Tables) -> Vec<Finding> {
    let Some(cfi) = tables.cfi.as_ref().filter(|cfi| cfi.section() == ".eh_frame" && !image.is_debug_only()) else {
        return Vec::new();
    };
    let mut found = Found { image, of: BTreeMap::new() };
    let routines = personalities::check(cfi, &mut found);
    areas::check(cfi, &live(image, cfi), &routines, &mut found);
    found.of.into_values().map(Counted::finish).collect()
}

/// The findings so far.
struct Found<'a> {
    image: &'a Image,
    of: BTreeMap<(RuleId, String), Counted>,
}

/// A finding, and the number of further ones like it.
struct Counted {
    finding: Finding,
    more: u64,
}

/// What a finding is about.
struct Subject {
    /// The function, or the section.
    function: String,
    blame: Blame,
    /// Name of the section, and offset in it.
    section: String,
    offset: u64,
    /// The code, if the finding is about code.
    code: Option<(u64, u64)>,
}

impl Subject {
    /// The entry of `.eh_frame` at an offset, for the code that it describes.
    fn entry(function: String, offset: u64, code: Option<(u64, u64)>) -> Subject {
        Subject { function, blame: Blame::EhFrame, section: Table::EhFrame.section().to_owned(), offset, code }
    }
}

impl Found<'_> {
    fn add(&mut self, rule: RuleId, subject: Subject, message: String) {
        let key = (rule, subject.function.clone());
        if let Some(known) = self.of.get_mut(&key) {
            known.more += 1;
            return;
        }
        let mut finding = Finding::new(rule, subject.blame, subject.function, Shape::Rule);
        finding.shown.message = message;
        finding.shown.section = subject.section;
        finding.shown.offset = Some(subject.offset);
        finding.evidence.field = Aspect::Structure;
        finding.evidence.ranges = subject.code.into_iter().collect();
        self.of.insert(key, Counted { finding, more: 0 });
    }

    fn warn(&mut self, rule: RuleId, subject: Subject, message: String) {
        let key = (rule, subject.function.clone());
        self.add(rule, subject, message);
        if let Some(Counted { finding, more: 0 }) = self.of.get_mut(&key) {
            finding.severity = Severity::Warning;
        }
    }
}

impl Counted {
    fn finish(self) -> Finding {
        let Counted { mut finding, more } = self;
        if more > 0 {
            finding.shown.message.push_str(&format!(" (and {more} others like it)"));
        }
        finding
    }
}
