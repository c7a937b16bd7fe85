//! Recipes of linking, and the data of each target.

mod link;
mod targets;
