//! Recorded bugs that have to recur.

use std::fs;

use readers::corpus::SEED;
use readers::{ReadersLedger, Scope, vectors};
use toolchain::consumer::{self, Reader};

#[test]
fn a_bug_has_to_recur_only_where_its_reader_reads_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let known = folder.path().join("known");
    fs::create_dir(&known).expect("a folder");
    let entry = "title: one\nproject: one\nversions: {first: '1', last: '1'}\nreason: planted\nlink: unfiled\n\
                 added: '2026-11-27'\nexpires: '2999-01-01'\nshows:\n  - causes:\n      \
                 'wrong-row: valid/program: another row': [v2e1-amd64]\n";
    fs::write(known.join("planted.yaml"), entry).expect("an entry");
    let ledger = ReadersLedger::read(&known).expect("a ledger");
    let vectors = [vectors(SEED, 0, "valid/v2e1-amd64/two-"), vectors(SEED, 0, "valid/eh-frame-amd64/two-")].concat();
    let problems = |reads: &str| {
        let reader = format!(
            "- name: one\n  about: a stand-in\n  command: cat\n  version_command: echo 1\n  version_pattern: '(\\d)'\n  \
             from: nowhere\n  reads: [{reads}]\n"
        );
        let file = folder.path().join("consumers.yaml");
        fs::write(&file, reader).expect("a file");
        let entries = consumer::read(&file).expect("a consumers' file");
        let readers: Vec<Reader> = entries.iter().filter_map(|entry| entry.find(folder.path(), &file)).collect();
        assert_eq!(readers.len(), 1);
        ledger.hold(&mut [], Scope { readers: &readers, vectors: &vectors, is_whole: true })
    };
    let missing = problems("{versions: [v2e1]}");
    assert!(missing.len() == 1 && missing[0].contains("no longer shows"), "{missing:?}");
    assert_eq!(problems("{tables: [eh-frame]}"), [""; 0]);
}
