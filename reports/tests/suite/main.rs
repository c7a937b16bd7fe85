//! Tests of the `reports` crate through its public interface, from plain values.

mod bundle;
mod clauses;
mod filed;
mod formats;
mod json;
mod page;
mod page_picture;
mod page_sample;
mod page_text;
mod page_views;
mod results;
mod site;
mod support;
mod text;
mod typed;

#[test]
fn each_printed_text_is_asked_for_by_a_test() {
    testing::blessed::each_printed_text_is_asked_for(env!("CARGO_MANIFEST_DIR"));
}
