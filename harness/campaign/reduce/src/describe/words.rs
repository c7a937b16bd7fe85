//! Texts about a finding that a person writes, and the clause that is cited.

use results::Finding;
use results::bundle::Clause;
use types::SframeVersion;

/// Texts about a finding that a person writes; defaults come from the rule.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// Title: the bug in a few words.
    pub title: Option<String>,
    /// Actual and expected behaviour.
    pub note: Option<String>,
    /// Requirement of the clause, and its section.
    pub clause: Option<(String, String)>,
    /// Regular expression for readelf's output of a correct table.
    pub right: Option<String>,
}

impl Words {
    /// The clause that a person gave, else that of the rule.
    pub(super) fn clause(&self, finding: Option<&Finding>, version: Option<SframeVersion>) -> Option<Clause> {
        let named = self.clause.clone().map(|(demand, section)| Clause { demand, section });
        named.or_else(|| {
            let rule = finding?.rule().facts();
            let section = match rule.clause {
                "implementations" => "what implementations agree on".to_owned(),
                _ => rule.clause_in(version),
            };
            Some(Clause { demand: rule.statement.to_owned(), section })
        })
    }
}
