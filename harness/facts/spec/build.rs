//! Declares the rules of `src/rules.txt` and the clauses of `src/clauses.txt` for the macros of
//! `src/catalogue.rs` and `src/clauses.rs`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// Begin a paragraph; one without is the statement of a rule or the demand of a clause.
const KEYS: [&str; 5] = ["from", "breach", "implies", "rules", "needs"];

/// An entry: `ID: WORD, WORD`, and indented paragraphs.
struct Entry<'t> {
    /// What follows `== ` above it.
    heading: &'t str,
    id: &'t str,
    words: Vec<&'t str>,
    paragraphs: Vec<(&'t str, String)>,
}

impl Entry<'_> {
    fn paragraph(&self, key: &str) -> &str {
        self.paragraphs.iter().find(|(name, _)| *name == key).map_or("", |(_, text)| text)
    }

    /// The names in a paragraph, as variants in a list.
    fn variants(&self, key: &str) -> String {
        self.paragraph(key).split_whitespace().map(variant).collect::<Vec<_>>().join(", ")
    }
}

fn main() {
    let out = env::var("OUT_DIR").expect("cargo sets it");
    for (name, declare) in [("rules", rule as fn(&Entry<'_>) -> String), ("clauses", clause)] {
        let path = format!("src/{name}.txt");
        println!("cargo::rerun-if-changed={path}");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let entries: String = entries(&text).iter().map(declare).collect();
        fs::write(Path::new(&out).join(format!("{name}.rs")), format!("{name}! {{\n{entries}}}\n")).expect("OUT_DIR");
    }
}

fn entries(text: &str) -> Vec<Entry<'_>> {
    let (mut all, mut heading): (Vec<Entry<'_>>, &str) = (Vec::new(), "");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(next) = line.strip_prefix("== ") {
            heading = next;
        } else if let Some(text) = line.strip_prefix("  ") {
            let entry = all.last_mut().unwrap_or_else(|| panic!("no entry above: {line}"));
            match (text.strip_prefix("  "), entry.paragraphs.last_mut()) {
                (Some(more), Some((_, paragraph))) => write!(paragraph, " {more}").expect("a string"),
                _ => {
                    let keyed = text.split_once(": ").filter(|(key, _)| KEYS.contains(key));
                    entry.paragraphs.push(keyed.map_or(("", text.to_owned()), |(key, text)| (key, text.to_owned())));
                }
            }
        } else {
            let (id, words) = line.split_once(": ").unwrap_or_else(|| panic!("no entry: {line}"));
            all.push(Entry { heading, id, words: words.split(", ").collect(), paragraphs: Vec::new() });
        }
    }
    all
}

/// `kebab-case` as the name of a variant; a `/` separates words too.
fn variant(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    name.split(['-', '/']).map(word).collect()
}

fn rule(entry: &Entry<'_>) -> String {
    let [severity, versions] = entry.words[..] else { panic!("{}: severity and versions", entry.id) };
    let (kind, group) = entry.heading.split_once(' ').unwrap_or_else(|| panic!("{}: kind and group", entry.id));
    let [clause, statement, example] = ["from", "", "breach"].map(|key| entry.paragraph(key));
    let implies = match entry.variants("implies") {
        none if none.is_empty() => none,
        implies => format!(", implies {implies}"),
    };
    format!(
        "{} {} {{ {} = {:?}: {}, {versions}, {clause:?}, {statement:?}, {example:?}{implies}; }}\n",
        variant(kind),
        variant(group),
        variant(entry.id),
        entry.id,
        variant(severity),
    )
}

fn clause(entry: &Entry<'_>) -> String {
    let [shown_by, versions] = entry.words[..] else { panic!("{}: a kind of program and versions", entry.id) };
    format!(
        "{:?} {{ {:?}: {}, {versions}, {:?} => [{}] if [{}]; }}\n",
        entry.heading,
        entry.id,
        variant(shown_by),
        entry.paragraph(""),
        entry.variants("rules"),
        entry.variants("needs"),
    )
}
