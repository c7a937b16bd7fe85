//! The whole: the command as its users meet it, and the judge beside what is known of files by other means.

mod architecture;
mod clean;
mod command;
mod every_step;
mod explored;
mod fuzz;
mod nightly;
mod programs;
mod ratios;
mod rules;
mod targets;
mod workers;

#[test]
fn each_printed_text_is_asked_for_by_a_test() {
    testing::blessed::each_printed_text_is_asked_for(env!("CARGO_MANIFEST_DIR"));
}
