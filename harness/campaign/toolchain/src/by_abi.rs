//! Values and lists by ABI in YAML files: look-up for an ABI, and detection of unknown names.

use std::collections::BTreeMap;

use types::{Abi, SframeVersion, Unknown};

/// Values by ABI: `amd64`, `aarch64-le`, `aarch64-be`, `s390x`; `aarch64` for both byte orders,
/// `all` for every other ABI.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct ByAbi<T>(BTreeMap<String, T>);

/// Key for every ABI.
const ALL: &str = "all";

impl<T> Default for ByAbi<T> {
    fn default() -> Self {
        ByAbi(BTreeMap::new())
    }
}

impl<T> ByAbi<T> {
    /// The same value for every ABI.
    pub fn all(value: T) -> Self {
        ByAbi(BTreeMap::from([(ALL.to_owned(), value)]))
    }

    /// The value for an ABI: under its own name, else its family's, else `all`.
    pub fn get(&self, abi: Abi) -> Option<&T> {
        [abi.name(), abi.facts().family, ALL].iter().find_map(|name| self.0.get(*name))
    }

    /// A key that is not the name of an ABI.
    pub(crate) fn unknown(&self) -> Option<&str> {
        self.0.keys().map(String::as_str).find(|name| !is_abi(name))
    }
}

/// Returns true for a name of one or more ABIs, as in keys of [`ByAbi`] and in lists.
pub(crate) fn is_abi(name: &str) -> bool {
    name == ALL || Abi::ALL.iter().any(|abi| abi.is_called(name))
}

/// The error for an unknown name in a key or list of ABIs.
pub fn unknown_abi(name: &str) -> Unknown {
    let names = Abi::ALL.into_iter().flat_map(|abi| [abi.name(), abi.facts().family]);
    Unknown::new("ABI", name, names.chain([ALL]))
}

/// The error for an unknown name in a list of SFrame versions.
pub fn unknown_version(name: &str) -> Unknown {
    Unknown::new("SFrame version", name, SframeVersion::ALL.map(SframeVersion::name))
}

/// Returns true if a list of ABIs contains this one; an empty list contains all.
pub fn has_abi(list: &[String], abi: Abi) -> bool {
    list.is_empty() || list.iter().any(|name| name == ALL || abi.is_called(name))
}

#[cfg(test)]
mod tests {
    use types::Abi;

    use super::{ByAbi, has_abi, is_abi};

    #[test]
    fn a_list_without_names_has_every_abi() {
        assert!(has_abi(&[], Abi::S390x));
        assert!(has_abi(&["aarch64".to_owned()], Abi::Aarch64Be));
        assert!(!has_abi(&["aarch64-le".to_owned()], Abi::Aarch64Be));
    }

    #[test]
    fn the_narrowest_name_counts() {
        let names = ["all", "aarch64", "aarch64-be"].map(|name| (name.to_owned(), name));
        let values = ByAbi(names.into());
        assert_eq!(Abi::ALL.map(|abi| *values.get(abi).expect("all")), ["all", "aarch64", "aarch64-be", "all"]);
        assert_eq!(ByAbi::all(7).get(Abi::S390x), Some(&7));
        assert!(values.unknown().is_none() && !is_abi("x86"));
    }
}
