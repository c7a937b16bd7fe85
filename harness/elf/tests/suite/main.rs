//! Files through the public interface of the crate, beside what other tools made of them.

mod compressed;
mod kind;
mod relocations;
