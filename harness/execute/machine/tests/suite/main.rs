//! The machine's results, compared with independent knowledge of the code.

mod common;
mod ends;
mod host;
mod hostile;
mod native;
mod processes;
mod samples;
mod selected_bits;
mod speed;
mod threads;
mod vectors;
mod witnesses;
mod z14;
