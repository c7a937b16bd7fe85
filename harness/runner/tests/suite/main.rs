//! The whole: the command as its users meet it, and the judge beside what is known of files by other means.

mod architecture;
mod blind;
mod clean;
mod command;
mod every_step;
mod explored;
mod fuzz;
mod link;
mod nightly;
mod planted;
mod programs;
mod ratios;
mod rules;
mod score;
mod targets;
mod workers;

#[test]
fn each_printed_text_is_asked_for_by_a_test() {
    testing::blessed::each_printed_text_is_asked_for(env!("CARGO_MANIFEST_DIR"));
}
