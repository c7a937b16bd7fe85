//! A [`crate::testrun::TestRun`] in the formats that other programs read. Each escapes what comes
//! from outside by its own rules.

pub mod dejagnu;
pub mod github;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod tap;
