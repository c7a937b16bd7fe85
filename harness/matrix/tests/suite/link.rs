//! Recipes of linking: what is refused in a case file, what an outcome distinguishes, by tools that
//! are made up, and the cases that are shipped. With real linkers they are trials of the matrix.

mod mixture;
mod outcome;
mod recipe;
mod shipped;
