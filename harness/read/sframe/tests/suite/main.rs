//! Tests of the `sframe` crate through its public interface. Expectations come from the
//! specification.

mod corpus;
mod cover;
mod cut;
mod examples;
mod file;
mod meaning;
mod robustness;
mod rules;
