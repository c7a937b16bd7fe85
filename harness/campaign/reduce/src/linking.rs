//! Test bench for reducing link recipes: the tools of one trial, with its sources and steps
//! replaced.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use matrix::link::{LinkCase, LinkTools, Maker, Plan, plan};
use matrix::trial::{Subject, Trial};
use results::{Finding, Key};
use spec::RuleId;
use toolchain::graph::Graph;
use toolchain::scratch::Scratch;

use super::bench::{BenchError, nothing_known};
use super::identity::{Class, Identity};
use super::parts::Files;
use super::recipe::Linking;
use super::seen::Observation;

/// The tools and the folder in which recipes are tested.
#[derive(Debug)]
pub struct LinkBench {
    key: Key,
    name: String,
    tools: LinkTools,
    folder: Scratch,
}

/// A finding about a link, ready to be reduced.
#[derive(Debug)]
pub struct FoundInLinking {
    /// Bench that tests candidates.
    pub bench: LinkBench,
    /// Original recipe.
    pub linking: Linking,
    /// Identity of the finding, which must stay the same.
    pub identity: Identity,
    whole: Observation,
}

/// File with the commands that build the sources.
pub const COMMANDS: &str = "commands";

impl FoundInLinking {
    /// Chooses the finding of a trial with a fingerprint, else the most specific one.
    pub fn choose(
        key: &Key,
        case: &LinkCase,
        tools: &LinkTools,
        fingerprint: Option<&str>,
    ) -> Result<FoundInLinking, BenchError> {
        let read = |name: &str| {
            let path = case.folder.join(name);
            fs::read(&path).map_err(|error| BenchError::File { path, error })
        };
        let linking = Linking::from_case(case, key.abi, read)?;
        let bench =
            LinkBench { key: key.clone(), name: case.name.clone(), tools: tools.clone(), folder: Scratch::new()? };
        let whole = bench.observe(&linking)?;
        let none = |what: String| BenchError::NoSource(format!("{key}: {what}"));
        let found = match fingerprint {
            Some(wanted) => whole
                .fingerprinted(wanted)
                .ok_or_else(|| none(format!("no finding {wanted}; it shows {}", whole.listed())))?,
            None => whole.foremost().ok_or_else(|| none("nothing is wrong".to_owned()))?,
        };
        let identity = Identity::from_finding(found);
        Ok(FoundInLinking { bench, linking, identity, whole })
    }

    /// Files of a candidate that shows the same finding, and no new errors.
    pub fn shown(&self, candidate: &Linking) -> Option<Files> {
        let seen = self.bench.observe(candidate).ok()?;
        let executed = matches!(&self.identity, Identity::Finding(relation) if relation.executed);
        let must_end = executed && self.whole.ends();
        // Code without a symbol is judged as if it had been dropped: removing a group would look
        // like dropping it.
        let is_of_groups =
            matches!(&self.identity, Identity::Finding(found) if found.class == Class::Rule(RuleId::LinkDeadDescribed));
        if is_of_groups && candidate.groups() < self.linking.groups().min(1) {
            return None;
        }
        let alike = seen.shows(&self.identity) && seen.adds_nothing_to(&self.whole, &[]) && (seen.ends() || !must_end);
        alike.then(|| self.bench.files(candidate, &seen))
    }

    /// Files of the original recipe.
    pub fn files(&self) -> Files {
        self.bench.files(&self.linking, &self.whole)
    }
}

/// File name without folders.
pub(super) fn plain(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned())
}

impl LinkBench {
    /// The trial's name.
    pub fn key(&self) -> &Key {
        &self.key
    }

    pub fn tools(&self) -> &LinkTools {
        &self.tools
    }

    /// Creates a bench with other tools.
    pub fn with_tools(&self, tools: LinkTools) -> Result<LinkBench, BenchError> {
        let key = Key { version: tools.linker.version.clone(), ..self.key.clone() };
        Ok(LinkBench { key, name: self.name.clone(), tools, folder: Scratch::new()? })
    }

    /// Build graph of a recipe.
    pub fn graph(&self, linking: &Linking) -> Result<Graph, BenchError> {
        let Plan { graph, unsupported, problems } = plan(&self.case(linking)?, &self.tools);
        match unsupported.into_values().map(|lack| lack.to_string()).chain(problems).next() {
            None => Ok(graph),
            Some(why) => Err(BenchError::NoSource(why)),
        }
    }

    /// Executes a recipe and judges it.
    pub fn observe(&self, linking: &Linking) -> Result<Observation, BenchError> {
        let case = self.case(linking)?;
        let trial = Trial {
            key: self.key.clone(),
            subject: Subject::Linked { case: Arc::new(case), tools: self.tools.clone() },
        };
        Ok(Observation::from(trial.run(&nothing_known())))
    }

    /// The recipe as a case, with its files in the folder.
    fn case(&self, linking: &Linking) -> Result<LinkCase, BenchError> {
        for (name, bytes) in linking.files() {
            let path = self.folder.path().join(name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&path, bytes).map_err(|error| BenchError::File { path, error })?;
        }
        let (name, folder) = (self.name.clone(), self.folder.path().to_owned());
        Ok(LinkCase { name, folder, recipe: linking.recipe.clone() })
    }

    /// Sources, without the folders of the recipe, and the commands, with a description of the
    /// tools.
    fn files(&self, linking: &Linking, seen: &Observation) -> Files {
        let mut files: Files = linking.files().into_iter().map(|(name, bytes)| (plain(&name), bytes)).collect();
        let mut commands = format!("# {}, {}\n", self.tools.linker.name(), self.tools.assembler.name());
        let others = linking.recipe.objects.iter().filter(|(_, object)| object.by == Maker::OtherVersion);
        for ((name, _), tool) in others.zip(self.tools.other.iter().cycle()) {
            commands += &format!("# {name}.o by {}\n", tool.name());
        }
        if let Some(second) = &self.tools.second {
            commands += &format!("# {}\n", second.tool.name());
        }
        commands.extend(seen.commands.iter().flat_map(|command| [command.as_str(), "\n"]));
        files.insert(COMMANDS.to_owned(), commands.into_bytes());
        files
    }

    /// The finding of a recipe that shows it.
    pub fn finding(&self, linking: &Linking, identity: &Identity) -> Result<(Observation, Finding), BenchError> {
        let seen = self.observe(linking)?;
        let found = seen.finding(identity).cloned();
        found.map(|found| (seen, found)).ok_or_else(|| BenchError::NotShown(identity.to_string()))
    }
}
