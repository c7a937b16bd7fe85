//! The document of claims has the numbers of its kept results.

use std::fs;
use std::path::Path;

use testing::blessed::blessed;

#[test]
fn the_numbers_are_those_of_the_kept_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file of the document");
    let kept = serde_json::from_str(&read("claims.json")).expect("JSON");
    let text = reports::claims::render(&read("claims.in"), &kept).expect("fields");
    blessed(&folder.join("claims.md"), &text);
}
