//! Which bugs are made: drawn by seed, as many from each file as it has.

use sha2::{Digest as _, Sha256};

use super::operators::{Edit, edits};
use super::text::Code;
use super::tree::{FILES, SourceFile, Tree, TreeError};

/// A bug in a file.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    /// The file.
    pub file: &'static SourceFile,
    /// The bug.
    pub edit: Edit,
    /// File, line, operator and the text put there, in a word: the same from run to run.
    pub id: String,
}

/// The first bugs of a seed, in turn from each file that a build of the tree uses.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn draw(tree: &Tree, filter: &str, seed: u64, count: usize) -> Result<Vec<Mutant>, TreeError> {
    let mut files = Vec::new();
    for file in FILES.iter().filter(|file| file.path.contains(filter) && !tree.builds(file).is_empty()) {
        files.push(drawn(file, &tree.text(file)?, seed).into_iter());
    }
    let mut mutants = Vec::new();
    while mutants.len() < count && !files.is_empty() {
        files.retain_mut(|file| file.next().map(|mutant| mutants.push(mutant)).is_some());
    }
    mutants.truncate(count);
    Ok(mutants)
}

/// Every bug of a file, in the order of a seed.
fn drawn(file: &'static SourceFile, text: &str, seed: u64) -> Vec<Mutant> {
    let code = Code::new(text);
    let definitions = code.definitions();
    let about = definitions.iter().filter(|one| file.whole || one.name.contains("sframe"));
    let all = about.flat_map(|definition| edits(&code, definition));
    let mut mutants: Vec<(Vec<u8>, Mutant)> = all
        .map(|edit| {
            let place = format!("{}:{}:{:?}:{}:{}", file.path, edit.line, edit.operator, edit.range.start, edit.by);
            let id: String = Sha256::digest(&place).iter().take(5).map(|byte| format!("{byte:02x}")).collect();
            (Sha256::digest(format!("{seed}:{place}")).to_vec(), Mutant { file, edit, id })
        })
        .collect();
    mutants.sort_by(|(one, _), (other, _)| one.cmp(other));
    mutants.into_iter().map(|(_, mutant)| mutant).collect()
}

#[cfg(test)]
mod tests {
    use super::{FILES, drawn};

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
        let some: Vec<String> = drawn(&FILES[4], text, 1).into_iter().map(|one| one.edit.definition).collect();
        assert!(!some.is_empty() && !some.contains(&"other".to_owned()), "{some:?}");
    }
}
