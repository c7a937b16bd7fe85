//! Tests of the whole program: the command as users run it, and what it finds.

mod architecture;
mod command;
mod fuzz;
mod licences;
mod nightly;
mod ratios;

#[test]
fn each_printed_text_is_asked_for_by_a_test() {
    testing::blessed::each_printed_text_is_asked_for(env!("CARGO_MANIFEST_DIR"));
}
