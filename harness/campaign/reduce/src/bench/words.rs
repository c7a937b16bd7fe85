//! A bench with only those arguments of the compiler that are needed.

use std::sync::Arc;

use toolchain::entry::Step;

use super::{Bench, BenchError};
use crate::identity::Identity;

impl Bench {
    /// Creates a bench with only those arguments of the compiler that are needed to show the
    /// finding. The option for unwind tables is kept, because the report is about them.
    pub fn with_fewest_words(self, text: &str, identity: &Identity) -> Result<Bench, BenchError> {
        let whole = self.observe(text)?;
        self.with_fewest_words_that(text, |bench| {
            let seen = bench.observe(text)?;
            Ok(seen.shows(identity) && seen.adds_nothing_to(&whole, &[]) && (seen.ends() || !whole.ends()))
        })
    }

    /// The same for what `shows` returns true for.
    pub(crate) fn with_fewest_words_that(
        self,
        text: &str,
        shows: impl Fn(&Bench) -> Result<bool, BenchError>,
    ) -> Result<Bench, BenchError> {
        let (Some((compiler, set)), true) = (&self.pipeline.compiler, self.is_c()) else { return Ok(self) };
        let step = if self.pipeline.assembler.is_some() { Step::Compile } else { Step::CompileObject };
        let split = |words: &str| words.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let needed = ["-S", "-c", "-o", "-fasynchronous-unwind-tables"];
        // The target option of a cross compiler is not removed.
        let kept = |word: &str| word.starts_with(['{', '}']) || word.starts_with("--target") || needed.contains(&word);
        let abi = compiler.entry.abi_words.get(self.abi()).map_or("", String::as_str);
        let own = compiler.entry.steps.get(&step).map_or("", String::as_str).replace("{abi}", abi);
        let mut lists = [split(&own), split(&set.words)];
        let mut least = self;
        // Long runs first, since few arguments are needed. Some are only meaningful together:
        // -Xclang -target-feature -Xclang -x.
        for (run, list) in [16, 8, 4, 2, 1].into_iter().flat_map(|run| [(run, 0), (run, 1)]) {
            let stride = if run > 4 { run } else { 1 };
            let mut at = 0_usize;
            while let Some(words) = lists.get(list).and_then(|list| list.get(at..at.checked_add(run)?)) {
                if words.iter().any(|word| kept(word)) {
                    at += 1;
                    continue;
                }
                let mut fewer = lists.clone();
                if let Some(list) = fewer.get_mut(list) {
                    list.drain(at..at + run);
                }
                let bench = least.with_words(step, &fewer, text)?;
                if shows(&bench)? {
                    (least, lists) = (bench, fewer);
                } else {
                    at += stride;
                }
            }
        }
        Ok(least)
    }

    /// Creates a bench with other arguments for the compiler: its step's and its option set's.
    fn with_words(&self, step: Step, [own, set]: &[Vec<String>; 2], text: &str) -> Result<Bench, BenchError> {
        let (mut bench, _) = self.again(text)?;
        if let Some((compiler, options)) = &mut bench.pipeline.compiler {
            let entry = Arc::make_mut(&mut compiler.entry);
            entry.steps.insert(step, own.join(" "));
            options.words = set.join(" ");
        }
        Ok(bench)
    }
}
