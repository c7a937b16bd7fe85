//! What a person writes about a finding, and the clause that is cited.

use results::Finding;
use results::bundle::Clause;
use types::SframeVersion;

/// What a person writes about a finding; defaults come from the rule.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// What is wrong, in a few words.
    pub title: Option<String>,
    /// What happens and what should.
    pub note: Option<String>,
    /// What the clause requires, and its section.
    pub clause: Option<(String, String)>,
    /// What readelf prints of a table that is right, as a regular expression.
    pub right: Option<String>,
}

impl Words {
    /// The clause that a person named, else that of the rule.
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
