//! Values and lists by ABI, as YAML files have them: which of them are for an ABI, and which names
//! are no ABI's.

use std::collections::BTreeMap;

use types::Abi;

/// Values by ABI: `amd64`, `aarch64-le`, `aarch64-be`, `s390x`; `aarch64` for both byte orders,
/// `all` for what is left.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct ByAbi<T>(BTreeMap<String, T>);

/// Stands for every ABI.
const ALL: &str = "all";

impl<T> Default for ByAbi<T> {
    fn default() -> Self {
        ByAbi(BTreeMap::new())
    }
}

impl<T> ByAbi<T> {
    /// One value for every ABI.
    pub fn all(value: T) -> Self {
        ByAbi(BTreeMap::from([(ALL.to_owned(), value)]))
    }

    /// The value for an ABI: that of its own name before its family's, and that before `all`.
    pub fn get(&self, abi: Abi) -> Option<&T> {
        [abi.name(), abi.facts().family, ALL].iter().find_map(|name| self.0.get(*name))
    }

    /// A name that is no ABI's.
    pub(crate) fn unknown(&self) -> Option<&str> {
        self.0.keys().map(String::as_str).find(|name| !is_abi(name))
    }
}

/// True for a name by which [`ByAbi`] and lists of ABIs know one or more.
pub(crate) fn is_abi(name: &str) -> bool {
    name == ALL || Abi::ALL.iter().any(|abi| abi.is_called(name))
}

/// Returns true if a list of ABIs has this one; an empty list has all.
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
