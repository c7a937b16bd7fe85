//! Text for a terminal: tables first, results that need attention last.

use std::io::{self, Write};

use results::{ReaderExample, ReaderFinding, ReadersRun};

use super::{cause, names, reads, spread};
use crate::console::columns::Table;
use crate::escape::{line, short};
use types::counted;

/// Maximum number of rows of 32 bytes that are printed of a section.
const MOST_ROWS: usize = 16;
/// Maximum number of characters of an answer.
const MOST: usize = 200;

/// Prints a run and its findings.
pub fn write(findings: &[ReaderFinding], run: &ReadersRun, out: &mut dyn Write) -> io::Result<()> {
    verdicts(run, out)?;
    who_reads_what(run, out)?;
    if !run.choices.is_empty() {
        writeln!(out, "\nWhere the text leaves it open:")?;
    }
    for choice in &run.choices {
        for (reader, word) in &choice.by_reader {
            writeln!(out, "{:<18} {:<16} {}", choice.question, line(reader), line(word))?;
        }
    }
    let (new, known): (Vec<_>, Vec<_>) = findings.iter().partition(|finding| finding.known.is_none());
    for finding in &known {
        print_example(finding, out)?;
    }
    let differences = each(new.iter().copied(), out)?;
    for problem in &run.problems {
        writeln!(out, "{}", line(problem))?;
    }
    let sections: Vec<String> = run.sections.iter().map(|(class, count)| format!("{count} {}", line(class))).collect();
    let stacks: Vec<String> = run.stacks.iter().map(|(origin, count)| format!("{count} {}", line(origin))).collect();
    writeln!(
        out,
        "\nsections: {}; stacks: {}",
        sections.join(", "),
        if stacks.is_empty() { "none".to_owned() } else { stacks.join(", ") }
    )?;
    let by =
        if differences < new.len() { format!(" by {}", counted(differences, "difference")) } else { String::new() };
    writeln!(out, "{}{by}, {} known; {:.1} s", counted(new.len(), "new finding"), known.len(), run.seconds)
}

/// Prints findings, each with its example.
pub fn findings(findings: &[ReaderFinding], out: &mut dyn Write) -> io::Result<()> {
    each(findings.iter(), out).map(drop)
}

/// Findings that differ from what is expected in the same way are one bug in all likelihood: the
/// smallest is shown, the others are named. Returns the number of differences.
fn each<'a>(findings: impl Iterator<Item = &'a ReaderFinding>, out: &mut dyn Write) -> io::Result<usize> {
    let mut alike: Vec<Vec<&ReaderFinding>> = Vec::new();
    for finding in findings {
        let own = (&finding.reader, finding.verdict, difference(finding));
        let is_it = |first: &&ReaderFinding| (&first.reader, first.verdict, difference(first)) == own;
        match alike.iter_mut().find(|group| !finding.cause.is_empty() && group.first().is_some_and(is_it)) {
            Some(group) => group.push(finding),
            None => alike.push(vec![finding]),
        }
    }
    let differences = alike.len();
    for mut group in alike {
        group.sort_by_key(|finding| finding.example.as_ref().map_or(usize::MAX, |example| example.section.len()));
        let Some((smallest, others)) = group.split_first() else { continue };
        print_example(smallest, out)?;
        if let Some(example) = &smallest.example {
            shown(example, out)?;
        }
        if !others.is_empty() {
            let topics: Vec<&str> = others.iter().filter_map(|finding| topic(finding)).take(MOST_TOPICS).collect();
            let more = if others.len() > topics.len() { ", ..." } else { "" };
            let same =
                format!("the same difference in {}: {}{more}", counted(others.len(), "other kind"), topics.join(", "));
            writeln!(out, "  {}", line(&same))?;
        }
    }
    Ok(differences)
}

/// Kinds of vectors that are named.
const MOST_TOPICS: usize = 6;

/// The kind of vectors that shows a finding.
fn topic(finding: &ReaderFinding) -> Option<&str> {
    finding.cause.split(": ").nth(1)
}

