//! Patterns of trial names, as they stand in the ledger: which trials they are for, and which patterns there are for a trial.

use super::{CaseName, Key, SEPARATOR, VARIED};
use crate::Abi;

/// A trial's name in which `*` stands for any text, `::` included: `gas@2.47.50*::*::c::leaf+*`. A whole name is a pattern too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPattern<'a>(pub &'a str);

impl<'a> KeyPattern<'a> {
    /// True when it matches the whole text.
    pub fn matches(self, text: &str) -> bool {
        let mut parts = self.0.split('*');
        let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
        let mut tail: Vec<&str> = parts.collect();
        let Some(last) = tail.pop() else { return rest.is_empty() };
        for part in tail {
            match rest.split_once(part) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last)
    }

    /// The tools it names, each as a pattern: `gas@2.44` and `gcc@12*` in `gas@2.44::amd64::v2::c::leaf+gcc@12*+O2`.
    pub fn tools(self) -> impl Iterator<Item = &'a str> {
        self.0.split(SEPARATOR).flat_map(|part| part.split(VARIED)).filter(|part| part.contains('@'))
    }

    /// The target's name, as a pattern; `*` where it names none.
    pub fn abi(self) -> &'a str {
        self.0.split(SEPARATOR).nth(1).unwrap_or("*")
    }

    /// True when it is for trials of a target.
    pub fn is_for(self, abi: Abi) -> bool {
        KeyPattern(self.abi()).matches(abi.name())
    }

    /// True when a part of it is this topic.
    pub fn is_of_topic(self, topic: &str) -> bool {
        self.0.split(SEPARATOR).any(|part| part == topic)
    }

    /// True when its case has a `*`: it leaves open which tools beside the producer it takes.
    pub fn leaves_case_open(self) -> bool {
        self.0.rsplit(SEPARATOR).next().is_some_and(|case| case.contains('*'))
    }
}

impl Key {
    /// Patterns that match it, the widest first: all trials of the producer, of it on the ABI, of a topic, and so on down to its own name. A
    /// snapshot's day is left open in each.
    pub fn patterns(&self) -> Vec<String> {
        let Key { abi, sframe, topic, .. } = self;
        let (tool, case) = (self.tool().any_day(), self.case_name());
        let plain = case.plain();
        let mut patterns = vec![
            format!("{tool}::*"),
            format!("{tool}::{abi}::*"),
            format!("{tool}::*::{topic}::*"),
            format!("{tool}::{abi}::{sframe}::{topic}::*"),
            format!("{tool}::*::{topic}::{plain}"),
            format!("{tool}::*::{topic}::{plain}+*"),
            format!("{tool}::{abi}::{sframe}::{topic}::{plain}+*"),
        ];
        if let (Some(beside), Some(_)) = (case.tool(), case.options()) {
            patterns.push(format!("{tool}::{abi}::{sframe}::{topic}::{plain}+{}+*", beside.any_day()));
        }
        patterns.push(format!("{tool}::{abi}::{sframe}::{topic}::{}", case.any_day()));
        patterns
    }
}

impl CaseName<'_> {
    /// The pattern of every day of the snapshots in it.
    fn any_day(self) -> String {
        self.with_tools(|tool| tool.any_day())
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, KeyPattern};
    use crate::Abi;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, key, expected) in [
            ("a::b", "a::b", true),
            ("a::b", "a::b::c", false),
            ("a::*", "a::b::c", true),
            ("*::c", "a::b::c", true),
            ("a::*::c", "a::b::c", true),
            ("a::*::c", "a::c", false),
            ("a*b*c", "a-c-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("ab*ba", "aba", false),
            ("", "", true),
        ] {
            assert_eq!(KeyPattern(pattern).matches(key), expected, "{pattern} on {key}");
        }
    }

    #[test]
    fn a_pattern_says_which_trials_it_is_for() {
        let open = KeyPattern("gas@2.44*::aarch64*::v2::c::leaf+gcc@12*+*");
        assert_eq!(open.tools().collect::<Vec<_>>(), ["gas@2.44*", "gcc@12*"]);
        assert!(open.is_for(Abi::Aarch64) && open.is_for(Abi::Aarch64Be) && !open.is_for(Abi::Amd64));
        assert!(open.leaves_case_open() && open.is_of_topic("c") && !open.is_of_topic("objects"));
        let wide = KeyPattern("gas@2.44::*");
        assert!(Abi::ALL.into_iter().all(|abi| wide.is_for(abi)) && wide.leaves_case_open());
        let name = KeyPattern("gas@2.44::amd64::v2::objects::leaf");
        assert!(!name.leaves_case_open() && name.is_of_topic("objects"));
        assert_eq!(KeyPattern("gas").abi(), "*");
    }

    #[test]
    fn the_patterns_of_a_name_match_it_and_get_narrower() {
        let key: Key = "gas@2.47.50.20261021::amd64::v3::c::leaf+gcc@12.2.0+O2".parse().expect("a key");
        let patterns = key.patterns();
        assert_eq!(
            patterns,
            [
                "gas@2.47.50*::*",
                "gas@2.47.50*::amd64::*",
                "gas@2.47.50*::*::c::*",
                "gas@2.47.50*::amd64::v3::c::*",
                "gas@2.47.50*::*::c::leaf",
                "gas@2.47.50*::*::c::leaf+*",
                "gas@2.47.50*::amd64::v3::c::leaf+*",
                "gas@2.47.50*::amd64::v3::c::leaf+gcc@12.2.0+*",
                "gas@2.47.50*::amd64::v3::c::leaf+gcc@12.2.0+O2",
            ]
        );
        let text = key.to_string();
        assert_eq!(patterns.iter().filter(|pattern| KeyPattern(pattern).matches(&text)).count(), 8);
        let linked: Key = "ld@2.44::amd64::v2::link::two+gas@2.47.50.20261021".parse().expect("a key");
        assert_eq!(linked.patterns().pop().as_deref(), Some("ld@2.44::amd64::v2::link::two+gas@2.47.50*"));
    }
}
