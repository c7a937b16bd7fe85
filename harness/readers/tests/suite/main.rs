//! The test vectors.

mod vectors;
