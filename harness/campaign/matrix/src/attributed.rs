//! Attribution by directives: of an error that both tables share, the compiler's or the
//! assembler's.

use std::collections::BTreeMap;

use directives::{LogError, Meaning};
use results::{Blame, Finding};
use toolchain::entry::Step;
use toolchain::graph::{Graph, Node, NodeResult};
use toolchain::process::ProcessError;
use types::{Abi, Bytes, CodePoint, Image, Pc, Reg};
use unwind::{CfiSections, CfiUnwinder, Unwinder as _};

use super::case::Case;
use super::pipeline::{BuildStages, LINKED, Pipeline};

/// Blames the assembler for the errors of compiled code that the directives of its assembly text
/// do not have, in every row.
pub(super) fn by_directives(
    findings: &mut [Finding],
    case: &Case,
    pipeline: &Pipeline,
    abi: Abi,
    built: &BuildStages,
    kept: &BTreeMap<String, Bytes>,
) -> Result<(), ProcessError> {
    if !findings.iter().any(is_shared) {
        return Ok(());
    }
    let graph = pipeline.graph(case, abi, LINKED)?;
    let objects: Vec<Meant> = graph.nodes().iter().filter_map(|node| meant(node, abi, built, kept)).collect();
    let linked = built.linked.as_ref().and_then(|bytes| elf::load(LINKED, bytes).ok());
    attribute(findings, &objects, linked.as_ref());
    Ok(())
}

/// Blames the assembler for errors of both tables that the directives of these objects do not have,
/// in every row. `linked` is the file of the findings if it is not the object.
pub fn attribute(findings: &mut [Finding], objects: &[Meant], linked: Option<&Image>) {
    for found in findings.iter_mut().filter(|found| is_shared(found)) {
        // Rows of another file of the build have no addresses in this one.
        let rows = || found.evidence.rows.iter().filter_map(|row| row.ranges.first()).map(|(start, _)| Pc(*start));
        let is_lost = |object: &Meant| rows().all(|pc| object.differs(found, pc, linked));
        if rows().next().is_some() && objects.iter().any(is_lost) {
            *found = found.clone().blamed(Blame::Assembler);
        }
    }
}

/// Returns true if the tables alone blame the source of the directives for an error.
fn is_shared(found: &Finding) -> bool {
    found.blame() == Blame::Compiler && !found.evidence.rows.is_empty()
}

/// An object, and what the directives of its text mean.
pub struct Meant {
    image: Image,
    /// Its `.eh_frame`.
    table: CfiUnwinder,
    meaning: Meaning,
}

/// `None` if the node does not assemble a text, or that text with a log gives other code.
fn meant(node: &Node, abi: Abi, built: &BuildStages, kept: &BTreeMap<String, Bytes>) -> Option<Meant> {
    let [input] = node.inputs.as_slice() else { return None };
    let text = std::str::from_utf8(kept.get(input)?).ok()?;
    let (_, plain) = built.objects.iter().find(|(name, _)| *name == node.output)?;
    if node.step != Step::Assemble {
        return None;
    }
    let mut graph = Graph::default();
    graph.source(input, directives::logged(text, abi).into_bytes());
    graph.make(node.clone());
    let Some(NodeResult::Made(logged, _)) = graph.build().remove(&node.output) else { return None };
    Meant::new(elf::load(&node.output, plain).ok()?, &elf::load(&node.output, &logged).ok()?).ok()
}

impl Meant {
    /// An object, and the one of its text with the log of [`directives::logged`].
    pub fn new(image: Image, logged: &Image) -> Result<Meant, LogError> {
        let meaning = Meaning::read(&image, logged)?;
        let table = image.section(".eh_frame").map(|section| (section.address, &section.bytes[..]));
        let table = CfiUnwinder::new(image.abi, &CfiSections { eh_frame: table, ..CfiSections::default() });
        Ok(Meant { table, meaning, image })
    }

    /// Returns true if directives mean another row than `.eh_frame` has at an address.
    fn differs(&self, found: &Finding, pc: Pc, linked: Option<&Image>) -> bool {
        // What the linked file shows is in no object's layout.
        let of_linked = linked
            .filter(|linked| linked.function_at(pc).is_some_and(|function| function.name.as_str() == found.function()));
        let in_object = match of_linked {
            Some(linked) => self.image.counterpart(pc, linked),
            None => Some(pc),
        };
        in_object.is_some_and(|pc| self.differs_at(pc))
    }

    fn differs_at(&self, pc: Pc) -> bool {
        let abi = self.image.abi;
        let Some(meant) = self.meaning.row(pc) else { return false };
        let Ok(id) = self.table.row(CodePoint::Exact(pc)) else { return true };
        let equations = meant.unwind_row().map(|row| row.equations(abi));
        let is_other = |reg: &Reg| match meant.register(*reg) {
            // An expression.
            Some(None) => false,
            meant => self.table.rule(id, *reg) != meant.flatten(),
        };
        equations.is_some_and(|meant| meant != self.table.rules(id, pc).equations(abi))
            || abi.facts().callee_saved.iter().map(|number| Reg(*number)).any(|reg| is_other(&reg))
    }
}
