//! Files for the blind test: frozen objects, files built by the installed producers, and generated
//! programs.

use std::collections::HashSet;
use std::path::PathBuf;

use check::{Limits, Options, check};
use generators::blind::{Executed, Original, Registers};
use generators::program::Program;
use machine::{Plan, run};
use matrix::frozen::FrozenObject;
use matrix::link::RecipeError;
use matrix::trial::Subject;
use matrix::{Extent, Matrix};
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};
use toolchain::process::ProcessError;
use types::{Bytes, ImageKind, Regs, Step, combinations};

use super::{BlindFile, KnownFinding};
use crate::generate::Numbered;

/// Selection of files.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Seed of generated programs and of the selection of builds.
    pub seed: u64,
    /// Only files whose name contains this.
    pub filter: String,
    /// Folder `cases/objects`, if frozen objects are wanted.
    pub frozen: Option<PathBuf>,
    /// Number of generated programs for each target and version.
    pub generated: u64,
    /// Maximum number of built cases.
    pub built: usize,
}

/// A file before it is judged.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name in the ids of mutants.
    pub name: String,
    pub bytes: Bytes,
    /// The program that it was made of, if it was generated.
    pub program: Option<Program>,
}

impl Source {
    /// The file of a generated program. `None` if it cannot be made.
    pub fn generated(numbered: Numbered) -> Option<Source> {
        let bytes = numbered.program.build().ok()?.sample.bytes().ok()?.into();
        let name = format!("generated/{}/{}", numbered.seed, numbered.name());
        Some(Source { name, bytes, program: Some(numbered.program) })
    }
}

/// A file that is skipped, because it cannot be judged completely.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {why}")]
pub struct Skipped {
    /// Name in the ids of mutants.
    pub name: String,
    /// The part that cannot be judged.
    pub why: SkipReason,
}

