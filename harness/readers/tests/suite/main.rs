//! The test vectors.

mod eh_frame;
mod vectors;
