//! Which bugs are made: drawn by seed, as many from each file as it has; or a list of the user's.

use std::path::Path;

use sha2::{Digest as _, Sha256};
use toolchain::input;

use super::operators::{Edit, Operator, edits};
use super::text::{Code, Definition};
use super::tree::{SourceFile, Tree, TreeError};

/// A bug in a file.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    pub file: &'static SourceFile,
    /// The bug.
    pub edit: Edit,
    /// File, line, operator and the text put there, in a word: the same from run to run.
    pub id: String,
}

/// The first bugs of a seed, in turn from each file that a build of the tree uses.
pub(super) fn draw(tree: &Tree, filter: &str, seed: u64, count: usize) -> Result<Vec<Mutant>, TreeError> {
    let mut files = Vec::new();
    for file in tree.files().iter().filter(|file| file.path.contains(filter) && tree.uses(file)) {
        files.push(drawn(file, &tree.text(file)?, seed).into_iter());
    }
    let mut mutants = Vec::new();
    while mutants.len() < count && !files.is_empty() {
        files.retain_mut(|file| file.next().map(|mutant| mutants.push(mutant)).is_some());
    }
    mutants.truncate(count);
    Ok(mutants)
}

/// A bug of the user's: a line of JSON.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenBug {
    /// Path below the source, one of those that bugs are drawn from.
    file: String,
    /// Text that the file has once.
    was: String,
    /// Text in its place.
    by: String,
}

/// The bugs of a file with a line of JSON for each: `{"file": ..., "was": ..., "by": ...}`.
pub(super) fn given(tree: &Tree, path: &Path) -> Result<Vec<Mutant>, TreeError> {
    let text = input::read_text(path).map_err(|error| TreeError::File { path: path.to_owned(), error })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mutants = lines.map(|(index, line)| {
        let failed = |why: String| TreeError::Given { path: path.to_owned(), line: index + 1, why };
        let bug: GivenBug = serde_json::from_str(line).map_err(|error| failed(error.to_string()))?;
        let file = tree.files().iter().find(|file| file.path == bug.file);
        let file = file.ok_or_else(|| failed(format!("{}: no bugs are put into this file", bug.file)))?;
        let code = Code::new(&tree.text(file)?);
        let mut places = code.text.match_indices(&bug.was).map(|(at, _)| at);
        let (Some(at), None) = (places.next(), places.next()) else {
            return Err(failed(format!("{}: `was` does not occur exactly once", bug.file)));
        };
        let holds = |one: &Definition| one.body.contains(&at);
        let definition = code.definitions().into_iter().find(holds).map(|one| one.name).unwrap_or_default();
        let edit = Edit {
            operator: Operator::Given,
            definition,
            line: code.text.get(..at).unwrap_or_default().matches('\n').count() + 1,
            range: at..at + bug.was.len(),
            by: bug.by,
        };
        Ok(Mutant { file, id: id(&place(file, &edit)), edit })
    });
    mutants.collect()
}

fn place(file: &SourceFile, edit: &Edit) -> String {
    format!("{}:{}:{:?}:{}:{}", file.path, edit.line, edit.operator, edit.range.start, edit.by)
}

fn id(place: &str) -> String {
    Sha256::digest(place).iter().take(5).map(|byte| format!("{byte:02x}")).collect()
}

/// Every bug of a file, in the order of a seed.
fn drawn(file: &'static SourceFile, text: &str, seed: u64) -> Vec<Mutant> {
    let code = Code::new(text);
    let definitions = code.definitions();
    let names = |text: &str| text.to_ascii_lowercase().contains("sframe");
    let lines: Vec<&str> = code.text.lines().collect();
    let is_about =
        |edit: &Edit| file.whole || names(&edit.definition) || lines.get(edit.line - 1).is_some_and(|line| names(line));
    // To list the edits of a definition takes long in a large file.
    let body = |one: &Definition| code.text.get(one.body.clone()).unwrap_or_default();
    let about = definitions.iter().filter(|one| file.whole || names(&one.name) || names(body(one)));
    let all = about.flat_map(|definition| edits(&code, definition)).filter(is_about);
    let mut mutants: Vec<(Vec<u8>, Mutant)> = all
        .map(|edit| {
            let place = place(file, &edit);
            (Sha256::digest(format!("{seed}:{place}")).to_vec(), Mutant { file, edit, id: id(&place) })
        })
        .collect();
    mutants.sort_by(|(one, _), (other, _)| one.cmp(other));
    mutants.into_iter().map(|(_, mutant)| mutant).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::FILES;
    use super::drawn;

    #[test]
    fn a_seed_draws_the_same_and_another_seed_others() {
        let text = "static int\nsframe_a (int n)\n{\n  if (n < 4)\n    return 1;\n  return n + 2;\n}\n\
                    static int\nother (int n)\n{\n  return n + 3;\n}\n";
        let ids = |file: usize, seed| drawn(&FILES[file], text, seed).into_iter().map(|one| one.id).collect::<Vec<_>>();
        assert_eq!(ids(0, 1), ids(0, 1));
        assert_ne!(ids(0, 1), ids(0, 2));
        let all: Vec<String> = drawn(&FILES[0], text, 1).into_iter().map(|one| one.edit.definition).collect();
        assert!(all.contains(&"other".to_owned()));
        // Of a file that has other things as well, only what is about SFrame.
        let some: Vec<String> = drawn(&FILES[6], text, 1).into_iter().map(|one| one.edit.definition).collect();
        assert!(!some.is_empty() && !some.contains(&"other".to_owned()), "{some:?}");
    }
}
