//! The search for the smallest text.

use std::time::Duration;

use reduce::{Bounds, Counts, Files, Language, Search, Text, Watch};

/// The search alone: a failure to store a result ends it, and is reported.
#[test]
fn a_text_that_cannot_be_kept_is_an_error() {
    struct Full(u32);
    impl Watch for Full {
        fn tried(&mut self, _: &Counts) {}
        fn kept(&mut self, _: &Files) -> std::io::Result<()> {
            self.0 += 1;
            if self.0 > 2 { Err(std::io::Error::other("the disk is full")) } else { Ok(()) }
        }
    }
    let files = |text: &Text| Files::from([("repro.s".to_owned(), text.to_string().into_bytes())]);
    let shows = |text: &Text| text.to_string().contains("x").then(|| files(text));
    let bounds = Bounds { time: Duration::from_secs(60), tries: 1000 };
    let mut watch = Full(0);
    let text = Text::new("a\nb\nx\nc\nd\n", Language { abi: types::Abi::Amd64, is_c: false });
    let mut search = Search::new(text.clone(), &shows, bounds, &mut watch);
    search.run(&files(&text));
    assert!(search.finish().is_err_and(|error| error.to_string().contains("full")));
}
