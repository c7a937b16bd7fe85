//! The command as users run it: the built program on real files, without a shell, and the library
//! on hostile bytes.
//!
//! Expectations come from the command's contract (reports/README.md) and from
//! `cases/objects/objects.yaml`, whose numbers come from tools independent of this project.

mod accept;
mod accuracy;
mod bad_input;
mod blame;
mod bundles;
mod by_path;
mod consumers;
mod conventions;
mod core;
mod determinism;
mod docs;
mod document;
mod files;
mod generate;
mod home;
mod hosted;
mod hostile;
mod interrupted;
mod linkers;
mod many;
mod matrix;
mod moment;
mod mutations;
mod nothing_lost;
mod options;
mod output;
mod overwritten;
mod patched;
mod producers;
mod readers;
mod reduce;
mod reduce_compiled;
mod reduce_file;
mod reduce_linking;
mod report;
mod scripts;
mod setup;
mod site;
mod stages;
mod support;
mod sweep;
mod synthesise;
mod tables;
mod transcript;
mod upstream;
mod verdict;
mod voice;
mod words;
mod workers;
mod workshop;
mod wrappers;
