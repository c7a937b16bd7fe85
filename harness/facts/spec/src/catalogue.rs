//! The rule catalogue: every rule that a finding can name, an entry of `rules.txt`. `explain`
//! prints it.
//!
//! Ids are stable. The groups `header/`, `fde/`, `row/` and `flex/` are rules of the section;
//! `elf/` and `plt/` are rules of the file that contains it. `row/…-matches-truth` and `chain/` are
//! checked by executing code, `cfi/` by comparing the section with `.eh_frame`. `eh-frame/` are
//! rules of `.eh_frame` itself, `link/` of a link's output compared with its inputs.

use crate::{Rule, RuleGroup, RuleKind, Severity, Versions};

/// Declares [`RuleId`] and [`CATALOGUE`], from the entries of `rules.txt`.
macro_rules! rules {
    ($($kind:ident $group:ident { $(
        $id:ident = $name:literal: $severity:ident, $versions:ident, $clause:literal,
            $statement:literal,
            $example:literal $(, implies $($implied:ident),+)?;
    )+ })+) => {
        /// The id of a rule of the catalogue. Ids are published and stable: results, ledgers and
        /// reports contain them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum RuleId {
            $($(#[doc = $statement] $id,)+)+
        }

        impl RuleId {
            /// All ids, in the order of the catalogue.
            pub const ALL: &'static [RuleId] = &[$($(RuleId::$id,)+)+];

            /// The id as published: `row/cfa-matches-truth`.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(RuleId::$id => $name,)+)+
                }
            }

            /// The rule's entry in the catalogue.
            pub fn facts(self) -> &'static Rule {
                &CATALOGUE[self as usize]
            }
        }

        /// Every rule, by group: header, functions, rows, flex rows, container, judging, linking.
        pub static CATALOGUE: &[Rule] = &[$($(Rule {
            id: RuleId::$id,
            kind: RuleKind::$kind,
            group: RuleGroup::$group,
            severity: Severity::$severity,
            versions: Versions::$versions,
            clause: $clause,
            statement: $statement,
            example: $example,
            implies: &[$($(RuleId::$implied),+)?],
        },)+)+];
    };
}

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use types::SframeVersion;

    fn is_kebab(text: &str) -> bool {
        !text.is_empty()
            && text
                .split('-')
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
    }

    #[test]
    fn ids_are_unique_and_kebab_case_within_a_known_group() {
        let mut seen = BTreeSet::new();
        for rule in CATALOGUE {
            let (group, name) = rule.id.name().split_once('/').expect("group/name");
            assert_eq!(group, rule.group.name(), "{}", rule.id);
            assert!(is_kebab(name), "{}", rule.id);
            assert!(seen.insert(rule.id.name()), "{} is there twice", rule.id);
        }
    }

    #[test]
    fn implied_rules_are_others() {
        for rule in CATALOGUE {
            assert!(!rule.implies.contains(&rule.id), "{}", rule.id);
        }
    }

    #[test]
    fn every_rule_says_where_it_comes_from_what_it_demands_and_what_breaks_it() {
        for rule in CATALOGUE {
            for text in [rule.clause, rule.statement, rule.example] {
                assert!(!text.trim().is_empty(), "{}", rule.id);
            }
            assert!(rule.statement.ends_with('.'), "{}: a sentence", rule.id);
        }
    }

    #[test]
    fn every_version_has_rules_of_its_own_or_of_some_versions() {
        for version in SframeVersion::ALL {
            let is_named = |rule: &Rule| rule.versions != Versions::All && rule.versions.contains(version);
            assert!(CATALOGUE.iter().any(is_named), "{version}");
        }
    }
}
