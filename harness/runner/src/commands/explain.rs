//! `explain`: prints the text of a rule, or of a finding of a run.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use check::{Execution, Explore, Options, Sframe, Start};
use ledger::run_files;
use ledger::swept::is_sweep;
use reports::escape::line;
use reports::findings::ranked;
use reports::screen::Screen;
use reports::text::print_finding;
use results::ReaderFinding;
use spec::{CATALOGUE, Rule};
use sweep::totals;
use types::{SframeVersion, counted};

use crate::judged::judged;

use super::baseline::{no_rule, rules};

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance explain                      # every rule, a line each
  sframe-conformance explain row/cfa-matches-truth
  sframe-conformance explain 0890ae9509bb182e     # a finding of a run
  sframe-conformance explain fe19e2ca281fa2c5 --results a.out  # of check

Exit codes: 0 explained; 3 unknown rule or finding.";

/// explain a rule, with its clause and an example, or a finding
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// rule ids, or their beginning (row/); fingerprints of findings [default: all rules]
    #[arg(value_name = "RULE|FINGERPRINT")]
    names: Vec<String>,
    /// what showed a finding: results folder of a run, sweep or readers; or the file that was
    /// checked, which is checked again
    #[arg(long, value_name = "DIR|FILE", default_value = "target/conformance", help_heading = "Selection")]
    results: PathBuf,
    /// print in this format; markdown: all rules and clauses as a document
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text, conflicts_with = "names", help_heading = "Output")]
    format: ExplainFormat,
}

/// How rules are printed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ExplainFormat {
    Text,
    Markdown,
}

impl Explain {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.format == ExplainFormat::Markdown {
            out.write_all(reports::rules::document().as_bytes())?;
            return Ok(0);
        }
        if self.names.is_empty() {
            for rule in CATALOGUE {
                writeln!(out, "{:<36} {:<8} {}", rule.id, rule.severity.to_string(), rule.statement)?;
            }
        }
        for name in &self.names {
            if name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                self.fingerprint(name, out)?;
                continue;
            }
            let found = rules(name);
            if found.is_empty() {
                bail!(no_rule(name));
            }
            for id in found {
                print(id.facts(), out)?;
            }
        }
        Ok(0)
    }

    /// Prints a finding, where it occurs, and the text of its rule.
    fn fingerprint(&self, name: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let folder = self.results.display();
        if !self.results.exists() {
            bail!("{folder}: not found; --results FILE explains a finding of `check FILE`, --results DIR one of a run");
        }
        if self.results.is_file() && self.results.extension().is_none_or(|name| name != "jsonl") {
            return self.of_file(name, out);
        }
        if self.results.join(readers::FACTS).is_file() {
            return self.of_readers(name, out);
        }
        if is_sweep(&self.results) {
            let totals = totals(&self.results)?;
            let Some(one) = totals.causes.iter().find(|one| one.fingerprint == name) else {
                let known = totals.causes.iter().map(|one| one.fingerprint.as_str());
                bail!("{folder}: {}", results::unknown("finding", name, known));
            };
            let (files, functions) = (usize::try_from(one.files)?, usize::try_from(one.functions)?);
            writeln!(out, "{}", line(&one.cause.title()))?;
            writeln!(out, "  in {} of {}", counted(functions, "function"), counted(files, "file"))?;
            let example = &one.example;
            writeln!(out, "  first: {} {}: {}", line(&example.file), line(&example.place), line(&example.message))?;
            return Ok(print(one.cause.rule.facts(), out)?);
        }
        let results = run_files::read(std::slice::from_ref(&self.results))?;
        let groups = ranked(&results.trials);
        let Some(group) = groups.iter().find(|group| group.fingerprint == name) else {
            let known = groups.iter().map(|group| group.fingerprint);
            let unknown = results::unknown("finding", name, known);
            bail!("{folder}: {unknown}; --results names the folder of the run, or the file, that showed it");
        };
        let version = SframeVersion::named(&group.best_trial.sframe);
        print_finding(group.best, version, Screen::of_stdout(), out)?;
        writeln!(out, "  in {}, first {}", counted(group.trials, "trial"), line(&group.best_trial.key))?;
        for file in &group.known {
            let title = results.facts.ledger.iter().find(|entry| entry.file == **file);
            let title = title.map(|entry| format!(": {}", entry.title)).unwrap_or_default();
            writeln!(out, "  known as {}{}", line(file.trim_end_matches(".yaml")), line(&title))?;
        }
        writeln!(out)?;
        Ok(print(group.rule(), out)?)
    }
}

impl Explain {
    /// Prints a finding about a file, which is checked again: as `check` does without options, then
    /// with all that it can look for.
    fn of_file(&self, name: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let execution = Execution::Run { start: Start::default(), explore: Explore::All };
        let most = Options { execution, sframe: Sframe::Required, ..Options::default() };
        let mut known = BTreeSet::new();
        for options in [Options::default(), most] {
            let reports = judged(&self.results, &options);
            let all = || reports.iter().flat_map(|report| &report.discrepancies);
            if let Some(found) = all().find(|found| found.fingerprint() == name) {
                let version = reports.first().and_then(|report| report.sframe_version);
                print_finding(found, version, Screen::of_stdout(), out)?;
                writeln!(out)?;
                return Ok(print(found.rule().facts(), out)?);
            }
            known.extend(all().map(|found| found.fingerprint().to_owned()));
        }
        let unknown = results::unknown("finding", name, known.iter().map(String::as_str));
        bail!("{}: {unknown}; checked without options, and with --explore --require-sframe", self.results.display())
    }

    /// Prints a finding about readers, for each version that has it.
    fn of_readers(&self, name: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let (findings, _) = readers::read(&self.results)?;
        let here: Vec<ReaderFinding> = findings.iter().filter(|found| found.fingerprint == name).cloned().collect();
        if here.is_empty() {
            let known = findings.iter().map(|found| found.fingerprint.as_str());
            bail!("{}: {}", self.results.display(), results::unknown("finding", name, known));
        }
        Ok(reports::readers::text::findings(&here, out)?)
    }
}

fn print(rule: &Rule, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}", rule.id)?;
    writeln!(out, "  {}", rule.statement)?;
    writeln!(out, "  severity:  {}   versions: {}", rule.severity, rule.versions)?;
    writeln!(out, "  clause:    {}", rule.clause)?;
    writeln!(out, "  broken by: {}", rule.example)?;
    if !rule.implies.is_empty() {
        writeln!(out, "  implies:   {}", rule.implies.iter().map(|id| id.name()).collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}
