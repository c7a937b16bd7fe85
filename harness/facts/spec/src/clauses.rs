//! All normative clauses of the specification: SFrame version 2, errata 1 and 2, and the additions
//! and changes of version 3. The wording is this project's; the specification is the authority.
//!
//! Where the specification is ambiguous, a clause uses the same interpretation as the rules.
//! Explanations, examples and repetitions of an earlier statement are not listed.

use crate::{Clause, RuleId};

/// Declares all clauses, from the entries of `clauses.txt`.
macro_rules! clauses {
    ($($section:literal { $(
        $id:literal: $shown_by:ident, $versions:ident,
            $demand:literal => [$($rule:ident),*] if [$($need:ident),*];
    )+ })+) => {
        const CLAUSES: &[Clause] = &[$($(Clause {
            id: $id,
            section: $section,
            demand: $demand,
            shown_by: crate::ShownBy::$shown_by,
            versions: crate::Versions::$versions,
            rules: &[$(RuleId::$rule),*],
            needs: &[$(crate::Feature::$need),*],
        },)+)+];
    };
}

include!(concat!(env!("OUT_DIR"), "/clauses.rs"));

/// All clauses, in the order of the specification: version 2 first, then the clauses new in version
/// 3.
pub fn clauses() -> impl Iterator<Item = &'static Clause> {
    CLAUSES.iter()
}

/// Returns the clause with this id.
pub fn clause_named(id: &str) -> Option<&'static Clause> {
    clauses().find(|clause| clause.id == id)
}

/// The clauses that a rule checks, by the rule's id.
pub fn clauses_of(rule: RuleId) -> impl Iterator<Item = &'static Clause> {
    clauses().filter(move |clause| clause.rules.contains(&rule))
}

