//! The outcome of checking a file: the judge's report, and what was learned beside it.

use judge::Judge;
use judge::tables::{HeaderCounts, Tables};
use machine::Bits;
use results::{Finding, Sizes};
use types::{Image, ImageSection};

use super::features;
use super::run::Ran;
use crate::built;
use crate::checked::Checked;
use crate::options::{Include, Options};

/// The outcome of a file that was executed as far as requested.
pub(super) fn outcome(
    image: &Image,
    tables: &Tables,
    mut judge: Judge<'_>,
    ran: Ran,
    explored: Option<&Bits>,
    options: &Options,
) -> Checked {
    let includes = |what| options.include.contains(&what);
    let (entered, counts) = (judge.entered(), judge.counts());
    let mut report = judge.finish();
    report.exit_status = ran.exit.map(|(_, status)| status);
    report.build_id = build_id(image);
    if includes(Include::Causes) && report.discrepancies.iter().any(Finding::is_error) {
        built::add(image, &mut report);
    }
    report.place_in_file(image.bias);
    let with_features = includes(Include::Features);
    let mut reached: Vec<u64> =
        explored.filter(|_| includes(Include::Reached)).into_iter().flat_map(Bits::iter).collect();
    reached.sort_unstable();
    Checked {
        report,
        exit: ran.exit,
        entered,
        header: tables.counts,
        sizes: tables.counts.map(|counts| sizes(image, counts)),
        table: with_features.then(|| features::table_line(image, tables, counts.steps > 0)).flatten(),
        reached,
        interrupted: counts.interrupted,
        objects: ran.objects,
    }
}

/// The description of the note NT_GNU_BUILD_ID, whose name is `GNU`, in hexadecimal.
fn build_id(image: &Image) -> Option<String> {
    const HEADER: usize = 12;
    let note = image.section(".note.gnu.build-id")?.bytes.get(HEADER..)?;
    let id = note.strip_prefix(b"GNU\0")?;
    Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn sizes(image: &Image, counts: HeaderCounts) -> Sizes {
    let of = |is_counted: &dyn Fn(&ImageSection) -> bool| {
        image.sections.iter().filter(|section| is_counted(section)).map(|section| section.size).sum()
    };
    Sizes {
        sframe: counts.bytes,
        eh_frame: of(&|section| section.name == ".eh_frame"),
        eh_frame_hdr: of(&|section| section.name == ".eh_frame_hdr"),
        functions: counts.fdes,
        rows: counts.fres,
        text: of(&|section| section.flags & types::elf::SHF_EXECINSTR != 0),
    }
}
