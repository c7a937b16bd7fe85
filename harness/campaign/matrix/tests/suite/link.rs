//! Link recipes: refused case files, results distinguished with fake tools, and the shipped cases.
//! With real linkers they are trials of the matrix.

mod mixture;
mod outcome;
mod recipe;
mod shipped;
