//! `bundle`: the folder of a finding, ready to be filed by a person.

use std::fs;
use std::io::{BufRead as _, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use reports::bundle::{self, Ranked};
use reports::results::TrialLine;
use sframe_conformance::reduce::describe::{Words, describe};
use sframe_conformance::reduce::{Chosen, Form};

use super::reduce::{Target, repro_name};

/// Options of `bundle`.
#[derive(clap::Args)]
pub(crate) struct BundleCommand {
    #[command(flatten)]
    target: Target,
    /// The folder that is written
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Results of a run, where the subject is a fingerprint
    #[arg(long, value_name = "FILE", default_value = "target/conformance/results.jsonl")]
    results: PathBuf,
    /// Where the subject is a results file: how many findings, those of most trials first
    #[arg(long, value_name = "N", default_value_t = 3)]
    most: usize,
    /// Take the source as it is
    #[arg(long)]
    as_is: bool,
    /// What is wrong, in a few words, without the culprit's name
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// What happens and what should
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// What the clause demands (default: what the rule says)
    #[arg(long, value_name = "TEXT", requires = "section")]
    demand: Option<String>,
    /// Where the clause stands
    #[arg(long, value_name = "TEXT", requires = "demand")]
    section: Option<String>,
}

impl BundleCommand {
    pub(crate) fn run(mut self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let subject = self.target.subject.clone();
        if subject.ends_with(".jsonl") {
            for (nth, found) in ranked(Path::new(&subject))?.into_iter().take(self.most).enumerate() {
                writeln!(out, "{}: {} ({}), {} trials", nth + 1, found.fingerprint, found.rule, found.trials.len())?;
                let folder = self.out.join(format!("{:02}-{}", nth + 1, found.fingerprint));
                self.aim(&found)?;
                // One that cannot be reduced here must not keep the next one back.
                if let Err(error) = self.write(&folder, out) {
                    writeln!(out, "  {error:#}")?;
                }
            }
            return Ok(0);
        }
        if subject.len() == 16 && subject.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let all = ranked(&self.results)?;
            let found = all.iter().find(|found| found.fingerprint == subject);
            let found = found.with_context(|| format!("{}: no finding {subject}", self.results.display()))?;
            self.aim(found)?;
        }
        self.write(&self.out, out)?;
        Ok(0)
    }

    /// Makes a finding of a run the subject, by the first trial that shows it.
    fn aim(&mut self, found: &Ranked) -> anyhow::Result<()> {
        self.target.subject = found.trials.first().context("a finding of no trial")?.clone();
        self.target.finding = Some(found.fingerprint.clone());
        Ok(())
    }

    fn write(&self, folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
        let (mut chosen, others) = self.target.choose()?;
        let key = chosen.bench.key().clone();
        let repro = repro_name(&chosen.bench);
        let mut origin = None;
        if !self.as_is {
            let (reduced, bench) = self.target.reduce(chosen, &others, &folder.join(repro))?;
            writeln!(out, "{} lines to {}", reduced.counts.before, reduced.counts.now)?;
            if key.topic != "file" {
                origin = Some((key.to_string(), reduced.counts.before));
            }
            chosen = Chosen { bench, text: reduced.text, identity: reduced.identity, notes: Vec::new() };
        }
        if chosen.bench.is_c() && chosen.bench.form() == Form::Linked {
            writeln!(out, "note: run.sh needs this project's start file beside repro.c")?;
        }
        let clause = self.demand.clone().zip(self.section.clone());
        let words = Words { title: self.title.clone(), note: self.note.clone(), clause };
        let bundle = describe(&chosen.bench, &chosen.text, &chosen.identity, repro, words, origin)?;
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for (name, text) in bundle.files() {
            let path = folder.join(&name);
            fs::write(&path, text).with_context(|| path.display().to_string())?;
        }
        writeln!(out, "{}\n{}", bundle.subject(), folder.display())?;
        Ok(())
    }
}

fn ranked(path: &Path) -> anyhow::Result<Vec<Ranked>> {
    let file = fs::File::open(path).with_context(|| path.display().to_string())?;
    let mut lines: Vec<TrialLine> = Vec::new();
    for (nth, line) in BufReader::new(file).lines().enumerate() {
        let line = serde_json::from_str(&line?).with_context(|| format!("{}:{}", path.display(), nth + 1))?;
        lines.push(line);
    }
    if lines.is_empty() {
        bail!("{}: no results", path.display());
    }
    Ok(bundle::rank(&lines))
}
