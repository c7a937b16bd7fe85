//! The document of the study of unwinding methods has the tables of its kept results.

use std::fs;
use std::path::Path;

use testing::blessed::blessed;

#[test]
fn the_tables_are_those_of_the_kept_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kept = fs::read_to_string(folder.join("accuracy.jsonl")).expect("kept results");
    let path = folder.join("accuracy.md");
    let text = fs::read_to_string(&path).expect("the document");
    let (prose, _) = text.split_once("## Tables\n").expect("a heading");
    blessed(&path, &format!("{prose}## Tables\n\n{}", reports::study::tables(&kept).expect("cells")));
}
