//! Summary of a run: findings by class and assembler, and details of those in no class or in
//! several.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use ledger::class::{Classes, Evidence, Judgement};
use ledger::words::{line, words};

use super::Finding;

/// Counts of findings.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Counts by verdict and class.
    counts: BTreeMap<(Judgement, String), Row>,
    /// Unclassified findings, each reduced text once.
    unclassified: Vec<Unclassified>,
}

/// Number of findings, and distinct reduced texts, by assembler and target.
type Row = BTreeMap<(String, String), (u64, BTreeSet<String>)>;

/// A finding that is not in exactly one class.
#[derive(Clone, Debug)]
pub struct Unclassified {
    /// First of the findings that look alike.
    pub first: Finding,
    /// Classes that match it: none, or several.
    pub claimed_by: Vec<String>,
    pub words: String,
    /// Number of findings that look alike.
    pub times: u64,
}

impl Tally {
    pub fn new(findings: &[Finding], classes: &Classes) -> Tally {
        let mut tally = Tally::default();
        let mut unclassified: BTreeMap<(String, String, String, String), Unclassified> = BTreeMap::new();
        for found in findings {
            let text = line(&words(found.abi, &found.text));
            let evidence =
                Evidence { assembler: &found.assembler, abi: found.abi, what: &found.what, text: &found.text };
            let of = classes.matching(evidence);
            let place = (found.assembler.clone(), found.abi.name().to_owned());
            if let [class] = of.as_slice() {
                let row = tally.counts.entry((class.verdict, class.class.clone())).or_default();
                let count = row.entry(place).or_default();
                count.0 += 1;
                count.1.insert(format!("{} {text}", found.what));
                continue;
            }
            let claimed_by = of.iter().map(|class| class.class.clone()).collect();
            let key = (place.0, place.1, found.what.clone(), text.clone());
            let new = || Unclassified { first: found.clone(), claimed_by, words: text, times: 0 };
            unclassified.entry(key).or_insert_with(new).times += 1;
        }
        tally.unclassified = unclassified.into_values().collect();
        tally
    }

    /// The unclassified findings.
    pub fn unclassified(&self) -> &[Unclassified] {
        &self.unclassified
    }

    /// Prints the table: class, then number of findings (distinct texts) by assembler, then
    /// unclassified findings.
    pub fn write(&self, files: &BTreeMap<(String, String), u64>, out: &mut dyn Write) -> io::Result<()> {
        let assemblers: BTreeSet<&String> = files.keys().map(|(assembler, _)| assembler).collect();
        for assembler in assemblers {
            let of: Vec<(&str, u64)> = files
                .iter()
                .filter(|((name, _), _)| name == assembler)
                .map(|((_, abi), n)| (abi.as_str(), *n))
                .collect();
            let shown: Vec<String> = of.iter().map(|(abi, n)| format!("{abi} {n}")).collect();
            writeln!(out, "{assembler}: {} files", shown.join(", "))?;
            for ((verdict, class), row) in &self.counts {
                let mut cells = Vec::new();
                let mut total = 0;
                for ((_, abi), (times, texts)) in row.iter().filter(|((name, _), _)| name == assembler) {
                    cells.push(format!("{abi} {times} ({})", texts.len()));
                    total += times;
                }
                if total > 0 {
                    writeln!(out, "  {:<6}{class:<40}{total:>8}  {}", verdict.name(), cells.join(", "))?;
                }
            }
            let new = self.unclassified.iter().filter(|one| one.first.assembler == *assembler);
            let (times, texts) = new.fold((0, 0), |(times, texts), one| (times + one.times, texts + 1));
            writeln!(out, "  {:<6}{:<40}{times:>8}  ({texts})", "new", "unclassified")?;
        }
        for one in &self.unclassified {
            let Finding { assembler, abi, seed, what, detail, text, .. } = &one.first;
            let why = match one.claimed_by.as_slice() {
                [] => "NEW".to_owned(),
                several => format!("CLAIMED by {}", several.join(" and ")),
            };
            writeln!(out, "\n{why}: {assembler} {abi} seed {seed}, {} times: {what}", one.times)?;
            writeln!(out, "  words: {}\n  {}\n{text}", one.words, detail.replace('\n', "\n  "))?;
        }
        Ok(())
    }
}
