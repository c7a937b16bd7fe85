//! Merging the parts of a run: shards of one matrix, or results of several machines.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ClauseFacts, ProducerFacts, RunAsked, RunFacts, SCHEMA, TrialLine};

/// The results of a run, in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunResults {
    /// Facts about the run as a whole.
    pub facts: RunFacts,
    /// The trials sorted by name, each once.
    pub trials: Vec<TrialLine>,
}

/// Results from one file.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultsSource {
    /// The results file, for messages.
    pub name: String,
    /// Facts about the run; `None` if another source of the same run has them.
    pub facts: Option<RunFacts>,
    /// Trials with their line number, from 1.
    pub trials: Vec<(usize, TrialLine)>,
}

/// A contradiction between results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// The same trial with another result.
    Trial {
        /// The trial's name.
        key: String,
        /// File and line of the first.
        first: String,
        /// File and line of the second.
        second: String,
    },
    /// Two parts contradict each other.
    Fact {
        /// The subject: the tool's version, or a clause.
        what: String,
        /// File of the first.
        first: String,
        /// File of the second.
        second: String,
    },
}

impl std::fmt::Display for MergeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MergeError::Trial { key, first, second } => write!(f, "trial {key} differs between {first} and {second}"),
            MergeError::Fact { what, first, second } => write!(f, "{what} differs between {first} and {second}"),
        }
    }
}

impl std::error::Error for MergeError {}

/// Merges sources. A trial may be in several sources if its result is the same in all. Producers
/// are united, clause counts and seconds are added. The day is the last one. The result is
/// unfinished if one source is.
///
/// A clause counts the trials that name it in `covers`; a trial of several sources is
/// counted once.
///
/// # Errors
/// When sources contradict each other, or are of different versions of this tool.
pub fn merge(sources: &[ResultsSource]) -> Result<RunResults, MergeError> {
    let mut trials: BTreeMap<&str, (String, &TrialLine)> = BTreeMap::new();
    let mut repeated: Vec<&TrialLine> = Vec::new();
    for source in sources {
        for (number, trial) in &source.trials {
            let here = format!("{}:{number}", source.name);
            match trials.get(trial.key.as_str()) {
                None => {
                    trials.insert(&trial.key, (here, trial));
                }
                Some((_, first)) if *first == trial => repeated.push(trial),
                Some((first, _)) => {
                    let first = first.clone();
                    return Err(MergeError::Trial { key: trial.key.clone(), first, second: here });
                }
            }
        }
    }
    let mut facts = facts(sources)?;
    // Within one file the run that wrote it counted a repeated line once; across files each run
    // counted it once.
    if sources.iter().filter(|source| source.facts.is_some()).count() > 1 {
        for clause in &mut facts.clauses {
            let twice = repeated.iter().filter(|trial| trial.covers.contains(&clause.id)).count() as u64;
            clause.trials = clause.trials.saturating_sub(twice);
        }
    }
    Ok(RunResults { facts, trials: trials.into_values().map(|(_, trial)| trial.clone()).collect() })
}

fn facts(sources: &[ResultsSource]) -> Result<RunFacts, MergeError> {
    let all: Vec<(&str, &RunFacts)> =
        sources.iter().filter_map(|source| Some((source.name.as_str(), source.facts.as_ref()?))).collect();
    // The version of an unfinished run is unknown.
    let versions = || all.iter().filter(|(_, facts)| !facts.tool_version.is_empty());
    let Some((first_name, first)) = versions().chain(&all).next() else {
        return Ok(RunFacts { schema: SCHEMA, ..RunFacts::default() });
    };
    if let Some((name, _)) = versions().find(|(_, facts)| facts.tool_version != first.tool_version) {
        let what = "the version of sframe-conformance".to_owned();
        return Err(MergeError::Fact { what, first: (*first_name).to_owned(), second: (*name).to_owned() });
    }
    Ok(RunFacts {
        schema: SCHEMA,
        tool_version: first.tool_version.clone(),
        day: all.iter().map(|(_, facts)| facts.day.clone()).max().unwrap_or_default(),
        seconds: all.iter().map(|(_, facts)| facts.seconds).sum(),
        asked: common(&all),
        times: all.iter().flat_map(|(_, facts)| facts.times.clone()).collect(),
        unfinished: all.iter().any(|(_, facts)| facts.unfinished),
        producers: producers(&all),
        clauses: clauses(&all)?,
        ledger: all.iter().flat_map(|(_, facts)| facts.ledger.clone()).collect::<BTreeSet<_>>().into_iter().collect(),
        // One part tests all readers.
        readers: all.iter().find_map(|(_, facts)| facts.readers.clone()),
    })
}

/// The common options of all parts, without the shard; empty if the parts had different options.
fn common(all: &[(&str, &RunFacts)]) -> RunAsked {
    if let [(_, alone)] = all {
        return alone.asked.clone();
    }
    let mut each = all.iter().map(|(_, facts)| RunAsked { shard: None, ..facts.asked.clone() });
    let first = each.next().unwrap_or_default();
    if each.all(|other| other == first) { first } else { RunAsked::default() }
}

/// Every producer of all parts, each once, in the order of the first part; a producer that only
/// others have is after the last one of its name. An entry for a missing producer stays besides
/// existing ones.
fn producers(all: &[(&str, &RunFacts)]) -> Vec<ProducerFacts> {
    let mut producers: Vec<ProducerFacts> = Vec::new();
    for producer in all.iter().flat_map(|(_, facts)| &facts.producers) {
        if !producers.contains(producer) {
            let behind = producers.iter().rposition(|other| other.name == producer.name);
            producers.insert(behind.map_or(producers.len(), |at| at + 1), producer.clone());
        }
    }
    producers
}

/// Clauses in the order of the first part, then by ID those that only others list.
fn clauses(all: &[(&str, &RunFacts)]) -> Result<Vec<ClauseFacts>, MergeError> {
    let mut order: Vec<&str> = Vec::new();
    let mut clauses: BTreeMap<&str, (&str, ClauseFacts)> = BTreeMap::new();
    for (name, facts) in all {
        let mut more: Vec<&str> = Vec::new();
        for clause in &facts.clauses {
            let Some((first, known)) = clauses.get_mut(clause.id.as_str()) else {
                more.push(&clause.id);
                clauses.insert(&clause.id, (name, clause.clone()));
                continue;
            };
            if (&known.section, &known.demand, &known.shown_by) != (&clause.section, &clause.demand, &clause.shown_by) {
                let what = format!("clause {}", clause.id);
                return Err(MergeError::Fact { what, first: (*first).to_owned(), second: (*name).to_owned() });
            }
            known.trials = known.trials.saturating_add(clause.trials);
        }
        if !order.is_empty() {
            more.sort_unstable();
        }
        order.extend(more);
    }
    Ok(order.into_iter().filter_map(|id| clauses.remove(id)).map(|(_, clause)| clause).collect())
}
