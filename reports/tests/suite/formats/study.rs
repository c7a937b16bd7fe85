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

/// A program that was not measured in each way of a table is in none of its averages.
#[test]
fn averages_are_of_the_same_programs() {
    let kept = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("accuracy.jsonl")).expect("kept results");
    let build = |program: &str, frames: &str| {
        let fields =
            [("program", program), ("compiler", "gcc"), ("frames", frames), ("libraries", "same"), ("abi", "amd64")];
        let is = |line: &&str| fields.iter().all(|(key, value)| line.contains(&format!("\"{key}\":\"{value}\"")));
        kept.lines().find(is).expect("a build").to_owned() + "\n"
    };
    let both = [build("bzip2", "omit"), build("bzip2", "all")].concat();
    let programs = |kept: &str| reports::study::tables(kept).expect("cells").contains("| *programs* | 1, 1 | 1, 1 |");
    assert!(programs(&both));
    assert!(programs(&(both.clone() + &build("lua", "omit"))));
    assert!(!programs(&(both + &build("lua", "omit") + &build("lua", "all"))));
}

/// A wrong chain has one place, and is wrong in at least one way.
#[test]
fn the_counts_of_each_build_agree() {
    let kept = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("accuracy.jsonl")).expect("kept results");
    for line in kept.lines() {
        let build: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let number = |value: &serde_json::Value| value.as_u64().expect("a number");
        let sum = |value: &serde_json::Value| value.as_array().expect("numbers").iter().map(number).sum::<u64>();
        for (name, method) in build["methods"].as_object().expect("methods") {
            let wrong = number(&build["samples"]) - number(&method["all"][1]);
            let places: u64 = method["misses"].as_object().expect("places").values().map(sum).sum();
            assert_eq!(places, wrong, "{name} of {}", build["program"]);
            assert!(sum(&method["wrong"]) >= wrong, "{name} of {}", build["program"]);
        }
    }
}