/// How its answers differ from the expected ones.
fn difference(finding: &ReaderFinding) -> &str {
    finding.cause.splitn(3, ": ").nth(2).unwrap_or_default()
}

fn verdicts(run: &ReadersRun, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{:<19} {:<16} {:<19} {:>8} {:>8}", "reader", "version", "verdict", "sections", "answers")?;
    for reader in &run.readers {
        let (name, version) = (line(&reader.name), line(&reader.version));
        for (verdict, counts) in &reader.verdicts {
            let (sections, answers) = (counts.sections, counts.answers);
            writeln!(out, "{name:<19} {version:<16} {:<19} {sections:>8} {answers:>8}", verdict.name())?;
        }
        if let Some(broken) = &reader.broken {
            writeln!(out, "  broken first: {}", short(&line(broken), MOST))?;
        }
        if reader.not_claimed > 0 {
            writeln!(out, "{name:<19} {version:<16} {:<19} {:>8}", "not claimed", reader.not_claimed)?;
        }
    }
    Ok(())
}

fn who_reads_what(run: &ReadersRun, out: &mut dyn Write) -> io::Result<()> {
    let names = names(run);
    let mut table = Table::new(1 + names.len(), &[&["table"], names.as_slice()].concat());
    for (kind, by_reader) in reads(run) {
        let cells = names.iter().map(|name| by_reader.get(name).copied().unwrap_or("-"));
        table.row([kind].into_iter().chain(cells).map(str::to_owned).collect());
    }
    table.print(None, out)
}

fn print_example(finding: &ReaderFinding, out: &mut dyn Write) -> io::Result<()> {
    let known = finding.known.as_ref().map_or_else(|| "NEW".to_owned(), |entry| line(entry));
    writeln!(out, "\n{} {}: {}", line(&finding.reader), line(&finding.version), line(&cause(finding)))?;
    writeln!(out, "  {known}   {}   {}", line(&finding.fingerprint), line(&spread(finding)))?;
    if finding.cause.is_empty() && finding.known.is_none() {
        writeln!(out, "  a bug of your own reader: --out DIR writes its reproducers to DIR/private")?;
    }
    Ok(())
}

fn shown(example: &ReaderExample, out: &mut dyn Write) -> io::Result<()> {
    let pc = example.pc.map_or_else(String::new, |pc| format!(" at {pc:#x}"));
    let (got, want) = (short(&line(&example.got), MOST), short(&line(&example.want), MOST));
    writeln!(out, "  {}{pc}: {got}, expected {want}", line(&example.id))?;
    writeln!(out, "  {} The section is at {:#x}.", line(&example.about), example.address)?;
    for row in example.section.as_bytes().chunks(64).take(MOST_ROWS) {
        writeln!(out, "  {}", line(&String::from_utf8_lossy(row)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use results::{Blame, READERS_SCHEMA, ReaderFinding, ReaderVerdict};

    use super::each;

    /// The same wrong answer to vectors of several kinds is one difference; another answer is not.
    #[test]
    fn findings_are_folded_by_difference() {
        let finding = |cause: &str| ReaderFinding {
            schema: READERS_SCHEMA,
            fingerprint: "0123456789abcdef".to_owned(),
            blame: Blame::Consumer,
            project: "mine".to_owned(),
            reader: "mine".to_owned(),
            version: "1".to_owned(),
            verdict: ReaderVerdict::WrongRow,
            cause: cause.to_owned(),
            tables: BTreeMap::from([("v3-amd64".to_owned(), 3)]),
            answers: 1,
            shown_by: Vec::new(),
            example: None,
            known: None,
        };
        let shift = "fp cfa-N where cfa-N";
        let all = [
            finding(&format!("wrong-row: valid/cfa-word-N: {shift}")),
            finding(&format!("wrong-row: valid/signal: {shift}")),
            finding("wrong-row: valid/signal: ra cfa-N where same"),
        ];
        let mut out = Vec::new();
        assert_eq!(each(all.iter(), &mut out).expect("memory"), 2);
        let text = String::from_utf8(out).expect("text");
        assert!(text.contains("the same difference in 1 other kind: valid/signal\n"), "{text}");
    }
}
