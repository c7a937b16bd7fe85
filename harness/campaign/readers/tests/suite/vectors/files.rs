//! The corpus as files: format, reproducibility, names.

use std::collections::{BTreeMap, BTreeSet};

use generators::vectors::{Vector, all};
use readers::corpus::{SEED, chains, files};
use serde_json::Value;
use testing::schema::{self, Checker};

use super::VECTORS;

#[test]
fn every_case_and_the_index_fit_their_schemas() {
    let (index, case) = (schema_named("corpus-index.schema.json"), schema_named("corpus-case.schema.json"));
    // A part of each class suffices: one function writes all.
    let vectors: Vec<Vector> = VECTORS.iter().cloned().step_by(11).collect();
    for (name, bytes) in
        files(&vectors, SEED).filter(|(name, _)| name.ends_with(".json") && !name.starts_with("schemas/"))
    {
        let document: Value = serde_json::from_slice(&bytes).expect("JSON");
        let schema = if name == "index.json" { &index } else { &case };
        assert_eq!(schema.complaint(&document), None, "{name}");
    }
}

#[test]
fn a_case_with_another_word_does_not_fit() {
    let mut case = readers::corpus::case(VECTORS.last().expect("there are vectors"));
    case["answers"][0]["expect"] = Value::from("nothing");
    assert!(schema_named("corpus-case.schema.json").complaint(&case).is_some());
}

fn schema_named(name: &str) -> Checker {
    Checker::new(&schema::closed(schema::read(name)))
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
        let target = format!("{}/{}-{}/", vector.class.name(), vector.format, vector.abi);
        let name = vector.id.strip_prefix(&target);
        assert!(
            name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
        );
    }
}

#[test]
fn stacks_of_a_seed_are_always_the_same_and_fit_the_schema() {
    let (first, case) = (chains(SEED, "valid/v3-"), schema_named("corpus-case.schema.json"));
    assert!(first.len() == 8 && first == chains(SEED, "valid/v3-"));
    for vector in &first {
        assert_eq!(case.complaint(&readers::corpus::case(vector)), None, "{}", vector.id);
        assert!(vector.chains.iter().all(|chain| chain.callers.len() >= 3 && !chain.memory.is_empty()));
    }
}
