//! The document of all rules agrees with the catalogue.

use std::path::Path;

use testing::blessed::blessed;

#[test]
fn the_document_of_rules_is_that_of_the_catalogue() {
    blessed(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rules.md"), &reports::rules::document());
}
