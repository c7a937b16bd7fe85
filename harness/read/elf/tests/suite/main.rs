//! Files loaded through the public interface of the crate, compared with the results of other
//! tools.

mod compressed;
mod kind;
mod relocations;
