//! The machine's results, compared with independent knowledge of the code.

mod aarch64;
mod amd64;
mod canonical;
mod common;
mod ends;
mod host;
mod hostile;
mod later;
mod native;
mod processes;
mod s390x;
mod samples;
mod scalable;
mod self_modifying;
mod signed;
mod speed;
mod stacks;
mod threads;
mod thunks;
mod vectors;
mod witnesses;
