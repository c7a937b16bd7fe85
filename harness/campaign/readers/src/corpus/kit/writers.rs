//! Rows for writers of `.sframe`, and the judge of what a writer makes of them: its section is
//! decoded, and has to give the expected row for each PC. How it encodes them is its own matter.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use generators::vectors::{Class, Vector};
use sframe::{Placement, Section, StartBase, Table};

use super::text;
use crate::own::OwnReader;
use crate::{SectionInput, linker};

/// What a file of rows begins with.
const HEAD: &str = "\
# For a writer of SFrame (MIT-0). Write a section of VERSION for ABI that is at SECTION in memory and gives these rows.
#   writer ID VERSION ABI SECTION TEXT_START TEXT_END
#   function START SIZE [block BYTES] [key b] [signal]    rows repeat in blocks; signed with key B; a signal frame
#   row OFFSET ANSWER                                     from OFFSET in the function or block: CFA RA FP [signed-a|signed-b] [signal]
";

/// The rows of each vector that is valid, below the name of its id.
pub(super) fn files(vectors: &[Vector]) -> Vec<(String, Vec<u8>)> {
    let valid = vectors.iter().filter(|vector| vector.class == Class::Valid);
    valid.filter_map(|vector| Some((format!("{}.rows", vector.id), rows(vector)?.into_bytes()))).collect()
}

/// The functions of a vector with their rows.
fn rows(vector: &Vector) -> Option<String> {
    let place = Placement { section_address: vector.address, starts: StartBase::Header };
    let table = Section::parse(&vector.bytes).and_then(|section| Table::new(&section, place)).ok()?;
    let (address, (start, end)) = (vector.address, vector.text);
    let mut text = format!(
        "{HEAD}writer {} {} {} {address:#x} {start:#x} {end:#x}\n",
        vector.id,
        vector.format.name(),
        vector.abi.name()
    );
    for function in table.functions() {
        let _ = write!(text, "function {:#x} {}", function.start, function.end.saturating_sub(function.start));
        if let Some(block) = function.mask {
            let _ = write!(text, " block {block}");
        }
        if function.key == types::PacKey::B {
            text += " key b";
        }
        text += if function.signal { " signal\n" } else { "\n" };
        for offset in function.row_starts() {
            let answer = linker::answer(&table, function.start.saturating_add(u64::from(offset)));
            let _ = writeln!(text, "row {offset} {answer}");
        }
    }
    Some(text)
}

/// What a writer made of the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgedTable {
    /// Sections that give each row.
    pub right: u64,
    /// Sections that are not there.
    pub missing: u64,
    /// What is wrong with others: the first wrong answer of each.
    pub wrong: Vec<String>,
}

/// A section that cannot be read from disk.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct EncodedError {
    path: PathBuf,
    error: io::Error,
}

/// Judges the sections that a writer put beside the rows, `NAME.sframe`.
pub fn encoded(folder: &Path, vectors: &[Vector]) -> Result<JudgedTable, EncodedError> {
    let mut judged = JudgedTable::default();
    for vector in vectors.iter().filter(|vector| vector.class == Class::Valid) {
        let path = folder.join(format!("{}.sframe", vector.id));
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => judged.missing += 1,
            Err(error) => return Err(EncodedError { path, error }),
            Ok(bytes) => match first_wrong(vector, bytes) {
                None => judged.right += 1,
                Some(wrong) => judged.wrong.push(format!("{}: {wrong}", vector.id)),
            },
        }
    }
    Ok(judged)
}

/// The first answer that a section gives wrongly.
fn first_wrong(vector: &Vector, bytes: Vec<u8>) -> Option<String> {
    let input = SectionInput { bytes, ..SectionInput::from(vector) };
    match sframe::Header::parse(&input.bytes) {
        Err(error) => return Some(error.to_string()),
        Ok(header) if header.abi() != Some(vector.abi) => return Some(format!("ABI {}", header.abi_arch)),
        Ok(header) if Some(header.version().number()) != vector.format.sframe().map(types::SframeVersion::number) => {
            return Some(format!("version {}, expected {}", header.version(), vector.format));
        }
        Ok(_) => {}
    }
    let Some(reader) = OwnReader::new(&input) else { return Some("the section cannot be read".to_owned()) };
    vector.answers.iter().find_map(|answer| {
        let (kind, line) = text::expected(vector.abi, &answer.expected);
        let want = if kind == "none" { kind.to_owned() } else { line };
        let got = reader.row(answer.pc).to_string();
        (got != want).then(|| format!("{:#x}: {got}, expected {want}", answer.pc))
    })
}

#[cfg(test)]
mod tests {
    use generators::vectors::matching;

    use super::{encoded, files};

    /// The vectors' own sections are right; one with a byte of a row changed is not, and a missing
    /// one is counted.
    #[test]
    fn a_writer_is_judged_by_decoding() {
        let vectors = matching(1, "valid/v2e1-amd64/two-functions");
        assert!(files(&vectors).iter().any(|(_, text)| String::from_utf8_lossy(text).contains("\nrow 4 sp+")));
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(encoded(folder.path(), &vectors).expect("judged").missing, vectors.len() as u64);
        for vector in &vectors {
            let path = folder.path().join(format!("{}.sframe", vector.id));
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(&path, &vector.bytes).expect("written");
        }
        assert_eq!(encoded(folder.path(), &vectors).expect("judged").right, vectors.len() as u64);
        let vector = vectors.first().expect("a vector");
        let mut bytes = vector.bytes.clone();
        *bytes.last_mut().expect("a byte") ^= 8;
        std::fs::write(folder.path().join(format!("{}.sframe", vector.id)), bytes).expect("written");
        let judged = encoded(folder.path(), &vectors).expect("judged");
        assert!(judged.wrong.len() == 1 && judged.wrong[0].contains(", expected "), "{judged:?}");
    }
}
