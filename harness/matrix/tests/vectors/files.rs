//! The corpus as files: form, sameness, names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use generators::vectors::{Vector, all};
use matrix::corpus::{SEED, files};
use serde_json::Value;

use crate::{VECTORS, checker};

#[test]
fn every_case_and_the_index_fit_their_schemas() {
    // A part of each class is enough: all come from one function.
    let vectors: Vec<Vector> = VECTORS.iter().cloned().step_by(11).collect();
    for (name, bytes) in
        files(&vectors, SEED).filter(|(name, _)| name.ends_with(".json") && !name.starts_with("schemas/"))
    {
        let schema = if name == "index.json" { "corpus-index.schema.json" } else { "corpus-case.schema.json" };
        let document: Value = serde_json::from_slice(&bytes).expect("JSON");
        let complaints = checker::check(&schema_named(schema), &document, &schema_named);
        assert_eq!(complaints, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_case_with_another_word_does_not_fit() {
    let mut case = matrix::corpus::case(VECTORS.last().expect("there are vectors"));
    case["answers"][0]["expect"] = Value::from("nothing");
    assert!(!checker::check(&schema_named("corpus-case.schema.json"), &case, &schema_named).is_empty());
}

fn schema_named(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/schemas").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    checker::closed(serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_only_other_programs() {
    let (first, other) = (&*VECTORS, all(SEED + 1));
    assert!(*first == all(SEED));
    let sections = |vectors: &[Vector]| -> BTreeMap<String, Vec<u8>> {
        vectors.iter().map(|vector| (vector.id.clone(), vector.bytes.clone())).collect()
    };
    let (sections, others) = (sections(first), sections(&other));
    let different = sections.keys().chain(others.keys()).filter(|id| sections.get(*id) != others.get(*id));
    let different: Vec<&String> = different.collect();
    assert!(different.len() > 20);
    assert!(different.iter().all(|id| id.contains("/program-")), "{different:?}");
}

#[test]
fn a_section_file_is_the_bytes_that_were_decided() {
    let vectors: Vec<Vector> = VECTORS.iter().cloned().step_by(101).collect();
    let files: BTreeMap<String, Vec<u8>> = files(&vectors, SEED).collect();
    for vector in &vectors {
        assert_eq!(files.get(&format!("{}.sframe", vector.id)), Some(&vector.bytes));
    }
    let index: Value = serde_json::from_slice(&files["index.json"]).expect("JSON");
    assert_eq!(index["cases"].as_array().map(Vec::len), Some(vectors.len()));
}

#[test]
fn ids_are_unique_and_say_class_version_and_abi() {
    let vectors = &*VECTORS;
    let ids: BTreeSet<&str> = vectors.iter().map(|vector| vector.id.as_str()).collect();
    assert_eq!(ids.len(), vectors.len());
    for vector in vectors {
        let target = format!("{}/{}-{}/", vector.class.name(), vector.version, vector.abi);
        let name = vector.id.strip_prefix(&target);
        assert!(
            name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
        );
    }
}
