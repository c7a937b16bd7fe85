//! Recipes of linking, trials by their names, and the data of each target.

mod link;
mod names;
mod targets;
