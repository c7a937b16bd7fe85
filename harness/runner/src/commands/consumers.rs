//! `consumers`: readers of `.sframe` of this machine, put to the test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use matrix::consumers::{Choice, NotClaimed, Outcome, Summary, Verdict, ask_all, choices, smallest, vectors};
use matrix::corpus::{SEED, case};
use reports::escape::line;
use serde_json::{Value, json};
use toolchain::consumer::{self, Consumer, Reader, SHIPPED};
use toolchain::scratch::Scratch;

use crate::home;

/// Options of `consumers`.
#[derive(clap::Args)]
pub(crate) struct Consumers {
    /// Only this reader; may be given more than once
    #[arg(long, value_name = "NAME")]
    consumer: Vec<String>,
    /// Consumers' file (default: the one shipped)
    #[arg(long, value_name = "FILE")]
    consumers: Option<PathBuf>,
    /// List readers, and why others are missing
    #[arg(long)]
    list: bool,
    /// Write verdicts, choices, and the smallest section of each fault here
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only vectors whose id contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Random programs whose tables are asked for beside the corpus
    #[arg(long, value_name = "N", default_value_t = 300)]
    programs: u64,
    /// Where random ones come from
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
}

impl Consumers {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let root = std::path::absolute(home::find()?.root)?;
        let file = self.consumers.clone().unwrap_or_else(|| root.join(SHIPPED));
        let entries = consumer::read(&file)?;
        if let Some(name) = self.consumer.iter().find(|name| entries.iter().all(|entry| entry.name != **name)) {
            bail!("{} has no reader '{name}'", file.display());
        }
        let wanted = |entry: &&Consumer| self.consumer.is_empty() || self.consumer.contains(&entry.name);
        let this_program = std::env::current_exe()?;
        let found: Vec<(&Consumer, Result<Reader, String>)> =
            entries.iter().filter(wanted).map(|entry| (entry, entry.find(&root, &this_program))).collect();
        for (entry, reader) in &found {
            match reader {
                Ok(reader) if self.list => {
                    writeln!(out, "{:<16} {:<14} {}", line(&entry.name), line(&reader.version), line(&entry.about))?;
                }
                Ok(_) => {}
                Err(how) => writeln!(out, "{:<16} {:<14} to get it: {}", line(&entry.name), "-", line(how))?,
            }
        }
        let is_missing = found.iter().any(|(_, reader)| reader.is_err());
        if self.list {
            return Ok(0);
        }
        let readers: Vec<Reader> = found.into_iter().filter_map(|(_, reader)| reader.ok()).collect();
        if readers.is_empty() {
            bail!("none of these readers is here");
        }
        let mut vectors = vectors(self.seed, self.programs);
        vectors.retain(|vector| vector.id.contains(&self.filter));
        let folder = Scratch::new().context("a folder for sections")?;
        let (outcomes, left_out) = ask_all(&readers, &vectors, folder.path())?;
        let (summary, choices) = (Summary::of(&outcomes), choices(&outcomes));
        table(&readers, &summary, &left_out, out)?;
        policy(&choices, out)?;
        let worst = smallest(&outcomes);
        faults(&worst, out)?;
        if let Some(folder) = &self.out {
            write(folder, &outcomes, &worst, &choices)?;
        }
        // A reader that was asked for by name and is not here was not judged.
        let undecided =
            summary.sections(|verdict| verdict == Verdict::Broken) > 0 || is_missing && !self.consumer.is_empty();
        Ok(match summary.sections(Verdict::accuses) {
            0 if undecided => 2,
            0 => 0,
            _ => 1,
        })
    }
}

fn table(readers: &[Reader], summary: &Summary, left_out: &[NotClaimed], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{:<16} {:<14} {:<19} {:>8} {:>8}", "reader", "version", "verdict", "sections", "answers")?;
    for reader in readers {
        let name = &reader.consumer.name;
        for (verdict, (sections, answers)) in summary.counts.get(name).into_iter().flatten() {
            let (name, version) = (line(name), line(&reader.version));
            writeln!(out, "{name:<16} {version:<14} {:<19} {sections:>8} {answers:>8}", verdict.name())?;
        }
        for one in left_out.iter().filter(|one| one.reader == *name && one.sections > 0) {
            writeln!(
                out,
                "{:<16} {:<14} {:<19} {:>8}",
                line(name),
                line(&reader.version),
                "not claimed",
                one.sections
            )?;
        }
    }
    Ok(())
}

fn policy(choices: &[Choice], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "\nWhere the text leaves it open:")?;
    for choice in choices {
        for (reader, word) in &choice.by_reader {
            writeln!(out, "{:<18} {:<16} {}", choice.question, line(reader), line(word))?;
        }
    }
    Ok(())
}

fn faults(worst: &[&Outcome<'_>], out: &mut dyn Write) -> std::io::Result<()> {
    for outcome in worst {
        let Some(judged) = outcome.worst() else { continue };
        let pc = judged.pc.map_or_else(String::new, |pc| format!(" at {pc:#x}"));
        let (reader, id) = (line(&outcome.reader.consumer.name), &outcome.vector.id);
        writeln!(out, "\n{reader}: {}: {id}{pc}: {}, not {}", judged.verdict.name(), line(&judged.got), judged.want)?;
        let vector = outcome.vector;
        writeln!(out, "  {} The section stands at {:#x}.", vector.about, vector.address)?;
        for row in vector.bytes.chunks(32).take(MOST_ROWS) {
            writeln!(out, "  {}", row.iter().map(|byte| format!("{byte:02x}")).collect::<String>())?;
        }
    }
    Ok(())
}

/// Rows of 32 bytes that are printed of a section.
const MOST_ROWS: usize = 16;

fn write(folder: &Path, outcomes: &[Outcome<'_>], worst: &[&Outcome<'_>], choices: &[Choice]) -> anyhow::Result<()> {
    let put = |path: PathBuf, bytes: &[u8]| -> anyhow::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(folder)).with_context(|| path.display().to_string())?;
        fs::write(&path, bytes).with_context(|| path.display().to_string())
    };
    let mut lines = String::new();
    for outcome in outcomes {
        for judged in
            outcome.judged.iter().filter(|judged| judged.verdict.accuses() || judged.verdict == Verdict::Broken)
        {
            let object: Value = json!({
                "schema": 1,
                "consumer": outcome.reader.consumer.name,
                "version": outcome.reader.version,
                "id": outcome.vector.id,
                "verdict": judged.verdict,
                "pc": judged.pc.map(|pc| format!("{pc:#x}")),
                "got": judged.got,
                "want": judged.want,
            });
            lines.push_str(&format!("{object}\n"));
        }
    }
    put(folder.join("faults.jsonl"), lines.as_bytes())?;
    put(folder.join("choices.json"), &serde_json::to_vec_pretty(choices)?)?;
    for outcome in worst {
        let id = &outcome.vector.id;
        put(folder.join(format!("{id}.sframe")), &outcome.vector.bytes)?;
        put(folder.join(format!("{id}.json")), &serde_json::to_vec_pretty(&case(outcome.vector))?)?;
    }
    Ok(())
}
