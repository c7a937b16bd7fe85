//! Open questions of the format's specification, and the behaviour of each reader: a Markdown page
//! for the specification's editors.

use std::collections::BTreeMap;
use std::io::{self, Write};

use results::ReadersRun;

use crate::escape::{code, code_cell};

/// Writes all questions with their clauses and the measured behaviour.
pub fn write(run: &ReadersRun, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# What the text of SFrame leaves open\n")?;
    writeln!(
        out,
        "Each question is one that the text does not answer, or answers in two ways. Below it is what readers do with sections that \
         ask it, as measured on {}. `reading 1`, `reading 2` count the answers in the order of the question; `read` is as the question's \
         section would be read without it.\n",
        code(&run.day)
    )?;
    for choice in &run.choices {
        writeln!(out, "## {}\n\n{}\n\n{}.\n", choice.question, choice.asks, choice.clause)?;
        let mut by_word: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (reader, word) in &choice.by_reader {
            let version = run.readers.iter().find(|line| line.name == *reader).map_or("", |line| &line.version);
            by_word.entry(word).or_default().push(format!("{reader} ({version})"));
        }
        writeln!(out, "| Choice | Readers |\n|---|---|")?;
        for (word, readers) in by_word {
            let readers: Vec<String> = readers.iter().map(|reader| code_cell(reader)).collect();
            writeln!(out, "| {} | {} |", code_cell(word), readers.join(", "))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
