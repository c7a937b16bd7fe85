//! The test vectors.

mod eh_frame;
mod known;
mod vectors;
