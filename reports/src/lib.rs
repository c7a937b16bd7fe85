//! Typed findings as text, JSON, Markdown, HTML, JUnit, SARIF, annotations and folders ready to be filed; two runs compared, several
//! merged. Judges nothing and needs nothing but `model`.

pub mod bundle;
pub mod clauses;
pub mod console;
pub mod escape;
pub mod findings;
pub mod github;
pub mod history;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod merged;
pub mod page;
pub mod place;
pub mod sarif;
mod sizes;
pub mod tally;
pub mod text;
