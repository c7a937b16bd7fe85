//! The rule catalogue: every rule a finding can name. `explain` prints it.
//!
//! Ids are stable. Their groups: `header/`, `fde/`, `row/`, `flex/` speak of a section, `elf/` and `plt/` of the file
//! around it; `row/…-matches-truth` and `chain/` are judged by running code; `cfi/` compares the section with
//! `.eh_frame`, and `eh-frame/` judges that table in its own right; `link/` relates the output of a link with its inputs. Comments of the form `R-061` keep the numbers that the
//! rules had in the notes they were written from.

mod elf;
mod fde;
mod flex;
mod header;
mod judge;
mod link;
mod row;

use crate::{Rule, Severity};

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

static ALL: [&Rule; COUNT] = {
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

/// The rule of that id.
pub fn rule_named(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().find(|rule| rule.id == id).copied()
}

/// The rule of that id, which the caller knows to exist.
///
/// # Panics
/// When the catalogue has no such rule: a mistake in this program, which the catalogue's tests find.
pub fn rule(id: &'static str) -> &'static Rule {
    rule_named(id).unwrap_or_else(|| panic!("rule '{id}' is not in the catalogue"))
}

/// What a rule says, in the order entries give it: versions, clause, statement, example.
type Text = [&'static str; 4];

const fn rule_of(severity: Severity, id: &'static str, text: Text, implies: &'static [&'static str]) -> Rule {
    let [versions, clause, statement, example] = text;
    Rule { id, severity, versions, clause, statement, example, implies }
}

const fn error(id: &'static str, text: Text) -> Rule {
    rule_of(Severity::Error, id, text, &[])
}

const fn warning(id: &'static str, text: Text) -> Rule {
    rule_of(Severity::Warning, id, text, &[])
}

const fn info(id: &'static str, text: Text) -> Rule {
    rule_of(Severity::Info, id, text, &[])
}

impl Rule {
    /// Declares the rules that are broken along with this one.
    const fn implying(self, implies: &'static [&'static str]) -> Rule {
        Rule { implies, ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn is_kebab(text: &str) -> bool {
        !text.is_empty()
            && text
                .split('-')
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
    }

    #[test]
    fn ids_are_unique_and_kebab_case_within_a_known_group() {
        let groups =
            ["header", "fde", "row", "flex", "elf", "plt", "chain", "cfi", "eh-frame", "coverage", "build", "link"];
        let mut seen = BTreeSet::new();
        for rule in CATALOGUE {
            let (group, name) = rule.id.split_once('/').expect("group/name");
            assert!(groups.contains(&group), "{}", rule.id);
            assert!(is_kebab(name), "{}", rule.id);
            assert!(seen.insert(rule.id), "{} is there twice", rule.id);
        }
    }

    #[test]
    fn implied_rules_exist_and_are_others() {
        for rule in CATALOGUE {
            for implied in rule.implies {
                assert!(rule_named(implied).is_some(), "{} implies {implied}, which does not exist", rule.id);
                assert_ne!(*implied, rule.id);
            }
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
}