/// Sections of the specification that contain clauses, in order: version 2, errata 1, then those
/// only in version 3.
pub const SECTIONS: [&str; 27] = [
    "Overview",
    "Changes from Version 1 to Version 2",
    "SFrame Section",
    "SFrame Preamble",
    "SFrame Magic Number and Endianness",
    "SFrame Version",
    "SFrame Flags",
    "SFrame Header",
    "SFrame ABI/arch Identifier",
    "SFrame Function Descriptor Entries",
    "The SFrame FDE Info Word",
    "The SFrame FDE Types",
    "The SFrame FRE Types",
    "SFrame Frame Row Entries",
    "The SFrame FRE Info Word",
    "ABI/arch-specific Definition",
    "AMD64",
    "AArch64",
    "s390x",
    "Generating Stack Traces using SFrame",
    "Changes from Version 2 to Version 3",
    "The SFrame FDE Index",
    "The SFrame FDE Attribute",
    "The SFrame FDE Info Bytes",
    "The SFrame FDE PC Types",
    "Default FDE Type Interpretation",
    "Flexible FDE Type Interpretation",
];

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use super::*;
    use crate::{CATALOGUE, Feature, RuleGroup, ShownBy};
    use types::SframeVersion::{self, V2Errata1, V3};

    /// Groups of rules about the section's own bytes and their meaning.
    const FORMAT_GROUPS: [RuleGroup; 4] = [RuleGroup::Header, RuleGroup::Fde, RuleGroup::Row, RuleGroup::Flex];

    /// Rules of the groups `header/`, `fde/`, `row/` and `flex/` that follow from no clause, with
    /// their reason.
    const RULES_WITHOUT_CLAUSE: [(RuleId, &str); 14] = [
        (RuleId::HeaderEmptySection, "implementations: some linkers stop at an empty section"),
        (RuleId::HeaderNoFunctions, "implementations: what GNU as writes when it left out every function"),
        (RuleId::HeaderExcessPadding, "implementations: more zero bytes than alignment needs"),
        (RuleId::HeaderSortedInObject, "implementations: linkers ignore the claim in an object file"),
        (RuleId::FdeDuplicateStart, "implementations: the Linux kernel series refuses two functions at one address"),
        (RuleId::FdeRowTypeMinimal, "implementations: the texts leave the choice of a wider row type open"),
        (RuleId::RowUnreachable, "implementations: a row at the function's end is useless, not wrong"),
        (RuleId::RowWordSizeMinimal, "implementations: the texts leave the choice of wider words open"),
        (RuleId::RowRepeats, "implementations: a row that repeats the one before it is useless, not wrong"),
        (RuleId::RowSlotAlignment, "the ABIs: registers are saved at multiples of 8"),
        (RuleId::RowSlotAboveCfa, "the ABIs: a function's own frame is below the CFA"),
        (RuleId::RowReadsDeadStack, "the ABIs: what lies below SP and its red zone may be overwritten"),
        (RuleId::FlexBaseBit, "implementations: the texts do not define the value of bit 0 where it has no meaning"),
        (
            RuleId::FlexTopmostOnly,
            "consumers have to refuse such rows below the topmost frame; the tables may have them",
        ),
    ];

    fn is_kebab(text: &str) -> bool {
        !text.is_empty()
            && text
                .split('-')
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
    }

    #[test]
    fn ids_are_unique_and_name_text_group_and_clause_in_kebab_case() {
        let mut seen = BTreeSet::new();
        for clause in clauses() {
            let parts: Vec<&str> = clause.id.split('/').collect();
            let [text, group, name] = parts[..] else { panic!("{}: text/group/name", clause.id) };
            assert!(["v2e1", "v2e2", "v3"].contains(&text), "{}", clause.id);
            assert!(is_kebab(group) && is_kebab(name), "{}", clause.id);
            assert!(seen.insert(clause.id), "{} is there twice", clause.id);
            assert!(clause.id.parse::<RuleId>().is_err(), "{} is a rule too", clause.id);
            assert_eq!(clause_named(clause.id), Some(clause));
        }
    }

    #[test]
    fn features_have_names_of_their_own_in_kebab_case() {
        let names: BTreeSet<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
        assert_eq!(names.len(), Feature::ALL.len());
        assert!(names.iter().all(|name| is_kebab(name)), "{names:?}");
    }

    #[test]
    fn every_feature_is_needed_by_some_clause() {
        for feature in Feature::ALL {
            assert!(clauses().any(|clause| clause.needs.contains(&feature)), "no clause needs {feature}");
        }
    }

    #[test]
    fn clauses_name_a_rule_once() {
        for clause in clauses() {
            let unique: BTreeSet<&RuleId> = clause.rules.iter().collect();
            assert_eq!(unique.len(), clause.rules.len(), "{} names a rule twice", clause.id);
        }
    }

    #[test]
    fn every_format_rule_has_a_clause_or_a_reason_for_having_none() {
        let exempt: BTreeSet<RuleId> = RULES_WITHOUT_CLAUSE.iter().map(|(rule, _)| *rule).collect();
        for rule in CATALOGUE {
            if FORMAT_GROUPS.contains(&rule.group) {
                let has_clause = clauses_of(rule.id).next().is_some();
                assert_ne!(has_clause, exempt.contains(&rule.id), "{}: a clause, or a reason, and not both", rule.id);
            }
        }
        for (rule, reason) in RULES_WITHOUT_CLAUSE {
            assert!(!reason.is_empty(), "{rule}");
        }
    }

    #[test]
    fn every_clause_stands_in_a_section_and_makes_one_demand() {
        for clause in clauses() {
            assert!(SECTIONS.contains(&clause.section), "{}: '{}'", clause.id, clause.section);
            assert!(clause.demand.ends_with('.') && clause.demand.len() > 20, "{}", clause.id);
            assert!(clause.versions.iter().next().is_some(), "{}", clause.id);
        }
        for section in SECTIONS {
            assert!(clauses().any(|clause| clause.section == section), "no clause is in '{section}'");
        }
    }

    /// Clauses that tables cannot show name no rule; otherwise they would be counted as covered by
    /// tables.
    #[test]
    fn only_clauses_that_tables_show_have_rules_and_needs() {
        for clause in clauses() {
            if !clause.shown_by.in_tables() {
                assert!(clause.rules.is_empty() && clause.needs.is_empty(), "{}", clause.id);
            }
            let linked_only = clause.needs.contains(&Feature::Linked) || clause.needs.contains(&Feature::Sorted);
            assert!(clause.shown_by != ShownBy::Linker || linked_only, "{}: what makes the linker show it", clause.id);
        }
    }

    /// A clause of version 3 alone is not shown by version 2, nor one that version 3 dropped by
    /// version 3.
    #[test]
    fn a_clause_of_one_version_is_not_shown_by_another() {
        for clause in clauses().filter(|clause| clause.shown_by.in_tables() && !clause.rules.is_empty()) {
            for version in SframeVersion::ALL {
                assert_eq!(clause.shown_in(version, |_| true), clause.versions.contains(version), "{}", clause.id);
            }
            let oldest = clause.versions.iter().next().expect("a version");
            let shown_by_nothing = clause.shown_in(oldest, |_| false);
            assert_eq!(shown_by_nothing, clause.needs.is_empty(), "{}", clause.id);
        }
        let removed = clause_named("v2e1/fde/start").expect("a clause");
        assert!(!removed.shown_in(V3, |_| true));
        let added = clause_named("v3/flex/pairs").expect("a clause");
        assert!(!added.shown_in(V2Errata1, |_| true));
    }
}
