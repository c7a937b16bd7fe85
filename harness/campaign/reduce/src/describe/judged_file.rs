//! Makes the bundle for a finding of a file whose sources are not known: an object, a library or a
//! program as it is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use check::{Include, Options};
use ledger::bundles::sha256;
use results::bundle::{Banner, Bundle, Check, Culprit, Filing, Others, Provenance, ReducedFinding};
use results::{Finding, Report, ToolName, ToolVersion};
use types::{Abi, Bytes, ImageKind, SframeVersion};

use super::{Described, Programs, Setup, Words, title};
use crate::bench::BenchError;
use crate::identity::Identity;

/// A finding of a file.
#[derive(Debug)]
pub struct JudgedFile {
    path: PathBuf,
    bytes: Bytes,
    abi: Abi,
    sframe: Option<SframeVersion>,
    /// Name in the folder of the bundle.
    kept: &'static str,
    compilers: Vec<ToolName>,
    found: Finding,
}

/// Execution as `check --explore` does it.
const OPTION: &str = "--explore";

impl JudgedFile {
    /// Chooses the finding of a file with a fingerprint, its own or that of one of its causes, else
    /// the first error.
    pub fn choose(path: &Path, bytes: Bytes, fingerprint: Option<&str>) -> Result<JudgedFile, BenchError> {
        let name = path.display().to_string();
        let none = |what: &str| BenchError::NoSource(format!("{name}: {what}"));
        let image = elf::load(&name, &bytes).map_err(|error| none(&error.to_string()))?;
        let kept = match image.kind {
            ImageKind::Relocatable => "repro.o",
            ImageKind::Shared => "repro.so",
            ImageKind::Executable | ImageKind::Dynamic => "repro.elf",
        };
        let options = Options { include: BTreeSet::from([Include::Causes]), ..Options::exploring() };
        let report = check::check(&name, &bytes, &options).report;
        if let Some(error) = &report.error {
            return Err(none(&error.message));
        }
        let found = match fingerprint {
            Some(wanted) => {
                let is_it = |found: &&Finding| found.is_named(wanted);
                let unknown = || none(&format!("no finding {wanted}; it shows {}", listed(&report)));
                report.discrepancies.iter().find(is_it).ok_or_else(unknown)?
            }
            None => report.discrepancies.first().ok_or_else(|| none("nothing is wrong"))?,
        };
        let found = found.clone();
        let Report { abi, sframe_version: sframe, compilers, .. } = report;
        let abi = abi.ok_or_else(|| none("of an unknown machine"))?;
        Ok(JudgedFile { path: path.to_owned(), bytes, abi, sframe, kept, compilers, found })
    }

    /// The bundle, and the files that prove its script: this one, and a build without the bug, if
    /// one is named.
    pub fn describe(&self, words: Words, against: Option<&Path>) -> Described {
        let found = &self.found;
        let called = file_name(&self.path);
        let title = || title(&Identity::from_finding(found), Some(found));
        let printed = format!("{}: {}: {}", found.severity, found.rule(), found.headline());
        let banner = |tool: &ToolName| Banner {
            name: tool.name.clone(),
            says: format!("{}, which the file names in .comment", tool.version),
        };
        let bundle = Bundle {
            title: words.title.clone().or_else(|| found.contrast()).unwrap_or_else(title),
            culprit: Culprit { name: called.clone(), version: ToolVersion::new(""), bugzilla: None, own_build: false },
            abi: self.abi,
            targets: vec![self.abi],
            sframe: self.sframe,
            note: words.note.clone().unwrap_or_default(),
            clause: words.clause(Some(found), self.sframe),
            sources: Vec::new(),
            commands: Vec::new(),
            check: Check::File { name: self.kept.to_owned(), options: vec![OPTION.to_owned()] },
            printed: Some(printed),
            expected: None,
            program: Some(sha256(&self.bytes)),
            finding: Some(ReducedFinding::from(found)),
            tools: self.compilers.iter().map(banner).collect(),
            others: Others::default(),
            tried: Vec::new(),
            found: Provenance::default(),
            entry: None,
            remark: None,
        };
        // An empty FILE is the file of the bundle.
        let setup = |tool: String, path| Setup { tool, programs: Programs::from([("FILE".to_owned(), path)]) };
        let without = against.map(|path| {
            let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            setup(path.display().to_string(), whole)
        });
        let program = Some(self.bytes.to_vec());
        Described {
            filings: vec![Filing { bundle, texts: Vec::new(), program, upstream: None }],
            tested: setup(called, PathBuf::new()),
            without: without.into_iter().collect(),
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The findings of a report, to choose from.
fn listed(report: &Report) -> String {
    let printed = |found: &Finding| format!("{} ({})", found.fingerprint(), found.rule());
    let found: Vec<String> = report.discrepancies.iter().map(printed).collect();
    if found.is_empty() { "none".to_owned() } else { found.join(", ") }
}