/// Why a file cannot be judged completely.
#[derive(Debug, thiserror::Error)]
pub enum SkipReason {
    #[error(transparent)]
    Build(#[from] ProcessError),
    #[error(transparent)]
    Load(#[from] elf::LoadError),
    #[error(transparent)]
    Run(#[from] machine::MachineError),
    #[error("the unchanged file is undecided")]
    Undecided,
    #[error("no table can be read")]
    NoTable,
    #[error("no row of its .sframe is right")]
    NoRightRow,
}

/// Errors of the project's data files.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    #[error(transparent)]
    List(#[from] toolchain::yaml::YamlError),
    /// A frozen object cannot be read.
    #[error("{0}: {1}")]
    Frozen(String, std::io::Error),
    #[error(transparent)]
    Recipe(#[from] RecipeError),
}

/// The files that can be judged completely, and the skipped ones with reasons.
pub fn files(sources: &Sources, matrix: Option<&Matrix>) -> Result<(Vec<BlindFile>, Vec<Skipped>), FilesError> {
    let mut found = Vec::new();
    found.extend(frozen(sources)?);
    found.extend(generated(sources));
    let mut left_out = Vec::new();
    if let Some(matrix) = matrix {
        let (built, failed) = built(sources, matrix)?;
        found.extend(built);
        left_out.extend(failed);
    }
    // Objects that are part of every build for a target, such as that of `_start`, count once.
    let mut seen = HashSet::new();
    found.retain(|source| source.name.contains(&sources.filter) && seen.insert(Sha256::digest(&source.bytes)));
    let opened: Vec<Result<BlindFile, Skipped>> = found.into_par_iter().map(open).collect();
    let mut files = Vec::new();
    for file in opened {
        match file {
            Ok(file) => files.push(file),
            Err(why) => left_out.push(why),
        }
    }
    Ok((files, left_out))
}

fn frozen(sources: &Sources) -> Result<Vec<Source>, FilesError> {
    let Some(folder) = &sources.frozen else { return Ok(Vec::new()) };
    let read = |object: FrozenObject| {
        let bytes = std::fs::read(folder.join(&object.file)).map_err(|e| FilesError::Frozen(object.file.clone(), e))?;
        Ok(Source { name: format!("frozen/{}", object.file), bytes: bytes.into(), program: None })
    };
    FrozenObject::read_all(folder)?.into_iter().map(read).collect()
}

fn generated(sources: &Sources) -> Vec<Source> {
    let combinations = combinations(None, None);
    let numbers = 0..sources.generated * combinations.len() as u64;
    numbers.filter_map(|number| Source::generated(Numbered::new(&combinations, sources.seed, number)?)).collect()
}

/// Objects, `ld -r` outputs and programs of builds, evenly spread over all cases.
fn built(sources: &Sources, matrix: &Matrix) -> Result<(Vec<Source>, Vec<Skipped>), FilesError> {
    let builds: Vec<_> = matrix
        .trials(Extent::Full)?
        .into_iter()
        .filter_map(|trial| match trial.subject {
            Subject::Built { case, pipeline } => Some((trial.key, case, pipeline)),
            Subject::Frozen { .. } | Subject::Linked { .. } | Subject::Absent { .. } => None,
        })
        .filter(|(key, ..)| format!("built/{key}").contains(&sources.filter) || sources.filter.starts_with("built/"))
        .collect();
    let most = sources.built.min(builds.len());
    let first = (sources.seed % builds.len().max(1) as u64) as usize;
    let chosen = (0..most).filter_map(|index| builds.get((first + index * builds.len() / most) % builds.len()));
    let chosen: Vec<_> = chosen.collect();
    let made = chosen.par_iter().map(|(key, case, pipeline)| {
        let stages = match pipeline.build(case, key.abi) {
            Ok(stages) => stages,
            Err(error) => return Ok(Err(Skipped { name: format!("built/{key}"), why: error.into() })),
        };
        let named = |stage: &str, bytes| Source { name: format!("built/{key}/{stage}"), bytes, program: None };
        let objects = stages.objects.into_iter().enumerate();
        let mut files: Vec<Source> = objects.map(|(index, (_, bytes))| named(&format!("{index}.o"), bytes)).collect();
        files.extend(stages.relocatable.map(|bytes| named("r.o", bytes)));
        files.extend(stages.linked.map(|bytes| named("linked", bytes)));
        Ok(Ok(files))
    });
    let made: Vec<Result<Vec<Source>, Skipped>> = made.collect::<Result<_, FilesError>>()?;
    let (mut files, mut failed) = (Vec::new(), Vec::new());
    for made in made {
        match made {
            Ok(sources) => files.extend(sources),
            Err(why) => failed.push(why),
        }
    }
    Ok((files, failed))
}

/// Judges an undamaged file, and records which code is executed.
pub fn open(source: Source) -> Result<BlindFile, Skipped> {
    let name = source.name.clone();
    judged(source).map_err(|why| Skipped { name, why })
}

fn judged(source: Source) -> Result<BlindFile, SkipReason> {
    let Source { name, bytes, program } = source;
    let image = elf::load(&name, &bytes)?;
    // In a worker: a program that exits there may then be executed in this process too.
    let report = check(&name, &bytes, &Options::default()).report;
    if report.error.is_some() || !report.undecided.is_empty() {
        return Err(SkipReason::Undecided);
    }
    let mut executed = Executed::new();
    let mut steps = 0;
    if image.kind == ImageKind::Executable {
        let mut note = |step: &Step<'_>| {
            let Regs { sp, fp, ra, .. } = step.regs;
            let caller_fp = step.frames.innermost().map_or(0, |caller| caller.fp);
            executed.entry(step.pc.0).or_insert(Registers { sp, fp, ra, caller_fp });
        };
        steps = run(&Plan::new(&image), &mut note)?.steps;
    }
    // The limit quickly ends programs that do not exit because of the damage.
    let options = Options { limits: Limits::steps(steps * 2 + 10_000), ..Options::default() };
    let original = Original::new(bytes.into(), executed, program).ok_or(SkipReason::NoTable)?;
    if !original.is_right_somewhere() {
        return Err(SkipReason::NoRightRow);
    }
    let known = report.discrepancies.iter().map(|found| KnownFinding {
        fingerprint: found.fingerprint().to_owned(),
        blame: found.blame(),
        field: found.evidence.field,
        executed: found.evidence.executed,
        severity: found.severity,
        ranges: found.evidence.ranges.clone(),
    });
    let known = known.collect();
    let gaps = report.gaps.into_iter().map(|gap| gap.place).collect();
    Ok(BlindFile { name, original, options, known, gaps })
}
