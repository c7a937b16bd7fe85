//! The name of a trial: `producer@version::abi::vN::topic::case`. It is the test name, the ledger key and the history key.

use std::fmt;
use std::str::FromStr;

use crate::Abi;

/// Names one trial. Prints as `gas@2.40::amd64::v1::frames::push-pop` and parses back.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "`abi` and `case` say what they are")]
pub struct Key {
    /// Who made the object: `gas`, `clang`, `frozen`.
    pub producer: String,
    /// The producer's version: `2.40`.
    pub version: String,
    pub abi: Abi,
    /// SFrame version expected, `v1`, `v2`, `v2e1`, `v3`, or `none`.
    pub sframe: String,
    /// Folder of the case under `cases/`.
    pub topic: String,
    pub case: String,
}

/// A text that is no [`Key`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a trial name of the form producer@version::abi::vN::topic::case")]
pub struct KeyError(pub String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { producer, version, abi, sframe, topic, case } = self;
        write!(f, "{producer}@{version}::{abi}::{sframe}::{topic}::{case}")
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let error = || KeyError(text.to_owned());
        let mut parts = text.split("::");
        let mut next = || parts.next().filter(|part| !part.is_empty()).ok_or_else(error);
        let (maker, abi, sframe, topic, case) = (next()?, next()?, next()?, next()?, next()?);
        let (producer, version) = maker.split_once('@').ok_or_else(error)?;
        if parts.next().is_some() {
            return Err(error());
        }
        Ok(Key {
            producer: producer.to_owned(),
            version: version.to_owned(),
            abi: abi.parse().map_err(|_| error())?,
            sframe: sframe.to_owned(),
            topic: topic.to_owned(),
            case: case.to_owned(),
        })
    }
}
