//! The whole: the command as its users meet it, and what it is shown to find.

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
