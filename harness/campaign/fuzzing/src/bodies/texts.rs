//! Fuzzes the project's own data files, and messages of tools.

use std::path::Path;

use ledger::class::{Class, Classes};
use ledger::words::words;
use matrix::case::CaseFacts;
use matrix::frozen::FrozenObject;
use matrix::link::LinkCase;
use results::Key;
use selftest::fuzz::found::Reproducer;
use toolchain::complaint::{Complaint, SframeLines};
use toolchain::producers::Producers;
use toolchain::yaml;
use types::Abi;

/// Formats of files below `cases/`, in the order of their numbers in seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Shape {
    Case,
    Link,
    Objects,
    Found,
    Classes,
}

fn path() -> &'static Path {
    Path::new("fuzzed.yaml")
}

pub(crate) fn producer(input: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(input) else { return false };
    let root = Path::new("/nowhere");
    prints(Producers::parse(path(), text, root).map(drop))
}

pub(crate) fn case(input: &[u8]) -> bool {
    let Some((shape, text)) = input.split_first() else { return false };
    let Ok(text) = std::str::from_utf8(text) else { return false };
    match shape {
        0 => prints(yaml::parse::<CaseFacts>(path(), text).map(drop)),
        1 => prints(LinkCase::parse(path(), text).map(drop)),
        2 => match yaml::parse::<Vec<FrozenObject>>(path(), text) {
            Ok(objects) => objects.first().is_some_and(|object| !object.key().to_string().is_empty()),
            Err(error) => prints(Err(error)),
        },
        3 => prints(yaml::parse::<Vec<Reproducer>>(path(), text).map(drop)),
        _ => match yaml::parse::<Vec<Class>>(path(), text) {
            Ok(classes) => prints(Classes::new(classes).map(drop)),
            Err(error) => prints(Err(error)),
        },
    }
}

pub(crate) fn ledger(input: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(input) else { return false };
    match ledger::parse(path(), text) {
        Ok(entry) => {
            for trial in entry.findings.iter().flat_map(|recorded| &recorded.trials) {
                if let Ok(key) = trial.parse::<Key>() {
                    let _ = ledger::known::standing(std::slice::from_ref(&entry), (&key, &[]), &[], "2026-11-22");
                }
            }
            results::yaml::print(&entry).is_ok()
        }
        Err(error) => prints(Err(error)),
    }
}

/// The first byte of the input selects a target, for the names of its registers.
pub(crate) fn complaint(input: &[u8]) -> bool {
    let Some((abi, text)) = input.split_first() else { return false };
    let text = String::from_utf8_lossy(text);
    let about = SframeLines::parse(&text);
    let _ = (about.count(), about.first(), about.message());
    let complaint = Complaint(&text);
    let _ = (complaint.shape(), complaint.fault(), complaint.word(), complaint.phrase());
    let Some(abi) = Abi::ALL.into_iter().nth(usize::from(abi & 3)) else { return false };
    !about.is_empty() || !words(abi, &text).is_empty()
}

/// Returns true if there is no error; an error must be printable.
fn prints<E: std::fmt::Display>(result: Result<(), E>) -> bool {
    match result {
        Ok(()) => true,
        Err(error) => error.to_string().is_empty(),
    }
}
