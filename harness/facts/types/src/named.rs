//! Enums with a list of all variants and a name for each. Both are made from the declaration, so
//! neither can miss a variant.

/// Declares an enum, `ALL` (its variants in the order of the declaration), and `name` (the text
/// used in keys, files and results). The enum prints as its name; with the feature `serde` it is
/// also serialised as its name.
#[macro_export]
macro_rules! named {
    ($(#[doc = $about:literal])* pub enum $type:ident { $($(#[doc = $doc:literal])* $variant:ident = $name:literal,)+ }) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type {
            $($(#[doc = $doc])* $variant,)+
        }

        impl $type {
            /// All variants, in the order of reports and of comparisons.
            pub const ALL: [$type; [$($type::$variant),+].len()] = [$($type::$variant),+];

            /// The text used in keys, files and results.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }

        $crate::named_in_results!($type, [$($about),*], [$([$($doc),*]),+]);
    };
}

/// Expands to nothing without the feature `serde`.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! named_in_results {
    ($type:ident, $about:tt, $docs:tt) => {};
}

/// Implements serde and JSON schema for an enum by its names, with its documentation.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! named_in_results {
    ($type:ident, [$($about:literal),*], [$([$($doc:literal),*]),+]) => {
        impl $crate::schemars::JsonSchema for $type {
            fn schema_name() -> $crate::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                let docs = [$(concat!($($doc),*)),+];
                let names: $crate::Vec<_> = $type::ALL.into_iter().zip(docs).map(|(one, doc)| {
                    $crate::schemars::json_schema!({ "const": one.name(), "description": doc.trim(), "type": "string" })
                }).collect();
                $crate::schemars::json_schema!({ "description": concat!($($about),*).trim(), "oneOf": names })
            }
        }

        impl $crate::serde::Serialize for $type {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                const NAMES: &[&str] = &{
                    let mut names = [""; $type::ALL.len()];
                    let mut at = 0;
                    while at < names.len() {
                        names[at] = $type::ALL[at].name();
                        at += 1;
                    }
                    names
                };
                // An error in a visitor has the place of the name.
                struct Name;
                impl $crate::serde::de::Visitor<'_> for Name {
                    type Value = $type;

                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str("a string")
                    }

                    fn visit_str<E: $crate::serde::de::Error>(self, name: &str) -> Result<$type, E> {
                        let found = $type::ALL.into_iter().find(|one| one.name() == name);
                        found.ok_or_else(|| E::unknown_variant(name, NAMES))
                    }
                }
                deserializer.deserialize_str(Name)
            }
        }
    };
}
