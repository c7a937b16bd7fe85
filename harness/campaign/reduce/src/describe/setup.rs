//! The tools with which the script of a bundle is executed before the bundle is written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use results::bundle::{Command, Filing, Others};
use toolchain::entry::Kind;
use toolchain::graph::Graph;
use toolchain::producers::Producers;
use toolchain::tool::Tool;
use types::Abi;

/// Programs for the variables of a script: `AS`, `LD`, `READELF`.
pub type Programs = BTreeMap<String, PathBuf>;

/// Tools that are tried beside the one that has the bug.
#[derive(Debug)]
pub struct References {
    /// The tools found here, without a user's own builds.
    pub producers: Producers,
    /// The tools with the user's build that does not have the bug, if one is named.
    pub against: Option<Producers>,
}

impl References {
    /// Other tools of the same name for the same target: the build that is named first, then the
    /// newest ones.
    pub(super) fn others<'a>(&'a self, culprit: &Tool) -> impl Iterator<Item = &'a Tool> + use<'a> {
        let (is_own, version) = (culprit.entry.in_place_of.is_some(), culprit.version.clone());
        let against = self.against.iter().flat_map(|producers| alike(producers, culprit)).collect::<Vec<_>>();
        let against = against.into_iter().filter(|tool| tool.entry.in_place_of.is_some());
        let others = alike(&self.producers, culprit).iter().rev();
        against.chain(others.filter(move |tool| is_own || tool.version != version))
    }

    /// The readelf beside an assembler, of the newest one that has it.
    fn readelf(&self, abi: Abi) -> Option<PathBuf> {
        let assemblers = self.producers.of_kind(Kind::Assembler);
        let all = assemblers.flat_map(|entry| self.producers.tools(&entry.name, abi).unwrap_or_default());
        all.filter_map(readelf_beside).last()
    }
}

/// The tools of the same name for the same target.
fn alike<'a>(producers: &'a Producers, culprit: &Tool) -> &'a [Tool] {
    producers.tools(&culprit.entry.name, culprit.abi).unwrap_or_default()
}

/// The readelf in the folder of a tool.
pub(super) fn readelf_beside(tool: &Tool) -> Option<PathBuf> {
    let path = tool.program.with_file_name(format!("{}-readelf", tool.abi.facts().gnu_triplet));
    path.is_file().then_some(path)
}

/// Programs for a script, by the tool that they test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Name and version of the tool under test, as people read it.
    pub tool: String,
    pub programs: Programs,
}

impl Setup {
    /// The programs that a build executes, by the variables of its commands, with the readelf
    /// beside one of them, else the newest.
    pub(super) fn new(
        references: &References,
        abi: Abi,
        tool: Option<&Tool>,
        commands: &[Command],
        graph: &Graph,
    ) -> Setup {
        let nodes = graph.nodes().iter().zip(commands);
        let mut programs: Programs =
            nodes.map(|(node, command)| (command.variable.clone(), node.tool.program.clone())).collect();
        let beside = graph.nodes().iter().find_map(|node| readelf_beside(&node.tool));
        if let Some(readelf) = beside.or_else(|| references.readelf(abi)) {
            programs.insert("READELF".to_owned(), readelf);
        }
        let own = |tool: &Tool| if tool.entry.in_place_of.is_some() { ", own build" } else { "" };
        let tool =
            tool.map_or_else(String::new, |tool| format!("{} {}{}", tool.entry.called(), tool.version, own(tool)));
        Setup { tool, programs }
    }
}

/// A finding described, with the tools that prove its script.
#[derive(Debug)]
pub struct Described {
    /// The bundle; where several scripts may show the bug, one for each, the best first.
    pub filings: Vec<Filing>,
    /// The tools that show it.
    pub tested: Setup,
    /// Tools that do not show it, the newest first.
    pub without: Vec<Setup>,
}

/// What came of other versions.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    pub(super) others: Others,
    pub(super) without: Vec<Setup>,
}

impl Made {
    /// Adds a version: `Some(true)` if it shows the bug, `None` if it cannot build the reproducer.
    pub(super) fn add(&mut self, tool: &Tool, shows: Option<bool>, setup: Setup) {
        // A person's own build is known to no other; it is named as the one without the bug.
        let is_own = tool.entry.in_place_of.is_some();
        if !is_own {
            self.others.add(&tool.version, shows);
        }
        if is_own || shows == Some(false) {
            self.without.push(setup);
        }
    }
}
