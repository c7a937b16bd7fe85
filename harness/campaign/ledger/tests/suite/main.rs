//! Tests of the ledger's entries, its classes and its bundles, with their scripts and their tests
//! in the formats of other projects.

mod baseline;
mod bundles;
mod class;
mod earlier;
mod known;
mod native;
mod reader_fault;
mod same_as;
mod scripts;

#[test]
fn each_printed_text_is_asked_for_by_a_test() {
    testing::blessed::each_printed_text_is_asked_for(env!("CARGO_MANIFEST_DIR"));
}
