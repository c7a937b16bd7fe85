//! The matrix: which trials there are, by name, and how one is run.
//!
//! A trial is one object judged against what is recorded of it: a frozen object of `cases/objects`, or a case assembled by an
//! assembler of this machine. Its name is its [`Key`].

pub mod assembler;
pub mod case;
pub mod frozen;
pub mod ledger;
pub mod process;
pub mod results;
pub mod run;
pub mod trial;

use std::path::{Path, PathBuf};

use model::{Abi, Key};

use assembler::Assembler;
use case::Case;
use frozen::FrozenObject;
use trial::{Subject, Trial};

use crate::yaml::YamlError;

/// Where the project's data lies.
#[derive(Clone, Debug)]
pub struct Home {
    /// The folder that holds `cases/` and `reports/known/`.
    pub root: PathBuf,
}

impl Home {
    /// The checkout that holds the working directory, else the one this program was built from.
    pub fn find() -> Home {
        let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let here = std::env::current_dir().unwrap_or_default();
        let is_home = |folder: &&Path| folder.join("cases/objects/objects.yaml").is_file();
        Home { root: here.ancestors().find(is_home).map_or(built_from, Path::to_owned) }
    }

    fn cases(&self) -> PathBuf {
        self.root.join("cases")
    }
}

/// Every trial of this machine, in a fixed order. Cases whose assembler is absent are listed too, to be told as such.
///
/// # Errors
/// When a data file cannot be read.
pub fn trials(home: &Home) -> Result<Vec<Trial>, YamlError> {
    let mut trials: Vec<Trial> = objects(home)?.into_iter().map(|object| frozen(home, object)).collect();
    let assemblers: Vec<(Abi, Assembler)> = Abi::ALL.into_iter().map(|abi| (abi, Assembler::find(abi))).collect();
    for case in cases(home)? {
        for (abi, assembler) in &assemblers {
            trials.extend(live(&case, *abi, assembler));
        }
    }
    trials.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(trials)
}

/// The trial of one name, without listing the others; none where there is no such trial here.
///
/// # Errors
/// When its data file cannot be read.
pub fn trial_named(home: &Home, name: &str) -> Result<Option<Trial>, YamlError> {
    let Ok(key) = name.parse::<Key>() else { return Ok(None) };
    if key.topic == frozen::TOPIC {
        let found = objects(home)?.into_iter().map(|object| frozen(home, object)).find(|trial| trial.key == key);
        return Ok(found);
    }
    let path = home.cases().join(&key.topic).join(format!("{}.yaml", key.case));
    if !path.is_file() {
        return Ok(None);
    }
    let trial = live(&Case::read(&path)?, key.abi, &Assembler::find(key.abi));
    Ok(trial.filter(|trial| trial.key == key))
}

fn objects(home: &Home) -> Result<Vec<FrozenObject>, YamlError> {
    FrozenObject::read_all(&home.cases().join(frozen::TOPIC))
}

fn cases(home: &Home) -> Result<Vec<Case>, YamlError> {
    let folder = home.cases();
    let failed = |error| YamlError::Read { path: folder.clone(), error };
    let mut topics = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let others = [frozen::TOPIC, crate::fuzz::found::TOPIC, crate::link::TOPIC];
        if path.is_dir() && !others.iter().any(|topic| path.ends_with(topic)) {
            topics.push(path);
        }
    }
    topics.sort();
    let mut cases = Vec::new();
    for topic in topics {
        for file in crate::yaml::files(&topic)? {
            cases.push(Case::read(&file)?);
        }
    }
    Ok(cases)
}

fn frozen(home: &Home, object: FrozenObject) -> Trial {
    Trial { key: object.key(), subject: Subject::Frozen { folder: home.cases().join(frozen::TOPIC), object } }
}

fn live(case: &Case, abi: Abi, assembler: &Assembler) -> Option<Trial> {
    case.source(abi)?;
    let key = Key {
        producer: "gas".to_owned(),
        version: assembler.version().to_owned(),
        abi,
        sframe: assembler.sframe().map_or("none", |version| version.name()).to_owned(),
        topic: case.topic.clone(),
        case: case.name.clone(),
    };
    Some(Trial { key, subject: Subject::Live { case: case.clone(), assembler: assembler.clone() } })
}
