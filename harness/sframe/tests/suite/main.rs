//! Tests of the `sframe` crate through its public interface. Expectations come from the specification.

mod examples;
mod meaning;
