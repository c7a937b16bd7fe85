//! Tests of reduction: of texts, of tables in files, and of random directives.

mod fuzz;
mod search;
mod table;
