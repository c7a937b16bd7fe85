//! Entries of one cause: valid targets of `same_as`, and reasons of entries that are not bugs.

use std::path::Path;

use ledger::read_faults;

/// An entry with further keys.
fn entry(keys: &str) -> String {
    format!(
        "title: t\nproject: readelf\nversions: {{first: \"1\", last: \"1\"}}\nreason: r\n{keys}link: unfiled\n\
         added: \"2026-01-01\"\nexpires: \"2027-01-01\"\nshows: [{{causes: {{\"missed: a: b\": [v2-amd64]}}}}]\n"
    )
}

/// The error for a folder with these entries, without the folder's name.
fn refusal(entries: &[(&str, &str)]) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, keys) in entries {
        std::fs::write(folder.path().join(name), entry(keys)).expect("written");
    }
    let error = read_faults(folder.path()).err()?.to_string();
    let path = format!("{}/", Path::new(folder.path()).display());
    Some(error.replace(&path, ""))
}

#[test]
fn same_as_names_an_entry_that_counts_itself() {
    let same = |name: &str| format!("same_as: {name}\n");
    assert_eq!(refusal(&[("a.yaml", ""), ("b.yaml", &same("a")), ("c.yaml", &same("a"))]), None);
    let refused = [
        (vec![("b.yaml", same("a"))], "b.yaml: line 5: unknown entry `a`: one of b"),
        (vec![("a.yaml", same("a"))], "a.yaml: line 5: a is itself the same as a: name the entry that counts"),
        (
            vec![("a.yaml", same("b")), ("b.yaml", same("a"))],
            "a.yaml: line 5: b is itself the same as a: name the entry that counts",
        ),
        (
            vec![("a.yaml", same("b")), ("b.yaml", same("c")), ("c.yaml", String::new())],
            "a.yaml: line 5: b is itself the same as c: name the entry that counts",
        ),
    ];
    for (entries, expected) in refused {
        let entries: Vec<(&str, &str)> = entries.iter().map(|(name, keys)| (*name, keys.as_str())).collect();
        assert_eq!(refusal(&entries).as_deref(), Some(expected));
    }
}

#[test]
fn what_is_no_bug_says_why() {
    assert_eq!(refusal(&[("a.yaml", "class: contested\nbecause: no text\n")]), None);
    assert_eq!(refusal(&[("a.yaml", "class: not-implemented\nbecause: no code\n")]), None);
    let expected = "`because` gives the reason why an entry of another class than bug is not a bug";
    for keys in ["class: contested\n", "because: no text\n"] {
        let refused = refusal(&[("a.yaml", keys)]).expect("an error");
        assert!(refused.ends_with(expected), "{refused}");
    }
}
