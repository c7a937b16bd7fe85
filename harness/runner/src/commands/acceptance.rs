//! `check --for`: whether readers take the `.sframe` of files, and use it for every function.

use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, bail};
use readers::acceptance::{Subject, TableReader, predict, table_readers};
use results::{Acceptance, AcceptanceLine, unknown};

use super::formats::ResultFormat;

/// Stands for every reader.
const ALL: &str = "all";

/// Prints the answer of each reader for each file; returns the exit code of the worst.
pub(super) fn run(
    names: &[String],
    files: &[impl AsRef<Path>],
    format: ResultFormat,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    if !matches!(format, ResultFormat::Text | ResultFormat::Json) {
        bail!("--for prints text or json");
    }
    let readers = table_readers()?;
    let known = || readers.iter().map(|reader| reader.name.as_str()).chain([ALL]);
    if let Some(name) = names.iter().find(|name| !known().any(|one| one == **name)) {
        bail!("--for: {}", unknown("reader", name, known().collect::<Vec<_>>()));
    }
    let is_asked = |reader: &&TableReader| names.iter().any(|name| *name == reader.name || name == ALL);
    let asked: Vec<&TableReader> = readers.iter().filter(is_asked).collect();
    let mut code = 0;
    for file in files {
        let file = file.as_ref();
        let image = match super::load(file) {
            Ok(image) => image,
            Err(error) => {
                writeln!(out, "{}", reports::escape::line(&format!("{error:#}")))?;
                code = worse(code, 3);
                continue;
            }
        };
        let subject = Subject::from_image(&image);
        for reader in &asked {
            let answer = predict(reader, &subject);
            code = worse(code, exit_code(&answer));
            match format {
                ResultFormat::Json => writeln!(out, "{}", serde_json::to_string(&answer).context("JSON")?)?,
                _ => reports::acceptance::text(out, &answer)?,
            }
        }
    }
    Ok(code)
}

fn exit_code(answer: &AcceptanceLine) -> u8 {
    match answer.answer {
        Acceptance::All => 0,
        Acceptance::Part | Acceptance::Refused | Acceptance::Misread => 1,
        Acceptance::Undecided => 2,
    }
}

/// The exit code of both: 3 over 1 over 2 over 0.
fn worse(one: u8, other: u8) -> u8 {
    let rank = |code: u8| [0, 2, 1, 3].iter().position(|known| *known == code);
    if rank(one) >= rank(other) { one } else { other }
}
