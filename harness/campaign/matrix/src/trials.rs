//! Enumerates the trials, by name.
//!
//! A trial judges one object and compares the result with the ledger: a frozen object of
//! `cases/objects`, or a case built by the installed producers. Its name is its [`Key`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ledger::Home;
use results::{Key, ToolVersion};
use toolchain::cache::Cache;
use toolchain::entry::{Flavour, Kind, OptionSet, ProducerEntry, Step, has_abi, suits, writes};
use toolchain::producers::{Absent, Producers, ProducersError};
use toolchain::tool::Tool;
use toolchain::yaml::YamlError;
use types::{Abi, SframeVersion};

use crate::case::Case;
use crate::frozen::{self, FrozenObject};
use crate::link::{self, LinkCase, Maker, RecipeError};
use crate::link::{LinkTools, SecondLinker};
use crate::pipeline::{Pipeline, Sframe};
use crate::trial::{Subject, Trial};

/// All cases and producers that can be combined on this machine.
#[derive(Debug)]
pub struct Matrix {
    /// Cases, recipes and frozen objects.
    pub home: Home,
    /// Installed producers.
    pub producers: Producers,
    /// Frozen objects: a single file lists all, and trials need them repeatedly.
    objects: OnceLock<Vec<FrozenObject>>,
}

/// Part of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The part that is run on every push: option sets and partners marked `often`.
    Often,
    /// The complete matrix.
    Full,
}

/// Why a trial with objects of a second SFrame version has no assembler for them.
#[derive(Debug, thiserror::Error)]
enum NoAssembler {
    #[error("no assembler here writes another SFrame version than {0}")]
    OfOtherVersion(String),
    #[error("{tool}, for objects of {}, was not found: {from}", version.name())]
    Wanted { tool: String, version: SframeVersion, from: String },
}

impl Matrix {
    /// Creates the matrix of a producers' file; `None` for that of the variable, or the shipped
    /// one. With a cache, outputs of earlier commands are reused.
    pub fn new(home: Home, producers: Option<&Path>, cache: Option<Cache>) -> Result<Matrix, ProducersError> {
        let mut producers = Producers::new(producers, &home.root)?;
        if let Some(cache) = cache {
            producers = producers.with_cache(Arc::new(cache));
        }
        Ok(Matrix::with(home, producers))
    }

    /// Creates the matrix of these producers.
    pub fn with(home: Home, producers: Producers) -> Matrix {
        Matrix { home, producers, objects: OnceLock::new() }
    }

    /// All trials, sorted by name. Those with a missing producer are included, as absent.
    pub fn trials(&self, extent: Extent) -> Result<Vec<Trial>, RecipeError> {
        let mut trials: Vec<Trial> = self.objects()?.iter().map(|object| self.frozen(object.clone())).collect();
        for case in self.cases()? {
            let case = Arc::new(case);
            for abi in Abi::ALL {
                trials.extend(self.trials_of_case(&case, abi, extent));
            }
        }
        for file in toolchain::yaml::files(&self.home.cases().join(link::TOPIC))? {
            let case = Arc::new(LinkCase::read(&file)?);
            for abi in Abi::ALL {
                trials.extend(self.trials_of_recipe(&case, abi, extent));
            }
        }
        trials.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(trials)
    }

    /// The trial with this name, without enumerating the others; `None` if no trial has it.
    pub fn trial_named(&self, name: &str) -> Result<Option<Trial>, RecipeError> {
        let Ok(key) = name.parse::<Key>() else { return Ok(None) };
        let trials = if key.topic == frozen::TOPIC {
            self.objects()?.iter().map(|object| self.frozen(object.clone())).collect()
        } else {
            let path = self.home.cases().join(&key.topic).join(format!("{}.yaml", key.case_name().plain()));
            if !path.is_file() {
                return Ok(None);
            }
            match key.topic.as_str() {
                link::TOPIC => self.trials_of_recipe(&Arc::new(LinkCase::read(&path)?), key.abi, Extent::Full),
                _ => self.trials_of_case(&Arc::new(Case::read(&path)?), key.abi, Extent::Full),
            }
        };
        Ok(trials.into_iter().find(|trial: &Trial| trial.key == key))
    }

    fn objects(&self) -> Result<&[FrozenObject], YamlError> {
        if self.objects.get().is_none() {
            // An error means that another thread has read the same file first.
            let _ = self.objects.set(FrozenObject::read_all(&self.home.cases().join(frozen::TOPIC))?);
        }
        Ok(self.objects.get().map(Vec::as_slice).unwrap_or_default())
    }

