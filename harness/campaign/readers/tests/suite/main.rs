//! The test vectors.

mod acceptance;
mod eh_frame;
mod known;
mod vectors;
