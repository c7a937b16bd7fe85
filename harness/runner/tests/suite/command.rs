//! The command as users run it: the built program on real files, and the documents about it. Most
//! tests of the command are transcripts (`tests/transcripts`); here are those with logic.
//!
//! Expectations come from the command's contract (reports/README.md) and from
//! `cases/objects/objects.yaml`, whose numbers come from tools independent of this project.

mod action;
mod bundles;
mod conventions;
mod core;
mod docs;
mod document;
mod home;
mod hostile;
mod readers;
mod schemas;
mod scripts;
mod support;
mod sweep;
mod words;
mod workers;
mod wrappers;