    fn cases(&self) -> Result<Vec<Case>, YamlError> {
        let folder = self.home.cases();
        let failed = |error| YamlError::Read { path: folder.clone(), error };
        let mut topics = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let others = [frozen::TOPIC, ledger::class::TOPIC, link::TOPIC];
            if path.is_dir() && !others.iter().any(|topic| path.ends_with(topic)) {
                topics.push(path);
            }
        }
        topics.sort();
        let mut cases = Vec::new();
        for topic in topics {
            for file in toolchain::yaml::files(&topic)? {
                cases.push(Case::read(&file)?);
            }
        }
        Ok(cases)
    }

    fn frozen(&self, object: FrozenObject) -> Trial {
        Trial { key: object.key(), subject: Subject::Frozen { folder: self.home.cases().join(frozen::TOPIC), object } }
    }

    /// The trials of a case for one target.
    fn trials_of_case(&self, case: &Arc<Case>, abi: Abi, extent: Extent) -> Vec<Trial> {
        if case.sources(abi).is_empty() {
            return Vec::new();
        }
        let entries = self.producers.entries();
        if case.is_compiled(abi) {
            return entries
                .filter(|entry| entry.kind == Kind::Compiler && entry.language == case.facts.language)
                .flat_map(|entry| self.compiled(case, abi, entry, extent))
                .collect();
        }
        let assemblers = entries.filter(|entry| entry.steps.contains_key(&Step::Assemble));
        assemblers.flat_map(|entry| self.assembled(case, abi, entry)).collect()
    }

    /// A case in assembly, with each version of an assembler.
    fn assembled(&self, case: &Arc<Case>, abi: Abi, entry: &Arc<ProducerEntry>) -> Vec<Trial> {
        // A compiler's own assembler is tested only if it writes SFrame; an assembler's `.eh_frame`
        // is judged in any case.
        let of_interest = |tool: &&Tool| entry.kind == Kind::Assembler || !tool.sframe().is_empty();
        let tools = self.producers.tools(&entry.name, abi).unwrap_or_default();
        let mut trials: Vec<Trial> = tools
            .iter()
            .filter(of_interest)
            .map(|tool| self.trial(case, tool, &case.name, None, Some(tool.clone())))
            .collect();
        let is_of_abi = entry.kind == Kind::Assembler || entry.sframe.iter().any(|item| has_abi(&item.abis, abi));
        if is_of_abi {
            trials.extend(self.absent((&case.topic, &case.name, &case.facts.covers), abi, entry));
        }
        trials.retain(|trial| case.is_for(&trial.key.sframe));
        trials
    }

    /// A compiled case, with each version of a compiler, each option set, and each assembler that
    /// suits them.
    fn compiled(&self, case: &Arc<Case>, abi: Abi, entry: &Arc<ProducerEntry>, extent: Extent) -> Vec<Trial> {
        let full = extent == Extent::Full;
        let wanted = |set: &OptionSet| match case.facts.options.as_slice() {
            [] => !set.named,
            names => names.contains(&set.name),
        };
        let sets = entry.options.iter().filter(|set| has_abi(&set.abis, abi) && (full || set.often) && wanted(set));
        let sets: Vec<_> = sets.collect();
        let mut trials = Vec::new();
        for tool in self.producers.tools(&entry.name, abi).unwrap_or_default() {
            for set in &sets {
                let compiler = (tool.clone(), (*set).clone());
                if tool.can(Step::Compile) {
                    let assemblers = self.producers.partners(tool, Kind::Assembler, full).into_iter();
                    let knows = |assembler: &&Tool| {
                        set.suits(&tool.version, &assembler.version)
                            && suits(&entry.needs, &tool.version, &assembler.version)
                    };
                    for assembler in assemblers.filter(knows) {
                        let name = format!("{}+{}+{}", case.name, tool.name(), set.name);
                        trials.push(self.trial(
                            case,
                            assembler,
                            &name,
                            Some(compiler.clone()),
                            Some(assembler.clone()),
                        ));
                    }
                }
                if tool.can(Step::CompileObject) && !tool.sframe().is_empty() {
                    let name = format!("{}+{}", case.name, set.name);
                    trials.push(self.trial(case, tool, &name, Some(compiler), None));
                }
            }
        }
        trials.extend(self.absent((&case.topic, &case.name, &case.facts.covers), abi, entry));
        trials
    }

    /// A link recipe, with each linker and the objects of each assembler whose SFrame version it
    /// merges. If it concatenates the sections in any case, the objects of the newest assembler
    /// suffice on every push.
    fn trials_of_recipe(&self, case: &Arc<LinkCase>, abi: Abi, extent: Extent) -> Vec<Trial> {
        let mut trials = Vec::new();
        if case.recipe.full && extent == Extent::Often {
            return trials;
        }
        let linkers = self.producers.of_kind(Kind::Linker);
        for entry in linkers {
            // A trial in which nothing is linked would pass.
            let Some(flavour) = entry.flavour.filter(|family| case.recipe.is_for(*family)) else { continue };
            for linker in self.producers.tools(&entry.name, abi).unwrap_or_default() {
                // A compiler that assembles also makes objects.
                let mut partners = self.producers.partners(linker, Kind::Assembler, true);
                partners.extend(self.producers.partners(linker, Kind::Compiler, true));
                partners.retain(|tool| tool.can(Step::Assemble));
                let merged = linker.sframe();
                // A linker that merges some versions, but none for this ABI, has nothing to show.
                if merged.is_empty() && !entry.sframe.is_empty() {
                    continue;
                }
                let suits = |tool: &&&Tool| {
                    tool.sframe().first().is_some_and(|version| merged.is_empty() || merged.contains(version))
                };
                let mut assemblers: Vec<&Tool> = partners.iter().filter(suits).copied().collect();
                if merged.is_empty() && extent == Extent::Often {
                    assemblers.sort_by(|a, b| a.version.cmp_numbers(&b.version));
                    assemblers = assemblers.pop().into_iter().collect();
                }
                for assembler in assemblers {
                    let Some(version) =
                        assembler.sframe().first().copied().filter(|version| case.is_for(abi, *version))
                    else {
                        continue;
                    };
                    let mixes = case.recipe.objects.values().any(|object| object.by == Maker::OtherVersion);
                    let other = mixes.then(|| self.of_other_version(linker, &partners, assembler)).transpose();
                    let beside =
                        |step| self.producers.partner(linker, Kind::PostProcessor, |tool| tool.can(step)).cloned();
                    let tools = LinkTools {
                        linker: linker.clone(),
                        flavour,
                        assembler: assembler.clone(),
                        version,
                        other: other.as_ref().ok().cloned().flatten(),
                        second: None,
                        strip: beside(Step::Strip),
                        objcopy: beside(Step::Copy),
                        others: self.named_by(case, abi),
                    };
                    let name = format!("{}+{}", case.name, assembler.name());
                    let key = |name: &str| key(&entry.name, &linker.version, abi, Some(version), link::TOPIC, name);
                    if case.recipe.has_other_linker() {
                        let others = self.other_linkers(flavour, abi, version, extent).into_iter();
                        let suiting = others.filter(|second| case.recipe.suits(flavour, second.flavour));
                        trials.extend(suiting.map(|second| {
                            let key = key(&format!("{name}+{}", second.tool.name()));
                            let tools = LinkTools { second: Some(second), ..tools.clone() };
                            Trial { key, subject: Subject::Linked { case: Arc::clone(case), tools } }
                        }));
                        continue;
                    }
                    let key = key(&name);
                    let subject = match other {
                        Err(why) => Subject::Absent { covers: case.recipe.covers.clone(), why: why.to_string() },
                        Ok(_) => Subject::Linked { case: Arc::clone(case), tools },
                    };
                    trials.push(Trial { key, subject });
                }
            }
            trials.extend(self.absent((link::TOPIC, &case.name, &case.recipe.covers), abi, entry));
        }
        trials
    }

    /// The assembler of the objects in another SFrame version: that of the version which the first
    /// suitable `wanted` entry of the producers' file writes, so that a trial does not depend on
    /// other installed tools.
    fn of_other_version(&self, linker: &Tool, partners: &[&Tool], assembler: &Tool) -> Result<Tool, NoAssembler> {
        let (abi, own) = (linker.abi, assembler.sframe().first().copied());
        let with = linker.entry.with.iter().filter(|with| has_abi(&with.abis, abi));
        let entries =
            with.flat_map(|with| self.producers.entries().filter(|entry| entry.name == with.name)).filter(|entry| {
                matches!(entry.kind, Kind::Assembler | Kind::Compiler) && entry.steps.contains_key(&Step::Assemble)
            });
        let wanted = entries.flat_map(|entry| entry.wanted.iter().map(move |wanted| (entry, wanted)));
        let mut others = wanted.filter_map(|(entry, wanted)| {
            let version = writes(&entry.sframe, &wanted.version, abi).first().copied()?;
            (Some(version) != own).then_some((entry, wanted, version))
        });
        let Some((entry, wanted, version)) = others.next() else {
            let other = partners.iter().find(|tool| tool.sframe().first().is_some_and(|other| Some(*other) != own));
            return other.map(|tool| (*tool).clone()).ok_or_else(|| NoAssembler::OfOtherVersion(assembler.name()));
        };
        let writers = || partners.iter().filter(|tool| tool.sframe().first() == Some(&version));
        let is_wanted = |tool: &&&Tool| tool.version.begins_with(wanted.version.as_str());
        writers().find(is_wanted).or_else(|| writers().next()).map(|tool| (*tool).clone()).ok_or_else(|| {
            NoAssembler::Wanted {
                tool: format!("{} {}", entry.name, wanted.version),
                version,
                from: wanted.from.clone(),
            }
        })
    }

    /// Linkers of other families that accept objects of a version: on every push the newest of
    /// each.
    fn other_linkers(&self, own: Flavour, abi: Abi, version: SframeVersion, extent: Extent) -> Vec<SecondLinker> {
        let mut others = Vec::new();
        for entry in self.producers.of_kind(Kind::Linker) {
            let Some(flavour) = entry.flavour.filter(|flavour| *flavour != own) else { continue };
            let takes = |tool: &&Tool| {
                tool.can(Step::Relocatable) && (entry.sframe.is_empty() || tool.sframe().contains(&version))
            };
            let mut tools: Vec<&Tool> =
                self.producers.tools(&entry.name, abi).unwrap_or_default().iter().filter(takes).collect();
            if extent == Extent::Often {
                tools.sort_by(|a, b| a.version.cmp_numbers(&b.version));
                tools = tools.pop().into_iter().collect();
            }
            others.extend(tools.into_iter().map(|tool| SecondLinker { tool: tool.clone(), flavour }));
        }
        others
    }

    fn trial(
        &self,
        case: &Arc<Case>,
        maker: &Tool,
        name: &str,
        compiler: Option<(Tool, OptionSet)>,
        assembler: Option<Tool>,
    ) -> Trial {
        let written = maker.sframe().first().copied();
        let key = key(&maker.entry.name, &maker.version, maker.abi, written, &case.topic, name);
        let merges = |linker: &Tool| {
            let versions = linker.sframe();
            linker.can(Step::Link) && (versions.is_empty() || written.is_none_or(|version| versions.contains(&version)))
        };
        let linker = self.producers.partner(maker, Kind::Linker, merges).cloned();
        if linker.is_none() && case.least(maker.abi).run {
            let why =
                format!("no linker for {} beside {}", written.map_or("no SFrame", SframeVersion::name), maker.name());
            return Trial { key, subject: Subject::Absent { covers: case.facts.covers.clone(), why } };
        }
        let strips = |tool: &Tool| tool.can(Step::Strip);
        let strip =
            linker.as_ref().and_then(|linker| self.producers.partner(linker, Kind::PostProcessor, strips)).cloned();
        let pipeline = Pipeline { compiler, assembler, linker, strip, sframe: Sframe::Wanted };
        Trial { key, subject: Subject::Built { case: Arc::clone(case), pipeline } }
    }

    /// Newest version of each post-processor that steps of a case name, if it is installed.
    fn named_by(&self, case: &LinkCase, abi: Abi) -> BTreeMap<String, Tool> {
        let names: BTreeSet<&String> = case.recipe.steps.iter().filter_map(|step| step.tool.as_ref()).collect();
        let newest = |name: &str| {
            let tools = self.producers.tools(name, abi).unwrap_or_default();
            tools.iter().max_by(|a, b| a.version.cmp_numbers(&b.version)).cloned()
        };
        names.into_iter().filter_map(|name| Some((name.clone(), newest(name)?))).collect()
    }

    /// One trial for each wanted version that is not installed.
    fn absent(&self, case: (&str, &str, &[String]), abi: Abi, entry: &ProducerEntry) -> Vec<Trial> {
        let (topic, name, covers) = case;
        let trial = |Absent { version, why, from: _ }: Absent| {
            let written = writes(&entry.sframe, &version, abi).first().copied();
            let key = key(&entry.name, &version, abi, written, topic, name);
            Trial { key, subject: Subject::Absent { covers: covers.to_vec(), why } }
        };
        self.producers.absent(entry, abi).into_iter().map(trial).collect()
    }
}

fn key(producer: &str, version: &ToolVersion, abi: Abi, sframe: Option<SframeVersion>, topic: &str, case: &str) -> Key {
    Key {
        producer: producer.to_owned(),
        version: version.clone(),
        abi,
        sframe: sframe.map_or("none", SframeVersion::name).to_owned(),
        topic: topic.to_owned(),
        case: case.to_owned(),
    }
}
