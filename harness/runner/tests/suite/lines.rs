//! The budget of lines of Rust, by crate: `harness/lines.txt`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use testing::root;

/// Adds the lines of each Rust file below a folder to those of its crate: the longest of the keys
/// that it is below. Those of `cases` are inputs.
fn count(folder: &Path, of_crate: &mut BTreeMap<String, usize>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && !path.is_symlink() {
            if !["target", ".git", "cases"].iter().any(|skipped| name == *skipped) {
                count(&path, of_crate);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let below = path.strip_prefix(root()).expect("below the root").display().to_string();
            let home = of_crate.iter_mut().filter(|(crate_, _)| below.starts_with(&format!("{crate_}/")));
            let home = home.max_by_key(|(crate_, _)| crate_.len());
            let (_, lines) = home.unwrap_or_else(|| panic!("harness/lines.txt has no crate of {below}"));
            *lines += fs::read_to_string(&path).expect("a source").lines().count();
        }
    }
}

#[test]
fn each_crate_keeps_to_its_lines() {
    let text = fs::read_to_string(root().join("harness/lines.txt")).expect("the budget");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.map(|line| line.split_once(' ').expect("a crate and its lines"));
    let mut budget: BTreeMap<&str, usize> =
        rows.map(|(crate_, lines)| (crate_, lines.trim().parse().expect("a number"))).collect();
    let most = budget.remove("total").expect("the total");
    let mut counted = budget.keys().map(|crate_| ((*crate_).to_owned(), 0)).collect();
    count(&root(), &mut counted);
    let over = budget.iter().filter(|(crate_, allowed)| counted[**crate_] > **allowed);
    let over: Vec<String> =
        over.map(|(crate_, allowed)| format!("{crate_}: {} of {allowed}", counted[*crate_])).collect();
    assert!(
        over.is_empty(),
        "lines of Rust over harness/lines.txt, whoever raises a number says why in the commit: {over:#?}"
    );
    let total: usize = budget.values().sum();
    assert!(total <= most, "harness/lines.txt allows {total} lines in all, {most} are the most");
}
