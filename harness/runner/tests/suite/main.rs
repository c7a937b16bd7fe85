//! Tests of the whole program: the command as users run it, and what holds of all sources.

mod architecture;
mod command;
mod licences;
mod lines;
mod nightly;
mod ratios;
