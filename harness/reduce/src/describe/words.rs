//! What a person says about a finding, and the clause that is cited.

use model::bundle::Clause;
use model::{Finding, SframeVersion, clauses};

/// What a person says about a finding; what is not said is taken from the rule.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// What is wrong, in a few words.
    pub title: Option<String>,
    /// What happens and what should.
    pub note: Option<String>,
    /// What the clause demands, and where it stands.
    pub clause: Option<(String, String)>,
    /// What readelf prints of a table that is right, as a regular expression.
    pub right: Option<String>,
}

impl Words {
    /// The clause that somebody named, else that of the rule.
    pub(super) fn clause(&self, finding: Option<&Finding>, version: Option<SframeVersion>) -> Option<Clause> {
        let named = self.clause.clone().map(|(demand, section)| Clause { demand, section });
        named.or_else(|| {
            let rule = finding?.rule().facts();
            let section = match rule.clause {
                "implementations" => "what implementations agree on".to_owned(),
                // The catalogue names the text that says it first.
                clause => in_text_of(version, clause),
            };
            Some(Clause { demand: rule.statement.to_owned(), section })
        })
    }
}

/// A clause of version 2, errata 1, as the text of a version has it, where it stands there too.
fn in_text_of(version: Option<SframeVersion>, clause: &str) -> String {
    let section = clause.strip_prefix(SframeVersion::V2Errata1.text()).and_then(|rest| rest.strip_prefix(", "));
    let stands = |version: &SframeVersion| {
        section.is_some_and(|section| clauses().any(|it| it.section == section && it.versions.contains(*version)))
    };
    match (version.filter(stands), section) {
        (Some(version), Some(section)) => format!("{}, {section}", version.text()),
        _ => clause.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use model::SframeVersion;

    use super::in_text_of;

    #[test]
    fn a_clause_is_cited_from_the_text_of_the_version() {
        let cited = |version, section: &str| in_text_of(version, &format!("SFrame V2 errata 1, {section}"));
        let section = "Generating Stack Traces using SFrame";
        assert_eq!(cited(Some(SframeVersion::V3), section), format!("SFrame V3, {section}"));
        assert_eq!(cited(None, section), format!("SFrame V2 errata 1, {section}"));
        assert_eq!(cited(Some(SframeVersion::V3), "no such section"), "SFrame V2 errata 1, no such section");
        assert_eq!(in_text_of(Some(SframeVersion::V3), "DWARF 5, 6.4"), "DWARF 5, 6.4");
    }
}
