//! Licences of the crates in the program, which links Unicorn (GPL-2.0): `deny.toml` allows each.
//! CI checks the same with `cargo deny`.

use std::process::Command;

/// The crates of the program with the licence of each. `edges` as in `cargo tree`.
fn crates(edges: &str) -> Vec<(String, String)> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let tree = ["tree", "--offline", "--locked", "--prefix", "none", "--package", env!("CARGO_PKG_NAME")];
    let made = Command::new(cargo)
        .args(tree)
        .args(["--edges", edges, "--format", "{p}|{l}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo tree");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let text = String::from_utf8(made.stdout).expect("UTF-8");
    let parts = text.lines().map(|line| line.trim_end_matches(" (*)").split_once('|').expect("two parts"));
    let mut crates: Vec<(String, String)> = parts.map(|(name, of)| (name.to_owned(), of.to_owned())).collect();
    crates.sort();
    crates.dedup();
    crates
}

/// Quoted texts in the line of `deny.toml` that begins with `key`.
fn listed(key: &str) -> Vec<String> {
    let text = include_str!("../../../../deny.toml");
    let line = text.lines().find(|line| line.starts_with(key)).expect("a line of deny.toml");
    line.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns true if an expression (SPDX, or with `/` for `OR`) can be met with these licences.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.trim().replace('/', " OR ");
    let mut depth = 0;
    let mut parts = vec![Vec::new()];
    let mut all = false;
    for word in expression.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        depth += i32::from(word == "(") - i32::from(word == ")");
        match (word, depth) {
            ("AND" | "OR", 0) => {
                all = word == "AND";
                parts.push(Vec::new());
            }
            _ => parts.last_mut().expect("one").push(word.to_owned()),
        }
    }
    let met = |part: &Vec<String>| match part.as_slice() {
        [open, inner @ .., close] if open == "(" && close == ")" => is_met(&inner.join(" "), allowed),
        words => allowed.contains(&words.join(" ")),
    };
    if all { parts.iter().all(met) } else { parts.iter().any(met) }
}

#[test]
fn an_expression_is_met_by_a_choice_or_by_all_parts() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    for (expression, expected) in [
        ("MIT", true),
        ("Apache-2.0", false),
        ("Apache-2.0 OR MIT", true),
        ("Apache-2.0/MIT", true),
        ("Apache-2.0 WITH LLVM-exception OR MIT", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("MIT AND Apache-2.0", false),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &allowed), expected, "{expression}");
    }
}

#[test]
fn every_crate_in_the_program_is_compatible_with_the_gpl() {
    let allowed = listed("allow = ");
    assert!(!allowed.contains(&"Apache-2.0".to_owned()), "GPL-2.0 does not allow Apache-2.0 alone");
    let crates = crates("normal");
    assert!(crates.len() > 100, "{crates:?}");
    let refused: Vec<_> = crates.iter().filter(|(_, licence)| !is_met(licence, &allowed)).collect();
    assert!(refused.is_empty(), "not among the licences of deny.toml: {refused:#?}");
}

/// Build scripts and their dependencies are not part of the program.
#[test]
fn crates_that_only_build_it_are_allowed_or_named() {
    let (allowed, named) = (listed("allow = "), listed("exceptions = "));
    let is_named = |name: &str| named.iter().any(|one| name.split(' ').next() == Some(one));
    let crates = crates("normal,build");
    let refused: Vec<_> =
        crates.iter().filter(|(name, licence)| !is_met(licence, &allowed) && !is_named(name)).collect();
    assert!(refused.is_empty(), "not among the licences of deny.toml: {refused:#?}");
}
