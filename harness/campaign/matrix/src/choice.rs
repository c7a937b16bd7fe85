//! Selects trials by filters: a filter is a text that names contain or, if no name contains it, a
//! regular expression.

use regex::Regex;

/// Filters; a trial is selected if any of them matches.
#[derive(Debug)]
pub struct Choice(Vec<Filter>);

#[derive(Debug)]
enum Filter {
    Text(String),
    Pattern(Regex),
}

/// Why filters select nothing.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    #[error("--filter {filter}: matches no trial, neither as text nor as a regular expression{}", meant(near))]
    None { filter: String, near: Option<String> },
    #[error("--filter {filter}: matches no trial as text, and is not a regular expression: {}", fault(error))]
    Pattern { filter: String, error: Box<regex::Error> },
}

/// What is wrong with a regular expression, without the picture of its place.
fn fault(error: &regex::Error) -> String {
    let printed = error.to_string();
    let last = printed.lines().next_back().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

fn meant(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default()
}

impl Choice {
    /// Compiles filters for these names; without filters all names are selected.
    pub fn new(filters: &[String], names: &[String]) -> Result<Choice, ChoiceError> {
        let filter = |filter: &String| {
            if names.iter().any(|name| name.contains(filter.as_str())) {
                return Ok(Filter::Text(filter.clone()));
            }
            let pattern = Regex::new(filter)
                .map_err(|error| ChoiceError::Pattern { filter: filter.clone(), error: Box::new(error) })?;
            match names.iter().any(|name| pattern.is_match(name)) {
                true => Ok(Filter::Pattern(pattern)),
                false => Err(ChoiceError::None { filter: filter.clone(), near: near(filter, names) }),
            }
        };
        filters.iter().map(filter).collect::<Result<_, _>>().map(Choice)
    }

    /// Returns true for a selected name.
    pub fn has(&self, name: &str) -> bool {
        let fits = |filter: &Filter| match filter {
            Filter::Text(text) => name.contains(text.as_str()),
            Filter::Pattern(pattern) => pattern.is_match(name),
        };
        self.0.is_empty() || self.0.iter().any(fits)
    }
}

/// The name, or part of a name, that is most similar to a text.
fn near(text: &str, names: &[String]) -> Option<String> {
    let parts = names.iter().flat_map(|name| name.split("::").chain(std::iter::once(name.as_str())));
    let parts: std::collections::BTreeSet<&str> = parts.collect();
    results::near(text, parts).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{Choice, ChoiceError};

    fn chosen(filters: &[&str]) -> Result<Vec<usize>, ChoiceError> {
        let names = [
            "gas@2.44::amd64::v2::c::leaf+gcc@12.2.0+O2",
            "gas@2.40::amd64::v1::c::leaf",
            "ld@2.44::amd64::v2::link::two",
        ];
        let names = names.map(str::to_owned);
        let filters: Vec<String> = filters.iter().map(|filter| (*filter).to_owned()).collect();
        let choice = Choice::new(&filters, &names)?;
        Ok((0..names.len()).filter(|index| choice.has(&names[*index])).collect())
    }

    #[test]
    fn a_text_is_taken_as_it_stands_before_it_is_an_expression() {
        let chosen = |filters: &[&str]| chosen(filters).expect("each chooses a name");
        assert_eq!(chosen(&[]), [0, 1, 2]);
        // As a regular expression the plus would repeat the preceding character, and match nothing.
        assert_eq!(chosen(&["12.2.0+O2"]), [0]);
        assert_eq!(chosen(&["^gas@.*leaf$"]), [1]);
        assert_eq!(chosen(&["v1::c", "link::"]), [1, 2], "any of several");
    }

    #[test]
    fn a_filter_that_chooses_nothing_is_refused_beside_one_that_does() {
        let error = chosen(&["gas@", "leef"]).expect_err("no such name").to_string();
        assert!(
            error.contains("--filter leef: matches no trial") && error.ends_with("; did you mean leaf?"),
            "{error}"
        );
        let error = chosen(&["("]).expect_err("no expression").to_string();
        assert!(error.ends_with("is not a regular expression: unclosed group"), "{error}");
    }
}
