//! The rule catalogue: every rule a finding can name. `explain` prints it.
//!
//! Ids are stable. Their groups: `header/`, `fde/`, `row/`, `flex/` are about a section, `elf/` and `plt/` of the file
//! around it; `row/…-matches-truth` and `chain/` are judged by running code; `cfi/` compares the section with
//! `.eh_frame`, and `eh-frame/` judges that table in its own right; `link/` relates the output of a link with its inputs.

mod elf;
mod fde;
mod flex;
mod header;
mod judge;
mod link;
mod row;

use crate::{Rule, RuleGroup, RuleId, Severity};

const GROUPS: [&[Rule]; 7] =
    [header::RULES, fde::RULES, row::RULES, flex::RULES, elf::RULES, judge::RULES, link::RULES];

const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
};

static ALL: [&Rule; COUNT] = ALL_CONST;

const ALL_CONST: [&Rule; COUNT] = {
    let mut all = [&GROUPS[0][0]; COUNT];
    let (mut next, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut rule = 0;
        while rule < GROUPS[group].len() {
            all[next] = &GROUPS[group][rule];
            next += 1;
            rule += 1;
        }
        group += 1;
    }
    all
};

/// Every rule, by group: header, functions, rows, flex rows, container, judging, linking.
pub static CATALOGUE: &[&Rule] = &ALL;

/// The rules by the value of their ids. An id without an entry, or with two, does not compile.
const BY_ID: [usize; COUNT] = {
    let mut by_id = [usize::MAX; COUNT];
    let mut next = 0;
    while next < COUNT {
        let id = ALL_CONST[next].id as usize;
        assert!(by_id[id] == usize::MAX, "an id has two entries in the catalogue");
        by_id[id] = next;
        next += 1;
    }
    by_id
};

/// The rule of an id.
pub fn rule(id: RuleId) -> &'static Rule {
    ALL[BY_ID[id as usize]]
}

/// The rule of an id in text; none where there is no such rule.
pub fn rule_named(id: &str) -> Option<&'static Rule> {
    id.parse().ok().map(rule)
}

/// What a rule says, in the order entries give it: versions, clause, statement, example.
type Text = [&'static str; 4];

const fn rule_of(severity: Severity, id: RuleId, text: Text, implies: &'static [RuleId]) -> Rule {
    let [versions, clause, statement, example] = text;
    Rule { id, group: group_of(id), severity, versions, clause, statement, example, implies }
}

/// The group that an id names.
const fn group_of(id: RuleId) -> RuleGroup {
    const GROUPS: [RuleGroup; 12] = [
        RuleGroup::Header,
        RuleGroup::Fde,
        RuleGroup::Row,
        RuleGroup::Flex,
        RuleGroup::Elf,
        RuleGroup::Plt,
        RuleGroup::Chain,
        RuleGroup::Cfi,
        RuleGroup::EhFrame,
        RuleGroup::Coverage,
        RuleGroup::Build,
        RuleGroup::Link,
    ];
    let mut next = 0;
    while next < GROUPS.len() {
        if begins(id.name().as_bytes(), GROUPS[next].name().as_bytes()) {
            return GROUPS[next];
        }
        next += 1;
    }
    panic!("an id begins with no group's name")
}

/// True for `group/…`.
const fn begins(id: &[u8], group: &[u8]) -> bool {
    let mut next = 0;
    while next < group.len() {
        if next >= id.len() || id[next] != group[next] {
            return false;
        }
        next += 1;
    }
    next < id.len() && id[next] == b'/'
}

const fn error(id: RuleId, text: Text) -> Rule {
    rule_of(Severity::Error, id, text, &[])
}

const fn warning(id: RuleId, text: Text) -> Rule {
    rule_of(Severity::Warning, id, text, &[])
}

const fn info(id: RuleId, text: Text) -> Rule {
    rule_of(Severity::Info, id, text, &[])
}

impl Rule {
    /// Declares the rules that are broken along with this one.
    const fn implying(self, implies: &'static [RuleId]) -> Rule {
        Rule { implies, ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
            for text in [rule.versions, rule.clause, rule.statement, rule.example] {
                assert!(!text.trim().is_empty(), "{}", rule.id);
            }
            assert!(rule.statement.ends_with('.'), "{}: a sentence", rule.id);
        }
    }

    /// The text by which rules name a version; none where those of version 2 stand for it.
    fn in_rules(version: SframeVersion) -> Option<&'static str> {
        match version {
            SframeVersion::V1 => Some("V1"),
            SframeVersion::V2 => Some("V2"),
            SframeVersion::V2Errata1 => None,
            SframeVersion::V3 => Some("V3"),
        }
    }

    #[test]
    fn rules_name_versions_that_there_are_and_every_version_has_rules_that_name_it() {
        let known: BTreeSet<&str> = SframeVersion::ALL.into_iter().filter_map(in_rules).collect();
        let lists = CATALOGUE.iter().map(|rule| rule.versions).filter(|versions| *versions != "all");
        let named: BTreeSet<&str> = lists.flat_map(|versions| versions.split(", ")).collect();
        assert_eq!(named, known);
    }
}
