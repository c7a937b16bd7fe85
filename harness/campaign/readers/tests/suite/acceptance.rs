//! Predictions of `check --for`, compared with what the readers of this machine answer.

use std::fs;

use readers::acceptance::{Condition, Subject, compare, table_readers};
use toolchain::consumer::{self, SHIPPED};
use types::{Image, ImageKind};

use crate::vectors::VECTORS;

/// Of the vectors, one of as many by day.
const PART: usize = 6;

/// Linked files with a table.
fn images() -> Vec<Image> {
    let folder = testing::root().join("cases/objects");
    let mut images = Vec::new();
    for abi in ["x86_64", "aarch64", "aarch64_be", "s390x"] {
        let entries = fs::read_dir(folder.join(abi)).expect("a folder");
        for entry in entries.map(|entry| entry.expect("an entry").path()) {
            let bytes = fs::read(&entry).expect("a file");
            let image = elf::load(&entry.display().to_string(), &bytes.into()).expect("an ELF file");
            if image.kind != ImageKind::Relocatable {
                images.push(image);
            }
        }
    }
    images
}

/// Readers that are not here are not compared: `ci/consumers` fetches them.
#[test]
fn predictions_equal_the_readers_answers() {
    let root = testing::root();
    let entries = consumer::read(&root.join(SHIPPED)).expect("a consumers' file");
    let folder = tempfile::tempdir().expect("a folder");
    let part = if testing::samples::all() { 1 } else { PART };
    let images = images();
    let sections = VECTORS.iter().filter(|vector| vector.format.sframe().is_some()).step_by(part);
    let subjects: Vec<Subject<'_>> = sections
        .map(Subject::from_vector)
        .chain(images.iter().map(|image| Subject::from_image(image).alone()))
        .collect();
    let mut wrong = Vec::new();
    for entry in table_readers().expect("readers") {
        let consumer = entries.iter().find(|one| Some(&one.name) == entry.tested.as_ref());
        assert_eq!(consumer.is_some(), entry.tested.is_some(), "{}", entry.name);
        let Some(reader) = consumer.and_then(|consumer| consumer.find(&root, &root)) else { continue };
        let mut asked = 0;
        for subject in &subjects {
            let file = folder.path().join("section");
            fs::write(&file, subject.bytes.expect("a section")).expect("a file");
            let Some(compared) = compare(&entry, &reader, subject, &file) else { continue };
            asked += 1;
            let differences = compared.differences.iter().take(2);
            wrong.extend(differences.map(|difference| format!("{}: {}: {difference}", entry.name, subject.name)));
        }
        println!("{}: {asked} sections", entry.name);
        assert!(asked > 100, "{}: {asked} sections", entry.name);
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// A condition that no clause names is not in the vocabulary.
#[test]
fn every_condition_is_of_a_clause() {
    let readers = table_readers().expect("readers");
    let named = |condition: &Condition| {
        readers.iter().flat_map(|reader| &reader.clauses).any(|clause| clause.when == *condition)
    };
    let idle: Vec<&str> = Condition::ALL.iter().filter(|one| !named(one)).map(|one| one.key()).collect();
    assert_eq!(idle, [""; 0]);
    // A list of names has no duplicate, and no reader lacks a clause.
    for (index, reader) in readers.iter().enumerate() {
        assert!(!reader.clauses.is_empty() && readers[..index].iter().all(|one| one.name != reader.name));
    }
}
