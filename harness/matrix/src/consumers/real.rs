//! Tables of real producers as vectors: the frozen files that are linked. A row is expected where the file's run and its `.eh_frame` bear it
//! out, and nowhere else: what is wrong with the tables themselves is no reader's fault.

use std::collections::BTreeSet;

use generators::code::FrameState;
use generators::vectors::{Answer, Class, Expected, Has, Row, Vector};
use model::{Bytes, ImageKind, SframeVersion, UnwindRow, ValueRule};
use sframe::{Placement, Section, Table};

use crate::Home;
use crate::check::{self, Options};
use crate::frozen::{FrozenObject, TOPIC};

/// The file's part of a vector's name: `real-gas-2.44-gcc12-O2-exe`.
const PREFIX: &str = "real-";

/// Who made the table of a vector, and for which target: `gas@2.44 amd64`; none for tables of this project.
pub fn made_by(vector: &Vector) -> Option<String> {
    let name = vector.id.rsplit('/').next()?.strip_prefix(PREFIX)?;
    let mut words = name.splitn(3, '-');
    Some(format!("{}@{} {}", words.next()?, words.next()?, vector.abi))
}

/// The vectors of all frozen files that are linked and whose ids contain a text. What cannot be read or judged gives none: that is a matter of the
/// matrix.
pub fn real(home: &Home, text: &str) -> Vec<Vector> {
    let folder = home.cases().join(TOPIC);
    let Ok(objects) = FrozenObject::read_all(&folder) else { return Vec::new() };
    let wanted = objects.into_iter().filter(|object| object.kind != "o" && id(object).contains(text));
    wanted.filter_map(|object| vector(&object, std::fs::read(folder.join(&object.file)).ok()?.into())).collect()
}

fn id(object: &FrozenObject) -> String {
    let FrozenObject { sframe, abi, producer, producer_version, case, .. } = object;
    format!("{}/{sframe}-{abi}/{PREFIX}{producer}-{producer_version}-{case}", Class::Valid.name())
}

fn vector(object: &FrozenObject, bytes: Bytes) -> Option<Vector> {
    let image = elf::load(&object.file, &bytes).ok()?;
    let found = image.sframe_sections().next()?;
    let version = SframeVersion::named(&object.sframe)?;
    if image.kind == ImageKind::Relocatable {
        return None;
    }
    let section = Section::parse(&found.bytes).ok()?;
    let table = Table::new(&section, Placement::in_file(image.kind, found.address)).ok()?;
    let report = check::check(&object.file, &bytes, &Options::default()).report;
    let doubted: Vec<(u64, u64)> = report.discrepancies.iter().flat_map(|finding| finding.ranges.clone()).collect();
    let is_doubted = |pc: u64| doubted.iter().any(|(start, end)| (*start..*end).contains(&pc));
    let pcs: BTreeSet<u64> = table.functions().iter().flat_map(|function| function.boundaries()).collect();
    let answers: Vec<Answer> = pcs
        .iter()
        .filter(|pc| !is_doubted(**pc))
        .filter_map(|pc| Some(Answer { pc: *pc, expected: expected(&table.find(*pc)?.unwind_row(*pc)?) }))
        .collect();
    let header = &section.header;
    let text = (*pcs.first()?, pcs.last()?.checked_add(1)?);
    Some(Vector {
        id: id(object),
        about: format!("What {} {} made of {}.", object.producer, object.producer_version, object.case),
        class: Class::Valid,
        abi: object.abi,
        version,
        bytes: found.bytes.to_vec(),
        address: found.address,
        text,
        answers,
        chains: Vec::new(),
        sorted: header.flags.sorted(),
        has: Has {
            flex: section.functions().flatten().any(|function| function.attributes.info2.flex()),
            gaps: header.aux_len > 0,
            blocks: table.functions().iter().any(|function| function.mask.is_some()),
        },
    })
}

fn expected(row: &UnwindRow) -> Expected {
    let frame = FrameState { cfa: row.cfa, ra: row.ra, fp: row.fp, signed: row.signed };
    let ends = row.ra == ValueRule::Undefined;
    let key = (row.signed && !ends).then_some(row.key);
    Expected::Row(Row { frame, key, signal: row.signal })
}
